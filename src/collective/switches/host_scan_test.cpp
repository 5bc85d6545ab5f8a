#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "collective/algorithm.h"
#include "collective/bounds/bound.h"
#include "collective/fault_test_support.h"
#include "collective/switches/switches_test_support.h"

namespace muster {
namespace {

const Algorithm& doubling() { return find_algorithm(Collective::scan, "hyperx", "recursive-doubling"); }

RC_GTEST_PROP(HostScan, IsRightAndInOrderForAnyNumberOfCoresAndWords, ()) {
  Request request{.machine = test_hyperx({*rc::gen::inRange(2, 5)}, *rc::gen::inRange(1, 4), *rc::gen::inRange(1, 4)),
                  .collective = Collective::scan,
                  .count = *rc::gen::inRange<std::int64_t>(1, 40)};
  if (*rc::gen::arbitrary<bool>()) request.options.of<HyperXOptions>().groups = {{1}, {0}};
  RC_ASSERT(!doubling().unsupported(request));
  RC_ASSERT(fault_of(doubling(), request, {}) == "");
  for (const Bound& bound : lower_bounds(request)) RC_ASSERT(doubling().cost(request, {}) >= bound.cycles);
}

TEST(HostScan, PutsWhatComesFromBeforeFirst) {
  const Request request{.machine = test_hyperx({}, 1, 3, 2), .collective = Collective::scan, .count = 1};
  const Schedule schedule = doubling().make(request, {});
  EXPECT_EQ(order_of_additions(schedule, 0, 0), "x0");
  EXPECT_EQ(order_of_additions(schedule, 4, 0), "(x0 + ((x1 + x2) + (x3 + x4)))");
}

TEST(HostScan, NamesNoAlgorithmForVectorsOfNodesWhereThereIsNone) {
  const Request request{.machine = test_hyperx({2}),
                        .collective = Collective::scan,
                        .count = 1,
                        .options = HyperXOptions{.vector_per_node = true}};
  EXPECT_EQ(doubling().unsupported(request), "needs a vector per core; only allreduce supports one per node");
}

}  // namespace
}  // namespace muster
