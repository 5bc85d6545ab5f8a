#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "collective/algorithm.h"
#include "collective/bounds/bound.h"
#include "collective/fault_test_support.h"
#include "collective/switches/switches_test_support.h"
#include "machine/hyperx.h"

namespace muster {
namespace {

const Algorithm& scan() { return find_algorithm(Collective::scan, "hyperx", "in-network"); }

Request scan_of(Machine machine, std::int64_t count) {
  return {.machine = std::move(machine), .collective = Collective::scan, .count = count};
}

RC_GTEST_PROP(InNetworkScan, IsRightAndInOrderOnRandomMachines, ()) {
  const Request request = scan_of(any_small_hyperx(), *rc::gen::inRange<std::int64_t>(1, 40));
  RC_ASSERT(!scan().unsupported(request));
  RC_ASSERT(fault_of(scan(), request, {}) == "");
}

RC_GTEST_PROP(InNetworkScan, IsRightForGroupsPastFailures, ()) {
  Machine machine = any_small_hyperx();
  damage(machine);
  Request request = scan_of(machine, *rc::gen::inRange<std::int64_t>(1, 9));
  request.options.of<HyperXOptions>().groups.resize(*rc::gen::inRange<std::size_t>(1, 4));
  for (const std::int32_t node : any_participants(*as<HyperX>(request.machine))) {
    request.options.of<HyperXOptions>()
        .groups[*rc::gen::inRange<std::size_t>(0, request.options.of<HyperXOptions>().groups.size())]
        .push_back(node);
  }
  std::erase_if(request.options.of<HyperXOptions>().groups, [](const auto& group) { return group.empty(); });
  RC_PRE(!scan().unsupported(request));
  const Schedule schedule = scan().make(request, {});
  RC_ASSERT(schedule.contracts.size() == request.options.of<HyperXOptions>().groups.size());
  RC_ASSERT(fault_of(schedule, request.machine) == "");
}

RC_GTEST_PROP(InNetworkScan, IsPredictedAboveTheBounds, ()) {
  const Request request = scan_of(any_small_hyperx(), *rc::gen::inRange<std::int64_t>(1, 1000));
  const Ticks predicted = scan().cost(request, {});
  for (const Bound& bound : lower_bounds(request)) RC_ASSERT(predicted >= bound.cycles);
}

TEST(InNetworkScan, OfOneCoreHasNothingToDo) {
  const Request request = scan_of(test_hyperx({}, 1, 1, 1), 5);
  EXPECT_TRUE(scan().make(request, {}).steps.empty());
  EXPECT_EQ(fault_of(scan(), request, {}), "");
  EXPECT_EQ(scan().cost(request, {}), Ticks(0));
}

TEST(InNetworkScan, SaysWhatItCannotDo) {
  Request request = scan_of(test_hyperx({32, 33}), 1);
  EXPECT_EQ(scan().unsupported(request),
            "has schedules for up to 131,072 cores, got 135,168; its formula predicts 1.922 us");
  EXPECT_GT(scan().cost(request, {}), Ticks(0));
  request = scan_of(test_hyperx({2}), 1);
  request.options.of<HyperXOptions>().vector_per_node = true;
  EXPECT_EQ(scan().unsupported(request), "needs a vector per core; only allreduce supports one per node");
}

TEST(InNetworkScan, TakesSomeMicrosecondsForOneElementOnTwoMillionCores) {
  const Request request = scan_of(test_hyperx({32, 32, 16}), 1);
  EXPECT_GT(scan().cost(request, {}), Ticks(1'000'000));
  EXPECT_LT(scan().cost(request, {}), Ticks(5'000'000));
}

}  // namespace
}  // namespace muster
