// How long questions about whole wafers take, against their targets, one after another: from the question to the answer, in processor time of one thread.
//
//   whole_wafer_bench [FILTER]    the questions whose name contains FILTER; exits with 1 if an answer is wrong
//
// A simulation of X-Y is right if it takes as long as a row and then a column, simulated by themselves; a plan, if what it stars was simulated,
// is correct, and no other candidate was faster.
#include <fmt/format.h>

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/source_dir.h"
#include "machine/loader.h"
#include "machine/shapes.h"
#include "measure.h"
#include "study/plan.h"

using namespace muster;

namespace {

Job job_on(Collective collective, std::int32_t width, std::int32_t height, std::int64_t count) {
  return {.machine = with_grid(load_machine(source_dir() + "/machines/wse2.toml"), width, height),
          .collective = collective,
          .count = count};
}

std::int64_t cycles_of(const Job& job, const std::string& algorithm) {
  const SimulationAnswer answer = simulate(job, choose(job, algorithm, {}));
  return answer.result_correct && answer.result.cycles ? answer.result.cycles->value() : -1;
}

/// X-Y best-tree.
std::string simulated(std::int32_t width, std::int32_t height, std::int64_t count) {
  const std::int64_t row = cycles_of(job_on(Collective::reduce, width, 1, count), "best-tree");
  const std::int64_t column = cycles_of(job_on(Collective::reduce, 1, height, count), "best-tree");
  const std::int64_t grid = cycles_of(job_on(Collective::reduce, width, height, count), "xy-best-tree");
  return grid == row + column ? "" : fmt::format("{} cycles, not {} + {}", grid, row, column);
}

std::string planned(Collective collective, std::int32_t width, std::int32_t height, std::int64_t count) {
  const PlanAnswer answer = plan(job_on(collective, width, height, count), {.threads = 1});
  if (answer.candidates.empty()) return "no candidate";
  if (answer.starred_by != StarredBy::simulation)
    return "starred by prediction: " + answer.candidates.front().algorithm;
  if (!answer.result_correct) return "a wrong result";
  for (const CandidateAnswer& other : answer.candidates) {
    if (other.simulated_cycles && *other.simulated_cycles < *answer.candidates.front().simulated_cycles) {
      return other.algorithm + " is faster";
    }
  }
  return "";
}

struct Case {
  std::string name;
  double target = 0;  ///< seconds
  std::function<std::string()> ask;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  all.push_back({"plan reduce 512x1, 256 words", 0.15, [] { return planned(Collective::reduce, 512, 1, 256); }});
  for (const Collective collective : {Collective::reduce, Collective::allreduce, Collective::broadcast}) {
    all.push_back({fmt::format("plan {} 64x64, 256 words", collective_name(collective)), 0.5,
                   [=] { return planned(collective, 64, 64, 256); }});
  }
  for (const std::int64_t count : {256, 8192}) {
    all.push_back({fmt::format("simulate xy-best-tree 750x994, {} words", count), 0.3,
                   [=] { return simulated(750, 994, count); }});
  }
  for (const Collective collective : {Collective::reduce, Collective::allreduce}) {
    for (const auto& [width, height] : {std::pair{512, 512}, std::pair{750, 994}}) {
      for (const std::int64_t count : {1, 256, 1024, 8192}) {
        all.push_back({fmt::format("plan {} {}x{}, {} words", collective_name(collective), width, height, count), 3,
                       [=] { return planned(collective, width, height, count); }});
      }
    }
  }
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view filter = argc > 1 ? argv[1] : "";
  bool is_right = true;
  for (const Case& question : cases()) {
    if (question.name.find(filter) == std::string::npos) continue;
    is_right &= measure(question.name, question.target, 1, question.ask, 1);
  }
  return is_right ? 0 : 1;
}
