// Where machines are looked up by name.
#include <algorithm>
#include <cstdlib>
#include <set>

#include "base/error.h"
#include "base/one_line.h"
#include "machine/loader.h"

namespace muster {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".toml";

bool is_file(const fs::path& path) {
  std::error_code ignored;  // a file that cannot be read counts as missing
  return fs::is_regular_file(path, ignored);
}

/// The folders that may hold NAME.toml: each folder of the path, and its machines/.
std::vector<fs::path> folders_of(const MachinePath& path) {
  std::vector<fs::path> all;
  for (const fs::path& folder : path.folders) {
    all.push_back(folder);
    all.push_back(folder / "machines");
  }
  return all;
}

[[noreturn]] void reject_unknown(const MachinePath& path, const std::string& name) {
  const std::vector<std::string> names = machine_names(path);
  reject("unknown machine '{}'; {}", one_line(name), suggest(name, names));
}

}  // namespace

MachinePath machine_path(const fs::path& data) {
  MachinePath path;
  const char* variable = std::getenv("MUSTER_PATH");
  std::string_view rest = variable == nullptr ? "" : variable;
  while (!rest.empty()) {
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    if (colon > 0) {
      path.folders.emplace_back(rest.substr(0, colon));
      std::error_code ignored;
      if (!fs::is_directory(path.folders.back(), ignored)) path.missing.push_back(path.folders.back());
    }
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
  path.folders.push_back(data);
  return path;
}

FoundMachine find_machine(const MachinePath& path, const std::string& name_or_file) {
  if (name_or_file.ends_with(kSuffix)) {
    if (!is_file(name_or_file)) reject("machine file '{}' does not exist", one_line(name_or_file));
    return {.file = name_or_file, .shadowed = {}};
  }
  const bool is_name = !name_or_file.empty() && name_or_file.find('/') == std::string::npos;
  if (!is_name) reject("'{}' is not a machine; give a name, or a file that ends in .toml", one_line(name_or_file));
  FoundMachine found;
  for (const fs::path& folder : folders_of(path)) {
    const fs::path file = folder / (name_or_file + std::string(kSuffix));
    if (!is_file(file)) continue;
    if (found.file.empty()) {
      found.file = file;
    } else {
      found.shadowed.push_back(file);
    }
  }
  if (found.file.empty()) reject_unknown(path, name_or_file);
  return found;
}

std::vector<std::string> machine_names(const MachinePath& path) {
  std::set<std::string> names;
  for (const fs::path& folder : folders_of(path)) {
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
      if (entry->path().extension() == kSuffix && is_file(entry->path())) names.insert(entry->path().stem().string());
    }
  }
  return {names.begin(), names.end()};
}

}  // namespace muster
