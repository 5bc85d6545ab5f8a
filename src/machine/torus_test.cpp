#include "machine/torus.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/error.h"
#include "base/source_dir.h"
#include "machine/family.h"
#include "machine/loader.h"
#include "machine/routing.h"

namespace muster {
namespace {

Machine shipped(const std::string& name, const Overrides& overrides = {}) {
  return load_machine(source_dir() + "/machines/" + name + ".toml", overrides);
}

const Torus& torus_of(const Machine& machine) { return *as<Torus>(machine); }

/// The Wormhole with some of its ten rows of workers fused off, in any shape.
Machine any_torus() {
  Machine machine = shipped(*rc::gen::elementOf(std::vector<std::string>{"wormhole-n150", "blackhole", "torus-8x8"}));
  Torus& torus = *as<Torus>(machine);
  if (machine.name == "wormhole-n150") torus.worker_rows = {1, 2, 3, 4, 5, 7, 8, 9, 10, 11};
  const auto fused_off = *rc::gen::inRange<std::size_t>(0, torus.worker_rows.size());
  for (std::size_t i = 0; i < fused_off; ++i) {
    torus.worker_rows.erase(torus.worker_rows.begin() +
                            *rc::gen::inRange<std::ptrdiff_t>(0, std::ssize(torus.worker_rows)));
  }
  const auto columns = static_cast<std::int64_t>(torus.worker_columns.size());
  const auto rows = static_cast<std::int64_t>(torus.worker_rows.size());
  switch (*rc::gen::inRange(0, 3)) {
    case 0:
      return machine;
    case 1:
      return with_workers(machine, *rc::gen::inRange<std::int64_t>(1, columns * rows + 1));
    default:
      return with_worker_grid(machine, *rc::gen::inRange<std::int64_t>(1, columns + 1),
                              *rc::gen::inRange<std::int64_t>(1, rows + 1));
  }
}

NodeId any_node(const Torus& torus) { return *rc::gen::inRange<NodeId>(0, node_count(torus)); }

RC_GTEST_PROP(TorusCoordinates, OfANodeLeadBackToIt, ()) {
  const Machine machine = any_torus();
  const Torus& torus = torus_of(machine);
  std::set<Coordinates> all;
  for (NodeId node = 0; node < node_count(torus); ++node) {
    const Coordinates tile = coordinates_of(torus, node);
    RC_ASSERT(node_at(torus, tile) == node);
    RC_ASSERT(all.insert(tile).second);
  }
}

RC_GTEST_PROP(TorusCoordinates, OfRanksAreTheFirstWorkersRowByRow, ()) {
  const Machine machine = any_torus();
  const Torus& torus = torus_of(machine);
  const auto before = [](Coordinates a, Coordinates b) { return std::pair(a.y, a.x) < std::pair(b.y, b.x); };
  for (NodeId node = 0; node < node_count(torus); ++node) {
    const Coordinates tile = coordinates_of(torus, node);
    const bool is_first = node == 0 || node == rank_count(torus);
    if (!is_first) RC_ASSERT(before(coordinates_of(torus, node - 1), tile));
    if (node >= rank_count(torus)) continue;
    RC_ASSERT(kind_of(torus, tile) == TileKind::worker);
    const Coordinates logical = logical_of(torus, tile);
    RC_ASSERT(logical.y * used_columns(torus) + logical.x == node);
    RC_ASSERT(logical.y < used_rows(torus));
  }
}

RC_GTEST_PROP(TorusCoordinates, LogicalAndPhysicalOnesLeadBack, ()) {
  const Machine machine = any_torus();
  const Torus& torus = torus_of(machine);
  for (std::int32_t y = 0; y < torus.height; ++y) {
    for (std::int32_t x = 0; x < torus.width; ++x) {
      const Coordinates tile{.x = x, .y = y};
      if (kind_of(torus, tile) != TileKind::worker) continue;
      RC_ASSERT(physical_of(torus, logical_of(torus, tile)) == tile);
    }
  }
}

RC_GTEST_PROP(TorusRoute, OnEachNocIsAChainOfItsLinks, ()) {
  const Machine machine = any_torus();
  const Torus& torus = torus_of(machine);
  const NodeId from = any_node(torus);
  const NodeId to = any_node(torus);
  for (const int noc : {0, 1}) {
    const std::vector<NodeId> route = route_on(torus, noc, from, to);
    RC_ASSERT(route.front() == from);
    RC_ASSERT(route.back() == to);
    RC_ASSERT(hops_on(torus, noc, from, to) == static_cast<std::int64_t>(route.size()) - 1);
    for (std::size_t i = 1; i < route.size(); ++i) RC_ASSERT(hops_on(torus, noc, route[i - 1], route[i]) == 1);
  }
  RC_ASSERT(route_on(torus, 0, from, to) == default_route(torus, from, to));
}

RC_GTEST_PROP(TorusRoute, OfARoundTripGoesRoundEveryAxisThatItUses, ()) {
  const Machine machine = any_torus();
  const Torus& torus = torus_of(machine);
  const NodeId from = any_node(torus);
  const NodeId to = any_node(torus);
  const Coordinates a = coordinates_of(torus, from);
  const Coordinates b = coordinates_of(torus, to);
  const std::int64_t round = (a.x == b.x ? 0 : torus.width) + (a.y == b.y ? 0 : torus.height);
  for (const int noc : {0, 1}) RC_ASSERT(hops_on(torus, noc, from, to) + hops_on(torus, noc, to, from) == round);
  // NoC 1 takes the route of NoC 0 back.
  std::vector<NodeId> back = route_on(torus, 1, to, from);
  std::reverse(back.begin(), back.end());
  RC_ASSERT(back == route_on(torus, 0, from, to));
}

TEST(TorusRoute, OfNoc1GoesNorthAndThenWest) {
  const Machine machine = shipped("wormhole-n150");
  const Torus& torus = torus_of(machine);
  const auto at = [&](std::int32_t x, std::int32_t y) { return node_at(torus, {.x = x, .y = y}); };
  EXPECT_EQ(route_on(torus, 1, at(3, 2), at(1, 1)), (std::vector<NodeId>{at(3, 2), at(3, 1), at(2, 1), at(1, 1)}));
  EXPECT_EQ(route_on(torus, 1, at(0, 0), at(9, 11)), (std::vector<NodeId>{at(0, 0), at(0, 11), at(9, 11)}));
  EXPECT_EQ(hops_on(torus, 1, at(1, 1), at(2, 1)), 9);
}

TEST(TileKinds, AreThoseOfTheWormhole) {
  const Machine machine = shipped("wormhole-n150");
  const Torus& torus = torus_of(machine);
  std::map<TileKind, int> tiles;
  for (NodeId node = 0; node < node_count(torus); ++node) ++tiles[kind_of(torus, coordinates_of(torus, node))];
  EXPECT_EQ(tiles, (std::map<TileKind, int>{{TileKind::worker, 72},
                                            {TileKind::fused_off, 8},
                                            {TileKind::dram, 18},
                                            {TileKind::ethernet, 16},
                                            {TileKind::pcie, 1},
                                            {TileKind::arc, 1},
                                            {TileKind::router, 4}}));
  EXPECT_EQ(kind_of(torus, {.x = 3, .y = 11}), TileKind::fused_off);
  EXPECT_EQ(kind_of(torus, {.x = 0, .y = 9}), TileKind::router);
}

TEST(TileKinds, AreThoseOfTheBlackhole) {
  const Machine machine = shipped("blackhole");
  const Torus& torus = torus_of(machine);
  EXPECT_EQ(rank_count(torus), 140);
  EXPECT_EQ(torus.dram.banks.size(), 8U);
  EXPECT_EQ(kind_of(torus, {.x = 1, .y = 0}), TileKind::router);  // row 0 has other tiles, so it was none of workers
  EXPECT_EQ(kind_of(torus, {.x = 16, .y = 1}), TileKind::ethernet);
  EXPECT_EQ(kind_of(torus, {.x = 9, .y = 11}), TileKind::dram);
}

TEST(TorusFile, HasRatesPerCycleAndBanksInTheirOrder) {
  const Machine machine = shipped("wormhole-n150");
  const Torus& torus = torus_of(machine);
  EXPECT_DOUBLE_EQ(torus.interface.write_rate, 31.27);
  EXPECT_DOUBLE_EQ(torus.dram.rate, 22.2);  // 22.2 GB/s at 1 GHz
  EXPECT_EQ(torus.issue.stateful_read, Cycles(17));
  EXPECT_EQ(torus.channel_flits, 10);
  ASSERT_EQ(torus.dram.banks.size(), 12U);
  EXPECT_EQ(torus.dram.banks.front(), (Coordinates{.x = 0, .y = 11}));
  EXPECT_EQ(torus.dram.controllers.size(), 6U);
  const Machine slower = shipped("wormhole-n150", {{"clock", "500 MHz"}});
  EXPECT_DOUBLE_EQ(torus_of(slower).dram.rate, 44.4);
}

Machine shaped(const std::string& grid, const std::string& nodes) {
  FlagTexts flags;
  if (!grid.empty()) flags.add("--grid", grid);
  if (!nodes.empty()) flags.add("--nodes", nodes);
  const Machine machine = shipped("wormhole-n150");
  return machine.family().shaped(machine, flags);
}

TEST(TorusShape, IsThatOfTheFlags) {
  EXPECT_EQ(shape_text(shaped("", "")), "8x9");
  EXPECT_EQ(shape_text(shaped("8x8", "")), "8x8");
  EXPECT_EQ(shape_text(shaped("8x8", "64")), "8x8");
  EXPECT_EQ(shape_text(shaped("", "64")), "8x8");
  EXPECT_EQ(shape_text(shaped("", "13")), "13 tiles");
  EXPECT_EQ(shape_text(shaped("", "3")), "3x1");
  EXPECT_EQ(rank_count(shaped("4x2", "")), 8);
  EXPECT_EQ(node_count(shaped("4x2", "")), 120);
  const Machine machine = shaped("", "13");
  EXPECT_EQ(machine.family().shape(machine.network), std::vector<std::int64_t>{13});
  EXPECT_EQ(machine.family().rank_text(machine.network, 12), "(6,2)");
}

TEST(TorusShape, LeavesOtherTilesWhatTheyAre) {
  const Machine machine = shaped("2x2", "");
  const Torus& torus = torus_of(machine);
  EXPECT_EQ(kind_of(torus, {.x = 9, .y = 10}), TileKind::worker);
  EXPECT_GE(node_at(torus, {.x = 9, .y = 10}), rank_count(torus));
  EXPECT_FALSE(can_combine(machine, node_at(torus, {.x = 9, .y = 10})));
}

TEST(TorusShape, OfASweepIsAList) {
  FlagTexts flags;
  flags.add("--nodes", "4,16:64:x2");
  const Machine machine = shipped("wormhole-n150");
  std::vector<std::string> shapes;
  for (const Machine& shape : machine.family().shapes(machine, flags)) shapes.push_back(shape_text(shape));
  EXPECT_EQ(shapes, (std::vector<std::string>{"4x1", "8x2", "8x4", "8x8"}));
}

template <class Call>
std::string refusal(Call call) {
  try {
    (void)call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(TorusShape, IsRefusedWhereItDoesNotFit) {
  const auto refusal_of = [](const char* grid, const char* nodes) {
    return refusal([&] { return shaped(grid, nodes); });
  };
  EXPECT_EQ(refusal_of("9x8", ""), "grid: 9x8 does not fit wormhole-n150; use at most 8x9");
  EXPECT_EQ(refusal_of("", "73"), "nodes: 73 are too many for wormhole-n150; use at most 72");
  EXPECT_EQ(refusal_of("8x8", "63"), "--grid: 8x8 has 64 tiles, but --nodes says 63; give one of the two");
  EXPECT_EQ(refusal_of("", "0"), "--nodes: 0 is too small; use at least 1");
  EXPECT_EQ(refusal_of("0x8", ""), "--grid: 0 is too small; use at least 1");
  EXPECT_EQ(refusal([] { return with_workers(shipped("torus-8x8"), 0); }), "nodes: 0 is too small; use at least 1");
  EXPECT_EQ(refusal([] { return with_workers(shipped("piuma"), 4); }),
            "machine 'piuma' is a hyperx, which has no workers; that is for a torus such as wormhole-n150");
}

TEST(TorusRank, IsFoundByItsPhysicalCoordinates) {
  const Machine machine = shaped("8x8", "");
  const auto at = [&](const std::string& text) {
    return machine.family().rank_at(machine, text, {.flag = "--root", .least = 0, .most = INT32_MAX, .example = "1,1"});
  };
  EXPECT_EQ(at("1,1"), 0);
  EXPECT_EQ(at("6,7"), 5 * 8 + 4);
  EXPECT_EQ(refusal([&] { return at("10,1"); }),
            "--root: tile (10,1) is outside the 10x12 tiles of wormhole-n150; at most 9,11");
  EXPECT_EQ(refusal([&] { return at("3,11"); }),
            "--root: tile (3,11) is fused off; use a worker: columns 1, 2, 3, 4, 6, 7, 8, 9, rows 1, 2, 3, 4, 5, 7, 8, "
            "9, 10");
  EXPECT_EQ(refusal([&] { return at("0,5"); }),
            "--root: tile (0,5) is a DRAM tile; use a worker: columns 1, 2, 3, 4, 6, 7, 8, 9, rows 1, 2, 3, 4, 5, 7, "
            "8, 9, 10");
  EXPECT_EQ(refusal([&] { return at("9,10"); }),
            "--root: tile (9,10) is a worker, but not one of the 8x8 in use; the last is (9,9)");
}

TEST(TorusOptions, SayWhichNocCarriesWhat) {
  const Machine machine = shipped("wormhole-n150");
  const auto is_swapped = [&](const std::string& text) {
    FlagTexts flags;
    if (!text.empty()) flags.add("--noc-assignment", text);
    return machine.family().options(machine, flags).of<TorusOptions>().swapped;
  };
  EXPECT_FALSE(is_swapped(""));
  EXPECT_FALSE(is_swapped("direct"));
  EXPECT_TRUE(is_swapped("swapped"));
  EXPECT_EQ(refusal([&] { return is_swapped("swaped"); }),
            "--noc-assignment: unknown value 'swaped'; did you mean 'swapped'?");
}

}  // namespace
}  // namespace muster
