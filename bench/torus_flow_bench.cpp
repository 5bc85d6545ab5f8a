// Allreduce on the 64 cores of a Wormhole: how long the two simulators take, and how far flows are from flits.
//
//   torus_flow_bench    exits with 1 if a result is wrong
//
// Timed is what the simulator does with a program: all calls of all processors, the packets and the answer. Making, proving and lowering the
// schedule is not, nor comparing the data, which only flits move. Times are those of the processor, so that other work on the computer does
// not count; of flows, the fastest and the slowest of several runs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>

#include "backend/capabilities.h"
#include "base/source_dir.h"
#include "collective/algorithm.h"
#include "machine/loader.h"
#include "machine/torus.h"
#include "schedule/interpret.h"
#include "schedule/phase.h"

using namespace muster;

namespace {

constexpr int kFlowRuns = 7;

double milliseconds_since(std::clock_t start) {
  return 1000.0 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

}  // namespace

int main() {
  const Machine machine = with_worker_grid(load_machine(source_dir() + "/machines/wormhole-n150.toml"), 8, 8);
  bool is_right = true;
  fmt::print("{:<28} {:>9} {:>12} {:>12} {:>8} {:>9} {:>9} {:>9}\n", "algorithm", "bytes", "flit cycles", "flow cycles",
             "error", "flit ms", "flow ms", "at most");
  for (const std::int64_t bytes : {2 << 10, 16 << 10, 128 << 10}) {
    for (const Algorithm& algorithm : algorithms_of("torus")) {
      if (algorithm.collective != Collective::allreduce) continue;
      Request request{.machine = machine, .collective = Collective::allreduce, .count = bytes / 4};
      request.options = TorusOptions{};
      request.user_count = UserCount{.count = bytes / 2, .block_unit = 2, .unit = "elements"};
      const Schedule schedule = algorithm.make(request, complete_parameters(algorithm, request, {}));
      const Arithmetic arithmetic{ElementType::bf16, Operator::sum};
      const auto program =
          lowering_for(machine).lower(schedule, machine, {.arithmetic = arithmetic, .options = request.options});
      if (!program) continue;
      const Outputs expected = interpret(schedule, arithmetic, 1);
      std::int64_t cycles[2] = {};
      std::vector<double> time[2];
      for (int run = 0; run <= kFlowRuns; ++run) {
        const bool flows = run > 0;
        const SimulateOptions options{.engine = flows ? Engine::stream : Engine::automatic, .options = request.options};
        const std::clock_t start = std::clock();
        const Result result = simulator_for(machine, options).simulate(*program.value(), options);
        time[flows].push_back(milliseconds_since(start));
        is_right &= !result.fault;
        if (!flows) is_right &= !compare_outputs(schedule, expected, result.outputs.at(0), arithmetic).difference;
        cycles[flows] = result.cycles ? result.cycles->value() : 0;
      }
      const double error = static_cast<double>(cycles[1]) / static_cast<double>(cycles[0]) - 1;
      fmt::print("{:<28} {:>9} {:>12} {:>12} {:>+7.1f}% {:>9.1f} {:>9.1f} {:>9.1f}\n", algorithm.name, bytes, cycles[0],
                 cycles[1], 100 * error, time[0].front(), *std::min_element(time[1].begin(), time[1].end()),
                 *std::max_element(time[1].begin(), time[1].end()));
    }
  }
  fmt::print("{}\n", is_right ? "all results are right" : "a result is WRONG");
  return is_right ? 0 : 1;
}
