// muster sweep: all sizes of --grid, --pes, --nodes or --shape, --count or --bytes, and --chunks, with the chosen algorithms.
#include "study/sweep.h"

#include <algorithm>

#include "base/error.h"
#include "base/progress.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/progress.h"
#include "cli/question.h"
#include "cli/ranges.h"
#include "cli/show.h"
#include "report/csv_report.h"

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

/// Vectors in the order of asking, as one flag says them: --count or --bytes, and its text.
struct Vectors {
  Values Arguments::*flag = &Arguments::count;
  std::vector<std::string> sizes;
};

Vectors vectors_of(const Arguments& arguments) {
  if (!arguments.count.empty() && !arguments.bytes.empty()) reject("--count and --bytes say the same thing; give one");
  if (!arguments.bytes.empty()) {
    Vectors vectors{.flag = &Arguments::bytes, .sizes = {}};
    const NumberRule rule{.flag = "--bytes", .least = 1, .most = 4 * kMostElements, .example = "100MB:1GB:+100MB"};
    for (const std::int64_t bytes : parse_sizes(arguments.bytes[0], rule)) {
      vectors.sizes.push_back(std::to_string(bytes));
    }
    return vectors;
  }
  Vectors vectors;
  const bool barrier = collective_of(arguments) == Collective::barrier;
  if (arguments.count.empty() && barrier) return {.flag = &Arguments::count, .sizes = {""}};
  if (arguments.count.empty()) {
    reject("sweep needs sizes of the vector; use e.g. --count 1:4096:x2 or --bytes 100MB,1GB");
  }
  const NumberRule rule{.flag = "--count", .least = 1, .most = kMostElements, .example = "1:4096:x2"};
  for (const std::int64_t count : parse_numbers(arguments.count[0], rule)) {
    vectors.sizes.push_back(std::to_string(count));
  }
  return vectors;
}

void check_number_of_sizes(std::size_t shapes, const char* name, std::size_t vectors) {
  if (shapes * vectors <= kMostSizes) return;
  reject("sweep: {} {} times {} counts are too many; at most {} sizes", shapes, name, vectors, kMostSizes);
}

Job job_at(const Arguments& arguments, const Machine& machine, const Vectors& vectors, const std::string& size) {
  Arguments one = arguments;
  if (!size.empty()) one.*vectors.flag = {size};
  return job_of(one, machine);
}

std::vector<Job> grid_jobs(const Arguments& arguments, const Machine& machine) {
  if (!arguments.chunks.empty()) reject("--chunks: {} is no cluster; leave it out", machine.name);
  const Vectors vectors = vectors_of(arguments);
  const auto grids = grids_of(arguments);
  check_number_of_sizes(grids.size(), "shapes", vectors.sizes.size());
  std::vector<Job> jobs;
  for (const auto& [width, height] : grids) {
    const Machine shaped = with_grid(machine, static_cast<std::int32_t>(width), static_cast<std::int32_t>(height));
    for (const std::string& size : vectors.sizes) jobs.push_back(job_at(arguments, shaped, vectors, size));
  }
  return jobs;
}

std::vector<std::int64_t> chunks_of(const Arguments& arguments) {
  const NumberRule rule{.flag = "--chunks", .least = 1, .most = INT32_MAX, .example = "4:512:x2"};
  return parse_numbers(arguments.chunks[0], rule);
}

/// A cluster has the shape of its file; what grows are vectors, and the chunks that they are cut into.
SweepRequest cluster_request(const Arguments& arguments, const Machine& machine) {
  for (const auto& [values, flag] : {std::pair{&arguments.grid, "--grid"}, {&arguments.pes, "--pes"}}) {
    if (!values->empty()) reject("{}: {} is a cluster and has the shape of its file; leave it out", flag, machine.name);
  }
  const Vectors vectors = vectors_of(arguments);
  std::vector<std::string> chunks{""};
  if (!arguments.chunks.empty()) {
    chunks.clear();
    for (const std::int64_t number : chunks_of(arguments)) chunks.push_back(std::to_string(number));
  }
  check_number_of_sizes(chunks.size(), "numbers of chunks", vectors.sizes.size());
  SweepRequest request{.jobs = {}, .simulate = arguments.simulate};
  for (const std::string& size : vectors.sizes) {
    const Job job = job_at(arguments, machine, vectors, size);
    for (const std::string& number : chunks) {
      Arguments one = arguments;
      one.chunks = number.empty() ? Values{} : Values{number};
      request.jobs.push_back(job);
      request.given.push_back(parameters_of(one, &machine));
    }
  }
  return request;
}

