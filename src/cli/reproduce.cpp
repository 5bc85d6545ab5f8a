// muster reproduce: every claim of claims/*.toml, or those that were named; paper, ours, verdict.
#include <algorithm>
#include <map>
#include <thread>

#include "app/training/workload_path.h"
#include "base/error.h"
#include "base/file.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "cli/question.h"
#include "cli/show.h"
#include "paper/claims.h"
#include "paper/simulations.h"

namespace muster {
namespace {

/// The files of the program's data, and those that were named by path; a path stands for all claims of its file.
std::vector<ClaimFile> load_all(const Values& names) {
  std::vector<ClaimFile> files;
  for (const auto& path : claim_files(data_folder())) files.push_back(load_claims(path));
  for (const std::string& name : names) {
    if (std::filesystem::path(name).extension() != ".toml") continue;
    files.push_back(load_claims(name));
    files.back().name = name;
  }
  return files;
}

/// Every name that may be given must be a file's or a claim's.
void check_names(const Values& names, const std::vector<ClaimFile>& files) {
  std::vector<std::string> known;
  for (const ClaimFile& file : files) {
    known.push_back(file.name);
    for (const Claim& claim : file.claims) known.push_back(claim.id);
  }
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      reject("reproduce: unknown paper or claim '{}'; {}", name, suggest(name, known));
    }
  }
}

bool wanted(const Values& names, const ClaimFile& file, const Claim& claim) {
  const auto named = [&](const std::string& name) { return name == file.name || name == claim.id; };
  return names.empty() || std::any_of(names.begin(), names.end(), named);
}

/// A claim that was asked for.
struct Asked {
  const ClaimFile* file = nullptr;
  const Claim* claim = nullptr;
};

/// Each read once.
std::map<ClaimMachine, Machine> load_machines(const std::vector<Asked>& all) {
  const MachinePath path = machine_path(data_folder());
  std::map<ClaimMachine, Machine> machines;
  for (const Asked& asked : all) {
    for (const ClaimMachine& named : machines_of(*asked.claim, *asked.file)) {
      if (machines.contains(named)) continue;
      machines.emplace(named, load_machine(find_machine(path, named.name).file, named.overrides));
    }
  }
  return machines;
}

/// By name, each read once.
std::map<std::string, training::Workload> load_workloads(const std::vector<Asked>& all) {
  const MachinePath path = machine_path(data_folder());
  std::map<std::string, training::Workload> workloads;
  for (const Asked& asked : all) {
    const std::string& name = asked.claim->workload;
    if (!name.empty() && !workloads.contains(name)) workloads.emplace(name, training::load_workload(path, name));
  }
  return workloads;
}

/// The text of the example that a claim names.
std::string shot_of(const Claim& claim, const ClaimFile& file) {
  if (claim.shot.empty()) return "";
  const std::filesystem::path path = data_folder() / "shots" / (claim.shot + ".toml");
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    reject("{}: claim '{}': there is no example '{}'; see muster seismic example", file.name, claim.id, claim.shot);
  }
  return read_file(path);
}

}  // namespace

int run_reproduce(const Arguments& arguments) {
  const std::vector<ClaimFile> files = load_all(arguments.positional);
  check_names(arguments.positional, files);
  std::vector<Asked> all;
  for (const ClaimFile& file : files) {
    for (const Claim& claim : file.claims) {
      if (wanted(arguments.positional, file, claim)) all.push_back({&file, &claim});
    }
  }
  const std::map<ClaimMachine, Machine> machines = load_machines(all);
  const std::map<std::string, training::Workload> workloads = load_workloads(all);
  std::vector<ClaimAnswer> answers(all.size());
  Simulations simulations;
  {
    ProgressLine progress("claims", progress_stream(arguments));
    const auto check = [&](std::size_t i) {
      const auto [file, claim] = all[i];
      std::vector<Machine> its_machines;
      for (const ClaimMachine& named : machines_of(*claim, *file)) its_machines.push_back(machines.at(named));
      ClaimData data{.workload = nullptr, .shot = shot_of(*claim, *file), .simulations = &simulations};
      if (const auto workload = workloads.find(claim->workload); workload != workloads.end()) {
        data.workload = &workload->second;
      }
      answers[i] = check_claim(*claim, *file, its_machines, data);
    };
    // Claims about shots measure this machine: each has it for itself.
    std::vector<std::size_t> together;
    std::vector<std::size_t> alone;
    for (std::size_t i = 0; i < all.size(); ++i) (all[i].claim->shot.empty() ? together : alone).push_back(i);
    const double share =
        static_cast<double>(together.size()) / static_cast<double>(std::max(all.size(), std::size_t{1}));
    // One more thread than cores: now and then one waits for a simulation that another one makes.
    for_each_index(together.size(), [&](std::size_t i) { check(together[i]); },
                   {.threads = std::thread::hardware_concurrency() + 1,
                    .progress = [&](double done) { progress.show(done * share); }});
    for (std::size_t i = 0; i < alone.size(); ++i) {
      check(alone[i]);
      progress.show(share + (1 - share) * static_cast<double>(i + 1) / static_cast<double>(alone.size()));
    }
  }
  bool failed = false;
  for (std::size_t i = 0; i < all.size(); ++i) failed = failed || (all[i].claim->holds && !answers[i].holds);
  show(arguments, answers);
  return failed ? kAnswerIsNo : kDone;
}

}  // namespace muster
