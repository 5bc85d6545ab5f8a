// The hidden commands behind an installation, and the names that completion scripts ask for.
#include "cli/shell_files.h"

#include <fmt/format.h>

#include <set>

#include "app/training/workload_path.h"
#include "base/error.h"
#include "cli/question.h"
#include "collective/algorithm.h"
#include "machine/loader.h"

namespace muster {
namespace {

/// Targets of the machines that are found; broken machine files are skipped.
std::vector<std::string> target_names(const MachinePath& path) {
  std::set<std::string> names{"schedule"};
  for (const std::string& name : machine_names(path)) {
    try {
      for (const Emitter* const emitter : emitters_for(load_machine(find_machine(path, name).file))) {
        names.insert(emitter->target().name);
      }
    } catch (const InputError&) {
      continue;
    }
  }
  return {names.begin(), names.end()};
}

std::vector<std::string> algorithm_names() {
  std::set<std::string> names;
  for (const Algorithm& algorithm : algorithms()) names.insert(algorithm.name);
  return {names.begin(), names.end()};
}

std::string completions_text(const std::vector<std::string>& words) {
  if (words.size() == 1) reject("completions needs a shell; use bash, fish or zsh");
  if (words[1] != "names") {
    if (words.size() > 2) reject("completions takes one shell; '{}' is one too many", words[2]);
    return completion_script(words[1]);
  }
  if (words.size() != 3) reject("completions names needs one flag; use e.g. --machine");
  return fmt::format("{}\n", fmt::join(names_for(words[2]), "\n"));
}

}  // namespace

std::vector<std::string> names_for(const std::string& flag) {
  Arguments quiet;
  quiet.set("--quiet", {""});
  const MachinePath path = machine_path_of(quiet);
  if (flag == "--machine") return machine_names(path);
  if (flag == "--collective") return collective_names();
  if (flag == "--algorithm") return algorithm_names();
  if (flag == "--workload") return training::workload_names(path);
  if (flag == "--target") return target_names(path);
  return {};
}

std::optional<std::string> shell_file(const std::vector<std::string>& words) {
  if (words.empty()) return std::nullopt;
  if (words[0] == "completions") return completions_text(words);
  if (words[0] != "man") return std::nullopt;
  if (words.size() > 1) reject("man takes no argument '{}'; 'muster man' writes the page of all commands", words[1]);
  return man_page();
}

}  // namespace muster
