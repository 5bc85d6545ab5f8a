#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "collective/bounds/bound.h"
#include "collective/switches/switches_test_support.h"
#include "machine/hyperx.h"

namespace muster {
namespace {

std::map<std::string, Ticks> bounds_by_name(const Request& request) {
  std::map<std::string, Ticks> by_name;
  for (const Bound& bound : lower_bounds(request)) by_name[bound.name] = bound.cycles;
  return by_name;
}

RC_GTEST_PROP(SwitchBounds, AreThoseOfTheLatestGroup, ()) {
  Machine machine = any_small_hyperx();
  if (*rc::gen::arbitrary<bool>()) damage(machine);
  Request request{.machine = machine, .count = *rc::gen::inRange<std::int64_t>(1, 40)};
  request.collective = *rc::gen::element(Collective::allreduce, Collective::barrier, Collective::scan);
  if (request.collective == Collective::barrier) request.count = 1;
  request.options.of<HyperXOptions>().groups.resize(*rc::gen::inRange<std::size_t>(1, 4));
  for (const std::int32_t node : any_participants(*as<HyperX>(machine))) {
    request.options.of<HyperXOptions>()
        .groups[*rc::gen::inRange<std::size_t>(0, request.options.of<HyperXOptions>().groups.size())]
        .push_back(node);
  }
  std::erase_if(request.options.of<HyperXOptions>().groups, [](const auto& group) { return group.empty(); });
  std::map<std::string, Ticks> latest;
  for (const std::vector<std::int32_t>& group : request.options.of<HyperXOptions>().groups) {
    Request alone = request;
    alone.options.of<HyperXOptions>().groups = {group};
    for (const auto& [name, cycles] : bounds_by_name(alone)) latest[name] = std::max(latest[name], cycles);
  }
  RC_ASSERT(bounds_by_name(request) == latest);
}

TEST(SwitchBounds, DoNotDependOnWhichGroupIsNamedFirst) {
  std::vector<std::int32_t> most(15);
  std::iota(most.begin(), most.end(), 1);
  Request request{.machine = test_hyperx({4, 4}), .collective = Collective::allreduce, .count = 8};
  request.options.of<HyperXOptions>().groups = {most};
  const std::map<std::string, Ticks> of_most = bounds_by_name(request);
  ASSERT_EQ(of_most.size(), 3U);
  request.options.of<HyperXOptions>().groups = {{0}, most};
  EXPECT_EQ(bounds_by_name(request), of_most);
  request.options.of<HyperXOptions>().groups = {most, {0}};
  EXPECT_EQ(bounds_by_name(request), of_most);
}

TEST(SwitchBounds, OfAScanNeedAGroupOfSeveralCores) {
  Request request{.machine = test_hyperx({4}, 1, 1, 1), .collective = Collective::scan, .count = 8};
  request.options.of<HyperXOptions>().groups = {{0}, {1}};
  EXPECT_TRUE(bounds_by_name(request).empty());
  request.options.of<HyperXOptions>().groups = {{0}, {1, 2}};
  EXPECT_EQ(bounds_by_name(request).size(), 2U);
}

TEST(SwitchBounds, OfLinksCountWhatAllGroupsSend) {
  Request request{.machine = test_hyperx({4}), .collective = Collective::allreduce, .count = 1200};
  request.options.of<HyperXOptions>().vector_per_node = true;
  // 4,800 bytes on 6 links of 8 GB/s, less a picosecond.
  request.options.of<HyperXOptions>().groups = {{0, 1}};
  EXPECT_EQ(bounds_by_name(request).at("links"), Ticks(100'000 - 1));
  request.options.of<HyperXOptions>().groups = {{3}, {0, 1, 2}};
  EXPECT_EQ(bounds_by_name(request).at("links"), Ticks(200'000 - 1));
  request.options.of<HyperXOptions>().groups = {{0, 2}, {1, 3}};
  EXPECT_EQ(bounds_by_name(request).at("links"), Ticks(200'000 - 1));
}

}  // namespace
}  // namespace muster
