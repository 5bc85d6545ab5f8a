// What a shot needs of the machine, and what the machine has.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "app/seismic/shot.h"
#include "base/units.h"

namespace muster::seismic {

struct Needs {
  Bytes memory;      ///< fields, coefficients, layers, model and traces
  Bytes outputs;     ///< gathers and snapshots
  Bytes checkpoint;  ///< of one checkpoint
};

Needs needs_of(const Shot& shot);

/// What a process can still take: the kernel's estimate, or what a control group leaves if that is less. None: unknown.
std::optional<Bytes> available_memory();
/// What can still be written into a folder, or where it will be made. None: unknown.
std::optional<Bytes> available_disk(const std::filesystem::path& folder);

/// Throws InputError with both numbers if memory or disk is not enough, or the folder cannot be written into.
void check_resources(const Shot& shot, const std::filesystem::path& folder);

}  // namespace muster::seismic
