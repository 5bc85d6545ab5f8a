// Where workloads are looked up by name.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/training/workload.h"
#include "machine/loader.h"

namespace muster::training {

/// The name of every workload on the path (workloads/NAME.toml in its folders), sorted.
std::vector<std::string> workload_names(const MachinePath& path);

/// A workload by name; or a file: what ends in .toml or .txt, or has a slash. Throws InputError with the nearest names if there
/// is none.
Workload load_workload(const MachinePath& path, const std::string& name_or_file);

}  // namespace muster::training
