#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "base/source_dir.h"
#include "machine/families.h"
#include "machine/loader.h"
#include "machine/routing.h"
#include "machine/test_hyperx.h"

namespace muster {
namespace {

Machine any_hyperx() {
  std::vector<std::int32_t> shape(*rc::gen::inRange<std::size_t>(0, 4));
  for (std::int32_t& nodes : shape) nodes = *rc::gen::inRange(2, 5);
  return test_hyperx(shape, *rc::gen::inRange(1, 6), *rc::gen::inRange(1, 5), *rc::gen::inRange(1, 4));
}

/// A switch of the machine.
NodeId any_switch(const HyperX& hyperx) { return *rc::gen::inRange(rank_count(hyperx), node_count(hyperx)); }

RC_GTEST_PROP(NextSwitch, FollowsTheDefaultRoute, ()) {
  const Machine machine = any_hyperx();
  const HyperX& hyperx = *as<HyperX>(machine);
  const NodeId from = any_switch(hyperx);
  const NodeId to = any_switch(hyperx);
  std::vector<NodeId> walked{from};
  while (walked.back() != to) walked.push_back(next_switch(hyperx, walked.back(), to));
  RC_ASSERT(walked == default_route(hyperx, from, to));
  RC_ASSERT(next_switch(hyperx, to, to) == to);
  Cycles latency;
  for (std::size_t i = 1; i < walked.size(); ++i) latency += link_latency(hyperx, walked[i - 1], walked[i]);
  RC_ASSERT(route_latency(hyperx, from, to) == latency);
}

RC_GTEST_PROP(Neighbours, AreTheSwitchesWithALink, ()) {
  Machine machine = any_hyperx();
  auto& hyperx = *as<HyperX>(machine);
  if (*rc::gen::arbitrary<bool>()) hyperx.failed_nodes = {*rc::gen::inRange(0, hyperx_nodes(hyperx))};
  const NodeId here = any_switch(hyperx);
  std::vector<NodeId> linked_switches;
  for (NodeId other = rank_count(hyperx); other < node_count(hyperx); ++other) {
    if (linked(hyperx, here, other)) linked_switches.push_back(other);
  }
  std::vector<NodeId> found = neighbours(hyperx, here);
  std::sort(found.begin(), found.end());
  RC_ASSERT(found == linked_switches);
}

TEST(Neighbours, ComeInTheOrderOfPorts) {
  const Machine machine = test_hyperx({3, 3}, 3, 3, 3);
  const HyperX& hyperx = *as<HyperX>(machine);
  const auto switch_of = [&](std::int32_t node, std::int32_t socket, std::int32_t core) {
    return switch_at(hyperx, {.node = node, .socket = socket, .core = core});
  };
  EXPECT_EQ(neighbours(hyperx, switch_of(4, 1, 4)),
            (std::vector{switch_of(4, 1, 3), switch_of(4, 1, 5), switch_of(4, 1, 1), switch_of(4, 1, 7)}));
  // Core 0 of socket 1 has the ports to socket 0 and to coordinate 2 of dimension 0, and core 1 of socket 0 that to node 7.
  EXPECT_EQ(neighbours(hyperx, switch_of(4, 1, 0)),
            (std::vector{switch_of(4, 1, 1), switch_of(4, 1, 3), switch_of(4, 0, 1), switch_of(5, 1, 0)}));
  EXPECT_EQ(neighbours(hyperx, switch_of(4, 0, 1)),
            (std::vector{switch_of(4, 0, 0), switch_of(4, 0, 2), switch_of(4, 0, 4), switch_of(4, 1, 0),
                         switch_of(7, 0, 1)}));
}

TEST(LinkLatency, DependsOnTheLevel) {
  const Machine machine = test_hyperx({2}, 2);
  const HyperX& hyperx = *as<HyperX>(machine);
  EXPECT_EQ(link_latency(hyperx, 32, 33), Cycles(5'000));
  EXPECT_EQ(link_latency(hyperx, 33, 40), Cycles(25'000));
  EXPECT_EQ(link_latency(hyperx, 32, 48), Cycles(50'000));
  EXPECT_EQ(link_latency(hyperx, 7, 39), Cycles(0)) << "a core and its switch";
}

TEST(FailedLink, IsNoLink) {
  Machine machine = test_hyperx({4, 4});
  auto& hyperx = *as<HyperX>(machine);
  const NodeId a = switch_at(hyperx, node_port(hyperx, 3, 1, 1));
  const NodeId b = switch_at(hyperx, node_port(hyperx, 7, 1, 0));
  EXPECT_TRUE(linked(machine, a, b));
  hyperx.failed_links = {{3, 7}};
  EXPECT_FALSE(linked(machine, a, b) || linked(machine, b, a));
  EXPECT_TRUE(has_failed(hyperx, 7, 3));
  EXPECT_FALSE(has_failed(hyperx, 7));
}

TEST(FailedNode, HasNoLinks) {
  Machine machine = test_hyperx({4, 4});
  auto& hyperx = *as<HyperX>(machine);
  hyperx.failed_nodes = {0};
  const NodeId ranks = rank_count(hyperx);
  EXPECT_FALSE(linked(machine, 0, ranks) || linked(machine, ranks, ranks + 1)) << "not even inside";
  EXPECT_FALSE(
      linked(machine, switch_at(hyperx, node_port(hyperx, 0, 0, 1)), switch_at(hyperx, node_port(hyperx, 1, 0, 0))));
  EXPECT_TRUE(linked(machine, 128, ranks + 128));
  EXPECT_TRUE(has_failed(hyperx, 0, 1));
}

std::string refusal(const Overrides& overrides) {
  try {
    (void)load_machine(std::filesystem::path(source_dir()) / "machines" / "piuma.toml", overrides);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Failures, AreReadFromTheFile) {
  const Machine machine = load_machine(std::filesystem::path(source_dir()) / "machines" / "piuma.toml",
                                       {{"nodes.failed_links", "[\"7-3\", \"0-1\"]"}, {"nodes.failed_nodes", "[5]"}});
  EXPECT_EQ(as<HyperX>(machine)->failed_links, (std::vector<std::pair<std::int32_t, std::int32_t>>{{0, 1}, {3, 7}}));
  EXPECT_EQ(as<HyperX>(machine)->failed_nodes, std::vector<std::int32_t>{5});
}

TEST(Failures, MustBeThere) {
  const auto link = [](const std::string& text) {
    const std::string shown = refusal({{"nodes.failed_links", text}});
    return shown.substr(std::min(shown.size(), shown.find(": ") + 2));
  };
  EXPECT_EQ(link("[\"3-16\"]"), "'3-16' is not a link; use two nodes from 0 to 15, e.g. '0-1'");
  EXPECT_EQ(link("[\"3\"]"), "'3' is not a link; use two nodes from 0 to 15, e.g. '0-1'");
  EXPECT_EQ(link("[\"3-4x\"]"), "'3-4x' is not a link; use two nodes from 0 to 15, e.g. '0-1'");
  EXPECT_EQ(link("[\"0-5\"]"), "nodes 0 and 5 have no link; name two that differ in one coordinate");
  EXPECT_EQ(link("[\"2-2\"]"), "nodes 2 and 2 have no link; name two that differ in one coordinate");
  EXPECT_EQ(link("[\"0-1\", \"1-0\"]"), "0-1 is listed twice; keep one");
  EXPECT_EQ(refusal({{"nodes.failed_nodes", "[16]"}}),
            "--param nodes.failed_nodes=[16]: 16 is out of range; use 0 to 15");
  EXPECT_EQ(refusal({{"nodes.shape", "[2]"}, {"nodes.failed_nodes", "[0, 1]"}}),
            "--param nodes.failed_nodes=[0, 1]: no node is left; keep at least one");
}

}  // namespace
}  // namespace muster
