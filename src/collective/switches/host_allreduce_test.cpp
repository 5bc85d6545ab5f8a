#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "collective/algorithm.h"
#include "collective/bounds/bound.h"
#include "collective/fault_test_support.h"
#include "collective/switches/switches_test_support.h"
#include "machine/hyperx.h"

namespace muster {
namespace {

const Algorithm& named(const std::string& name) { return find_algorithm(Collective::allreduce, "hyperx", name); }

Request allreduce(Machine machine, std::int64_t count) {
  return {.machine = std::move(machine), .collective = Collective::allreduce, .count = count};
}

double microseconds(const std::string& name, const Machine& machine, std::int64_t bytes) {
  return static_cast<double>(named(name).cost(allreduce(machine, bytes / 4), {}).value()) * 1e-6;
}

RC_GTEST_PROP(HostAllreduce, IsRightForAnyNumberOfCoresAndWords, ()) {
  const Machine machine =
      test_hyperx({*rc::gen::inRange(2, 5)}, *rc::gen::inRange(1, 4), *rc::gen::inRange(1, 4), *rc::gen::inRange(1, 3));
  Request request = allreduce(machine, *rc::gen::inRange<std::int64_t>(1, 40));
  if (*rc::gen::arbitrary<bool>()) request.options.of<HyperXOptions>().groups = {{1}, {0}};
  for (const char* name : {"recursive-doubling", "rabenseifner"}) {
    RC_ASSERT(!named(name).unsupported(request));
    RC_ASSERT(fault_of(named(name), request, {}) == "");
    for (const Bound& bound : lower_bounds(request)) {
      const bool holds_without_switches = bound.name != "center";
      if (holds_without_switches) RC_ASSERT(named(name).cost(request, {}).value() >= bound.cycles.value());
    }
  }
}

TEST(HostAllreduce, AddsInTheSameOrderEverywhere) {
  const Machine machine = test_hyperx({}, 1, 3, 2);
  const Schedule schedule = named("recursive-doubling").make(allreduce(machine, 1), {});
  for (NodeId core = 0; core < 6; ++core) {
    EXPECT_EQ(order_of_additions(schedule, core, 0), "(((x0 + x1) + (x2 + x3)) + (x4 + x5))") << core;
  }
}

TEST(HostAllreduce, HasScheduleUpToSomeThousandCores) {
  EXPECT_EQ(named("rabenseifner").unsupported(allreduce(test_hyperx({8, 4}), 8)), std::nullopt);
  EXPECT_EQ(named("rabenseifner").unsupported(allreduce(test_hyperx({8, 8}), 8)),
            fmt::format("has schedules for up to 4,096 cores, got 8,192; its formula predicts {:.3f} us",
                        microseconds("rabenseifner", test_hyperx({8, 8}), 32)));
  Machine machine = test_hyperx({2});
  as<HyperX>(machine)->failed_nodes = {1};
  EXPECT_EQ(named("rabenseifner").unsupported(allreduce(machine, 8)),
            "uses default routes, which may cross failed nodes or links; use in-network");
  *as<HyperX>(machine) = *as<HyperX>(test_hyperx({}));
  as<HyperX>(machine)->host.reset();
  EXPECT_EQ(named("rabenseifner").unsupported(allreduce(machine, 8)),
            "needs a [host] table in the machine file, with the cost of a round");
}

TEST(HostAllreduce, TakesThePapersRatios) {
  const Machine single = test_hyperx({});
  const Machine sixteen = test_hyperx({4, 4});
  const Machine all = test_hyperx({32, 32, 16});
  constexpr std::int64_t kBytes = 128 << 10;
  // Calibrated on the first; the others are tests of that.
  EXPECT_NEAR(microseconds("rabenseifner", single, kBytes) / microseconds("in-network", single, kBytes), 3.9, 0.1);
  EXPECT_NEAR(1 - microseconds("rabenseifner", single, kBytes) / microseconds("rabenseifner", all, kBytes), 0.26, 0.03);
  EXPECT_GT(microseconds("recursive-doubling", sixteen, 4) / microseconds("in-network", sixteen, 4), 30);
  EXPECT_GT(microseconds("recursive-doubling", all, 4) / microseconds("in-network", all, 4), 40);
  constexpr std::int64_t kLong = std::int64_t{1} << 30;
  EXPECT_NEAR(microseconds("rabenseifner", sixteen, kLong) / microseconds("in-network", sixteen, kLong), 3.5, 0.01);
}

}  // namespace
}  // namespace muster
