// What a shot needs of the machine, and what the machine has.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/seismic/processes.h"
#include "app/seismic/shot.h"
#include "base/units.h"

namespace muster::seismic {

struct Needs {
  Bytes memory;      ///< fields, coefficients, layers, model and traces
  Bytes outputs;     ///< gathers and snapshots
  Bytes checkpoint;  ///< of one checkpoint
};

/// Of a process that computes this part of the grid; outputs are those of the whole run. The first of several processes puts snapshots together,
/// and needs more for that.
Needs needs_of(const Shot& shot, const Part& part);

/// What a process can still take: the kernel's estimate, or what a control group leaves if that is less. None: unknown.
std::optional<Bytes> available_memory();
/// What can still be written into a folder, or where it will be made. None: unknown.
std::optional<Bytes> available_disk(const std::filesystem::path& folder);

/// Where a run takes place.
struct Surroundings {
  std::filesystem::path folder;          ///< of the run
  const Processes* processes = nullptr;  ///< null: this one alone
  std::int64_t written = 0;              ///< bytes of outputs that a resumed run leaves as they are
};

/// Why a run would be refused, a sentence each, with both numbers: not enough memory or disk, or a folder that cannot be written into.
std::vector<std::string> lacks_of(const Shot& shot, const Part& part, const Surroundings& surroundings);
/// Throws InputError with the first of them.
void check_resources(const Shot& shot, const Part& part, const Surroundings& surroundings);

/// What sources and receivers need, with all traces.
std::int64_t points_bytes(const Shot& shot);

}  // namespace muster::seismic