/// The machine in each shape of --nodes or --shape; without them, in that of its file.
std::vector<Machine> shaped_machines(const Arguments& arguments, const Machine& machine) {
  if (!arguments.nodes.empty() && !arguments.shape.empty()) reject("--nodes and --shape say the same thing; give one");
  std::vector<Machine> machines;
  if (!arguments.nodes.empty()) {
    const NumberRule rule{.flag = "--nodes", .least = 1, .most = 1'000'000, .example = "1,4,16"};
    for (const std::int64_t nodes : parse_numbers(arguments.nodes[0], rule)) {
      machines.push_back(with_nodes(machine, nodes));
    }
  } else if (!arguments.shape.empty()) {
    for (const std::string& shape : parse_words(arguments.shape[0], "--shape")) {
      machines.push_back(with_shape(machine, parse_shape(shape)));
    }
  } else {
    machines.push_back(machine);
  }
  return machines;
}

/// All combinations of the values that --set KEY=RANGE names.
std::vector<Parameters> combinations_of(const Arguments& arguments) {
  std::vector<Parameters> all{{}};
  for (const std::string& text : arguments.set) {
    const auto [key, range] = parse_assignment(text, "--set", "trees=1:3");
    if (all.front().contains(key)) reject("--set: '{}' was given twice; give it once", key);
    const NumberRule rule{.flag = "--set", .least = 1, .most = INT32_MAX, .example = key + "=1:3"};
    std::vector<Parameters> longer;
    for (const Parameters& one : all) {
      for (const std::int64_t value : parse_numbers(range, rule)) {
        longer.push_back(one);
        longer.back()[key] = value;
      }
    }
    all = std::move(longer);
  }
  return all;
}

/// Of reducing switches, nodes, vectors and what algorithms are told grow.
SweepRequest hyperx_request(const Arguments& arguments, const Machine& machine) {
  const std::pair<const Values*, const char*> others[] = {{&arguments.grid, "--grid"},
                                                          {&arguments.pes, "--pes"},
                                                          {&arguments.chunks, "--chunks"},
                                                          {&arguments.order, "--order"}};
  for (const auto& [values, flag] : others) {
    if (!values->empty()) reject("{}: {} is a hyperx; leave it out, or use --nodes", flag, machine.name);
  }
  const Vectors vectors = vectors_of(arguments);
  const std::vector<Machine> machines = shaped_machines(arguments, machine);
  const std::vector<Parameters> given = combinations_of(arguments);
  check_number_of_sizes(machines.size() * given.size(), "shapes", vectors.sizes.size());
  SweepRequest request{.jobs = {}, .simulate = arguments.simulate};
  for (const Machine& shaped : machines) {
    for (const std::string& size : vectors.sizes) {
      const Job job = job_at(arguments, shaped, vectors, size);
      for (const Parameters& one : given) {
        request.jobs.push_back(job);
        if (!one.empty()) request.given.push_back(one);
      }
    }
  }
  return request;
}

void reject_hyperx_flags(const Arguments& arguments, const Machine& machine) {
  const std::pair<const Values*, const char*> own[] = {{&arguments.nodes, "--nodes"},
                                                       {&arguments.shape, "--shape"},
                                                       {&arguments.group, "--group"},
                                                       {&arguments.vectors, "--vectors"}};
  for (const auto& [values, flag] : own) {
    if (!values->empty()) {
      reject("{}: {} is a {}; {} is for a hyperx", flag, machine.name, family_name(machine), flag);
    }
  }
}

SweepRequest request_of(const Arguments& arguments) {
  if (arguments.collective.empty()) reject("sweep needs --collective; use e.g. --collective reduce");
  if (is_free_root(arguments))
    reject("--root: 'any' is for one size (plan, simulate, emit, explain); give sweep a root");
  const Machine machine = whole_machine_of(arguments);
  const bool cluster = machine.cluster() != nullptr;
  const bool hyperx = machine.hyperx() != nullptr;
  if (!cluster && !hyperx && machine.mesh() == nullptr) {
    reject("sweep: {} is a {}; sweeps are for a mesh, a cluster or a hyperx", machine.name, family_name(machine));
  }
  if (!hyperx) reject_hyperx_flags(arguments, machine);
  SweepRequest request;
  if (cluster) {
    request = cluster_request(arguments, machine);
  } else if (hyperx) {
    request = hyperx_request(arguments, machine);
  } else {
    request = {.jobs = grid_jobs(arguments, machine), .simulate = arguments.simulate};
  }
  if (!arguments.algorithm.empty()) request.algorithms = parse_words(arguments.algorithm[0], "--algorithm");
  if (!arguments.set.empty() && request.algorithms.size() != 1) {
    reject("--set is for one algorithm; name it with --algorithm");
  }
  if (cluster || hyperx || (arguments.set.empty() && arguments.order.empty())) return request;
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
    show(arguments, answer);
  }
  const bool none_fits =
      std::all_of(answer.sizes.begin(), answer.sizes.end(), [](const SweepSize& size) { return size.best.empty(); });
  return answer.failed || none_fits ? kAnswerIsNo : kDone;
}

}  // namespace muster
