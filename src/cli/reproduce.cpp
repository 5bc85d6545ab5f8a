// muster reproduce: every claim of claims/*.toml, or those that were named; paper, ours, verdict.
#include <algorithm>

#include "base/error.h"
#include "base/progress.h"
#include "claim/claims.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "cli/question.h"
#include "report/json_report.h"
#include "report/text_report.h"

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

}  // namespace

int run_reproduce(const Arguments& arguments) {
  const std::vector<ClaimFile> files = load_all(arguments.positional);
  check_names(arguments.positional, files);
  std::vector<ClaimAnswer> answers;
  bool failed = false;
  double total = 0;
  for (const ClaimFile& file : files) total += static_cast<double>(file.claims.size());
  {
    ProgressLine progress("claims", progress_stream(arguments));
    double done = 0;
    for (const ClaimFile& file : files) {
      const Machine machine = load_machine(find_machine(machine_path(data_folder()), file.machine).file);
      for (const Claim& claim : file.claims) {
        if (!wanted(arguments.positional, file, claim)) continue;
        progress.show(done++ / total);
        answers.push_back(check_claim(claim, file, machine));
        failed = failed || (claim.holds && !answers.back().holds);
      }
    }
  }
  print(arguments.json ? json_report(answers) : text_report(answers));
  return failed ? kAnswerIsNo : kDone;
}

}  // namespace muster
