// muster sweep: every shape, vector and parameter that the flags list, with the chosen algorithms.
#include "study/sweep.h"

#include <algorithm>

#include "base/error.h"
#include "base/numbers.h"
#include "base/progress.h"
#include "base/ranges.h"
#include "cli/applicability.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/progress.h"
#include "cli/question.h"
#include "cli/show.h"
#include "machine/family.h"
#include "plan/job.h"
#include "report/csv_report.h"

namespace muster {
namespace {

constexpr std::int64_t kMostElements = 1'000'000'000'000;
constexpr std::size_t kMostSizes = 100'000;

/// Vectors in the order of asking, as one flag says them: --count or --bytes, and its text.
struct Vectors {
  std::string flag = "--count";
  std::vector<std::string> sizes;
};

Vectors vectors_of(const Arguments& arguments) {
  at_most_one(arguments, {"--count", "--bytes"});
  if (arguments.has("--bytes")) {
    Vectors vectors{.flag = "--bytes", .sizes = {}};
    const NumberRule rule{.flag = "--bytes", .least = 1, .most = 4 * kMostElements, .example = "100MB:1GB:+100MB"};
    for (const std::int64_t bytes : parse_sizes(arguments.text("--bytes"), rule)) {
      vectors.sizes.push_back(std::to_string(bytes));
    }
    return vectors;
  }
  Vectors vectors;
  const bool barrier = collective_of(arguments) == Collective::barrier;
  if (!arguments.has("--count") && barrier) return {.flag = "--count", .sizes = {""}};
  if (!arguments.has("--count")) {
    reject("sweep needs sizes of the vector; use e.g. --count 1:4096:x2 or --bytes 100MB,1GB");
  }
  const NumberRule rule{.flag = "--count", .least = 1, .most = kMostElements, .example = "1:4096:x2"};
  for (const std::int64_t count : parse_numbers(arguments.text("--count"), rule)) {
    vectors.sizes.push_back(std::to_string(count));
  }
  return vectors;
}

Job job_at(const Arguments& arguments, const Machine& machine, const Vectors& vectors, const std::string& size) {
  Arguments single = arguments;
  if (!size.empty()) single.set(vectors.flag, {size});
  return job_of(single, machine);
}

/// The values of one parameter: a list or a range of numbers, or what parameters_of() takes ("root=3,0", "order=scf").
std::vector<std::int64_t> values_of(const std::string& key, const std::string& text, const Machine& machine) {
  const bool is_list = text.find_first_not_of("0123456789,:x+") == std::string::npos && key != "root";
  if (is_list) return parse_numbers(text, {.flag = "--set", .least = 1, .most = INT32_MAX, .example = key + "=1:3"});
  Arguments single;
  single.set("--set", {fmt::format("{}={}", key, text)});
  return {parameters_of(single, &machine).at(key)};
}

/// All combinations of the values that --set KEY=RANGE, --chunks and --order name.
std::vector<Parameters> combinations_of(const Arguments& arguments, const Machine& machine) {
  Values settings = arguments.values("--set");
  for (const char* const flag : {"--chunks", "--order"}) {
    if (arguments.has(flag)) settings.push_back(fmt::format("{}={}", flag + 2, arguments.text(flag)));
  }
  std::vector<Parameters> all{{}};
  for (const std::string& text : settings) {
    const auto [key, range] = parse_assignment(text, "--set", "trees=1:3");
    if (all.front().contains(key)) reject("--set: '{}' was given twice; give it once", key);
    std::vector<Parameters> longer;
    for (const Parameters& combination : all) {
      for (const std::int64_t value : values_of(key, range, machine)) {
        longer.push_back(combination);
        longer.back()[key] = value;
      }
    }
    all = std::move(longer);
  }
  return all;
}

/// Every shape with every vector and every combination of parameters.
SweepRequest request_of(const Arguments& arguments) {
  if (!arguments.has("--collective")) reject("sweep needs --collective; use e.g. --collective reduce");
  if (is_free_root(arguments)) {
    reject("--root: sweep does not support 'any' (plan, simulate, emit and explain do); give a root");
  }
  const Machine machine = whole_machine_of(arguments);
  require_plans(machine);
  SweepRequest request{.jobs = {}, .simulate = arguments.has("--simulate")};
  if (arguments.has("--algorithm")) request.algorithms = parse_words(arguments.text("--algorithm"), "--algorithm");
  if (arguments.has("--set") && request.algorithms.size() != 1) {
    reject("--set is for one algorithm; name it with --algorithm");
  }
  const Vectors vectors = vectors_of(arguments);
  const std::vector<Machine> machines = machine.family().shapes(machine, arguments);
  const std::vector<Parameters> given = combinations_of(arguments, machines.front());
  const std::size_t sizes = machines.size() * given.size() * vectors.sizes.size();
  if (sizes > kMostSizes) {
    reject("sweep: {} shapes x {} vectors x {} parameters are too many; use at most {} combinations", machines.size(),
           vectors.sizes.size(), given.size(), kMostSizes);
  }
  for (const Machine& shaped : machines) {
    for (const std::string& size : vectors.sizes) {
      const Job job = job_at(arguments, shaped, vectors, size);
      for (const Parameters& parameters : given) {
        request.jobs.push_back(job);
        if (!parameters.empty()) request.given.push_back(parameters);
      }
    }
  }
  return request;
}

}  // namespace

int run_sweep(const Arguments& arguments) {
  const std::string csv = !arguments.has("--csv") ? "" : arguments.text("--csv");
  if (csv == "-" && arguments.has("--json"))
    reject("--csv - and --json both write to standard output; name a file for --csv");
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
    show(arguments, answer);
  }
  const bool none_fits =
      std::all_of(answer.sizes.begin(), answer.sizes.end(), [](const SweepSize& size) { return size.best.empty(); });
  return answer.failed || none_fits ? kAnswerIsNo : kDone;
}

}  // namespace muster
