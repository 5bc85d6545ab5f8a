#include "collective/torus/step_times.h"

#include <gtest/gtest.h>

#include <chrono>

#include "collective/algorithms.h"
#include "collective/bounds/bound.h"
#include "collective/collective_test_support.h"
#include "collective/torus/torus_test_machines.h"

namespace muster {
namespace {

std::int64_t torus_cost(const std::string& name, const Request& request, const Parameters& given = {}) {
  for (const Algorithm& algorithm : torus_algorithms()) {
    if (algorithm.name != name || algorithm.collective != request.collective) continue;
    return algorithm.cost(request, complete_parameters(algorithm, request, given)).value();
  }
  return -1;
}

/// Of 16-bit elements.
Request allreduce_of(const Machine& machine, std::int64_t bytes) {
  Request request{.machine = machine, .collective = Collective::allreduce, .count = bytes / 4};
  request.user_count = {.count = bytes / 2, .block_unit = 2, .unit = "elements"};
  return request;
}

TEST(StepTimes, OfOneMessageAreItsPartsInTurn) {
  // One word to the neighbour: a call, memory, two interfaces, a hop, a call for the counter, which is seen and passed on;
  // then the word is added in software.
  Request request{.machine = test_wormhole(2), .collective = Collective::reduce, .count = 1};
  EXPECT_EQ(torus_cost("swing", request), 22 + 14 + 2 * 5 + 9 + 22 + 5 + 16 + 12 + 30);
  request.root = 1;
  EXPECT_EQ(torus_cost("swing", request), 22 + 14 + 2 * 5 + 9 + 22 + 5 + 16 + 12 + 30) << "on the other NoC";
}

TEST(StepTimes, AreNeverBelowABound) {
  for (const Algorithm& algorithm : torus_algorithms()) {
    for (const std::int64_t ranks : {2, 7, 16, 50, 64}) {
      for (const std::int64_t count : {1, 3000, 65'536}) {
        const Request request =
            sized_for({.machine = test_wormhole(ranks), .collective = algorithm.collective, .count = count});
        if (algorithm.unsupported(request)) continue;
        const std::int64_t cost = algorithm.cost(request, complete_parameters(algorithm, request, {})).value();
        for (const Bound& bound : lower_bounds(request)) {
          EXPECT_GE(cost, bound.cycles.value()) << collective_name(algorithm.collective) << " " << algorithm.name
                                                << ", " << ranks << " ranks, " << count << ": " << bound.name;
        }
      }
    }
  }
}

TEST(StepTimes, HaveTheThesisOrder) {
  const Machine machine = test_wormhole(8, 8);
  const auto cost = [&](const std::string& name, std::int64_t bytes) {
    return torus_cost(name, allreduce_of(machine, bytes));
  };
  EXPECT_LT(cost("swing", 128 << 10), cost("swing-latency", 128 << 10));
  EXPECT_EQ(cost("swing", 2 << 10), cost("swing-latency", 2 << 10)) << "one tile is not halved";
  EXPECT_LT(cost("swing", 128 << 10), cost("recursive-doubling", 128 << 10));
  EXPECT_GT(torus_cost("shared-memory", allreduce_of(machine, 128 << 10), {{"banks", 1}}),
            10 * cost("swing", 128 << 10));
}

TEST(StepTimes, AreLongerIfTheNocsAreSwapped) {
  Request request = allreduce_of(test_wormhole(8, 8), 128 << 10);
  const std::int64_t direct = torus_cost("swing", request);
  request.options = TorusOptions{.swapped = true};
  EXPECT_GT(torus_cost("swing", request), direct);
}

TEST(StepTimes, TakeMilliseconds) {
  const auto start = std::chrono::steady_clock::now();
  int predictions = 0;
  for (const Algorithm& algorithm : torus_algorithms()) {
    Request request = sized_for({.machine = test_wormhole(64), .collective = algorithm.collective, .count = 32'768});
    if (algorithm.unsupported(request)) continue;
    algorithm.cost(request, complete_parameters(algorithm, request, {}));
    ++predictions;
  }
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
  RecordProperty("milliseconds_each", std::to_string(taken.count() / predictions));
  EXPECT_LT(taken.count() / predictions, 200) << "a fifth of a second each, on any machine";
}

}  // namespace
}  // namespace muster
