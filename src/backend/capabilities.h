// What Muster can do with the programs of a machine's family. Whoever makes a program (a lowering, a reader, an application) gets the
// family's simulators, checker and emitters. The tables are in registry.cpp, one line per capability. A missing capability is answered
// in one sentence (reject_missing and reject_family in machine/family.h).
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "backend/checker.h"
#include "backend/emitter.h"
#include "backend/kernels.h"
#include "backend/lowering.h"
#include "backend/reader.h"
#include "backend/simulator.h"
#include "backend/traffic.h"

namespace muster {

/// Whether schedules can be lowered to the machine: then algorithms can be planned for it.
bool can_lower(const Machine& machine);
/// Throws InputError if there is none.
const Lowering& lowering_for(const Machine& machine);

/// In the order in which they are asked.
std::vector<const Simulator*> simulators_for(const Machine& machine);
/// The first that takes such a request. Throws InputError with the last one's reason if none does.
const Simulator& simulator_for(const Machine& machine, const SimulateOptions& options);

/// None: programs are not checked before they run.
const Checker* checker_for(const Machine& machine);

std::vector<const Emitter*> emitters_for(const Machine& machine);
/// Throws InputError if the target is another family's.
const Emitter& emitter_for(const Machine& machine, std::string_view target);
/// Of all families.
std::vector<Target> all_targets();

/// Throws InputError if there is none.
const TrafficSimulator& traffic_simulator_for(const Machine& machine);
/// Throws InputError if there is none.
const KernelSimulator& kernel_simulator_for(const Machine& machine);

/// Of all families.
std::vector<const Reader*> readers();
/// The reader of a format, whose name exists.
const Reader& reader_of(std::string_view format);
/// Throws InputError if files of that format are not for the machine's family.
const Reader& reader_for(const Machine& machine, std::string_view format);

}  // namespace muster
