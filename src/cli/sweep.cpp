// muster sweep: all sizes of --grid or --pes and --count, with the chosen algorithms.
#include "plan/sweep.h"

#include <algorithm>

#include "base/error.h"
#include "base/progress.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/progress.h"
#include "cli/question.h"
#include "cli/ranges.h"
#include "report/csv_report.h"
#include "report/json_report.h"
#include "report/text_report.h"

namespace muster {
namespace {

constexpr std::int64_t kMostElements = 1'000'000'000'000;
constexpr std::size_t kMostSizes = 100'000;

std::vector<std::pair<std::int64_t, std::int64_t>> grids_of(const Arguments& arguments) {
  if (!arguments.grid.empty() && !arguments.pes.empty()) reject("--grid and --pes say the same thing; give one");
  const NumberRule rule{.flag = "--grid", .least = 1, .most = INT32_MAX, .example = "16x1,64x1"};
  if (!arguments.grid.empty()) return parse_grids(arguments.grid[0], rule);
  if (arguments.pes.empty()) reject("sweep needs shapes; use e.g. --pes 4:512:x2 or --grid 16x1,64x1");
  const NumberRule row{.flag = "--pes", .least = 1, .most = INT32_MAX, .example = "4:512:x2"};
  std::vector<std::pair<std::int64_t, std::int64_t>> grids;
  for (const std::int64_t pes : parse_numbers(arguments.pes[0], row)) grids.emplace_back(pes, 1);
  return grids;
}

std::vector<std::int64_t> counts_of(const Arguments& arguments) {
  const bool barrier = collective_of(arguments) == Collective::barrier;
  if (arguments.count.empty() && barrier) return {0};
  if (arguments.count.empty()) reject("sweep needs sizes of the vector; use e.g. --count 1:4096:x2");
  return parse_numbers(arguments.count[0],
                       {.flag = "--count", .least = 1, .most = kMostElements, .example = "1:4096:x2"});
}

std::vector<Job> jobs_of(const Arguments& arguments) {
  if (arguments.collective.empty()) reject("sweep needs --collective; use e.g. --collective reduce");
  if (is_free_root(arguments))
    reject("--root: 'any' is for one size (plan, simulate, emit, explain); give sweep a root");
  const auto counts = counts_of(arguments);
  const auto grids = grids_of(arguments);
  if (counts.size() * grids.size() > kMostSizes) {
    reject("sweep: {} shapes times {} counts are too many; at most {} sizes", grids.size(), counts.size(), kMostSizes);
  }
  const Machine machine = whole_machine_of(arguments);
  if (machine.mesh() == nullptr) reject("sweep: {} is a {}; sweeps are for a mesh", machine.name, family_name(machine));
  std::vector<Job> jobs;
  for (const auto& [width, height] : grids) {
    const Machine shaped = with_grid(machine, static_cast<std::int32_t>(width), static_cast<std::int32_t>(height));
    for (const std::int64_t count : counts) {
      Arguments one = arguments;
      if (!arguments.count.empty()) one.count = {std::to_string(count)};
      jobs.push_back(job_of(one, shaped));
    }
  }
  return jobs;
}

SweepRequest request_of(const Arguments& arguments) {
  SweepRequest request{.jobs = jobs_of(arguments), .simulate = arguments.simulate};
  if (!arguments.algorithm.empty()) request.algorithms = parse_words(arguments.algorithm[0], "--algorithm");
  if (!arguments.set.empty() && request.algorithms.size() != 1) {
    reject("--set is for one algorithm; name it with --algorithm");
  }
  if (arguments.set.empty()) return request;
  for (const Job& job : request.jobs) request.given.push_back(parameters_of(arguments, &job.machine));
  return request;
}

}  // namespace

int run_sweep(const Arguments& arguments) {
  const std::string csv = arguments.csv.empty() ? "" : arguments.csv[0];
  if (csv == "-" && arguments.json) reject("--csv - and --json both want standard output; name a file for --csv");
  if (!csv.empty() && csv != "-") check_named_file(csv, "--csv");
  SweepRequest request = request_of(arguments);
  SweepAnswer answer;
  {
    ProgressLine line(fmt::format("{} sizes", request.jobs.size()), progress_stream(arguments));
    request.progress = [&line](double fraction) { line.show(fraction); };
    answer = sweep(request);
  }
  if (!csv.empty() && csv != "-") write_named_file(csv, csv_report(answer), "--csv");
  if (csv == "-") {
    print(csv_report(answer));
  } else {
    print(arguments.json ? json_report(answer) : text_report(answer));
  }
  const bool none_fits =
      std::all_of(answer.sizes.begin(), answer.sizes.end(), [](const SweepSize& size) { return size.best.empty(); });
  return answer.failed || none_fits ? kAnswerIsNo : kDone;
}

}  // namespace muster
