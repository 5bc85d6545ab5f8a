// The folders of machines, and workloads/ in each.
#include "app/training/workload_path.h"

#include <set>

#include "base/error.h"
#include "base/file.h"
#include "base/one_line.h"

namespace muster::training {

namespace fs = std::filesystem;

std::vector<std::string> workload_names(const MachinePath& path) {
  std::set<std::string> names;
  for (const fs::path& folder : path.folders) {
    std::error_code error;
    for (fs::directory_iterator entry(folder / "workloads", error), end; !error && entry != end;
         entry.increment(error)) {
      if (entry->path().extension() == ".toml") names.insert(entry->path().stem().string());
    }
  }
  return {names.begin(), names.end()};
}

Workload load_workload(const MachinePath& path, const std::string& name_or_file) {
  const bool is_file =
      name_or_file.ends_with(".toml") || name_or_file.ends_with(".txt") || name_or_file.find('/') != std::string::npos;
  if (is_file) return read_workload(read_file(name_or_file), name_or_file);
  for (const fs::path& folder : path.folders) {
    const fs::path file = folder / "workloads" / (name_or_file + ".toml");
    std::error_code ignored;  // a file that cannot be read counts as missing
    if (fs::is_regular_file(file, ignored)) return read_workload(read_file(file), file.string());
  }
  reject("unknown workload '{}'; {}", one_line(name_or_file), suggest(name_or_file, workload_names(path)));
}

}  // namespace muster::training
