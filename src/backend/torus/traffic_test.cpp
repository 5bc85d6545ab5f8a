#include "backend/torus/traffic.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "backend/torus/torus_test_support.h"

namespace muster::torus {
namespace {

Cycle cycles_of(const Torus& torus, const TrafficRow& row) {
  const TrafficRun run = run_traffic(torus, {row}, 1);
  return run.rows[0].end.value_or(-1) - run.rows[0].start;
}

TEST(Traffic, TheRoundTripOfAWriteDoesNotDependOnTheDistance) {
  const Torus torus = small_chip(10, 12);
  // Software, memory, five ways through an interface or to one, all hops of both rings, two more flits, acknowledgements.
  const Cycle expected = 20 + 14 + 4 * 5 + 22 * 9 + 2 + 2 * 12 + 16;
  for (const RouterId target : {11, 12, 35, 118}) {
    EXPECT_EQ(cycles_of(torus, {.id = "w", .destinations = {target}, .bytes = 64}), expected) << target;
  }
}

TEST(Traffic, PostedWritesEndWhenTheyHaveLeft) {
  const Torus torus = small_chip(10, 12);
  EXPECT_LT(cycles_of(torus, {.id = "w", .destinations = {50}, .bytes = 64, .is_posted = true}), 20 + 14 + 3 + 16 + 2);
}

TEST(Traffic, RowsWaitForOthersAndForTheirStart) {
  const Torus torus = small_chip(4, 4);
  const std::vector<TrafficRow> rows{{.id = "late", .destinations = {1}, .bytes = 32, .start = 1000},
                                     {.id = "next", .source = 5, .destinations = {1}, .bytes = 32, .after = {0}}};
  const TrafficRun run = run_traffic(torus, rows, 1);
  EXPECT_EQ(run.rows[0].start, 1000);
  EXPECT_EQ(run.rows[1].start, run.rows[0].end);
  EXPECT_EQ(run.end, run.rows[1].end);
}

TEST(Traffic, AProcessorIssuesWhatMayBeginFirst) {
  const Torus torus = small_chip(4, 4);
  // The first row of the processor waits for its second one.
  const std::vector<TrafficRow> rows{{.id = "a", .destinations = {1}, .bytes = 32, .after = {1}},
                                     {.id = "b", .destinations = {2}, .bytes = 32}};
  const TrafficRun run = run_traffic(torus, rows, 1);
  ASSERT_TRUE(run.rows[0].end);
  EXPECT_GE(run.rows[0].start, *run.rows[1].end);
}

TEST(Traffic, FlitHopsAreWhatLinksCarry) {
  const Torus torus = small_chip(10, 12);
  const auto carried = [&](const TrafficRow& row) {
    std::int64_t bytes = 0;
    for (const Resource& resource : run_traffic(torus, {row}, 1).resources) bytes += resource.bytes.value();
    return static_cast<double>(bytes) / static_cast<double>(torus.flit.value());
  };
  for (const int noc : {0, 1}) {
    TrafficRow row{.id = "r", .noc = noc, .source = 11, .destinations = {12, 35, 118}, .bytes = 20'000, .count = 3};
    EXPECT_EQ(static_cast<double>(flit_hops(torus, row)), carried(row));
    row.kind = TrafficKind::read;
    EXPECT_EQ(static_cast<double>(flit_hops(torus, row)), carried(row));
    TrafficRow multicast{
        .id = "m", .kind = TrafficKind::multicast, .noc = noc, .source = 11, .bytes = 2000, .count = 4};
    multicast.area = {.first = {.x = 2, .y = 2}, .last = {.x = 5, .y = 7}};
    if (noc == 1) std::swap(multicast.area.first, multicast.area.last);
    EXPECT_NEAR(static_cast<double>(flit_hops(torus, multicast)) / carried(multicast), 1.2, 0.2);
  }
}

TEST(Traffic, DramTakesLongStreamsAtItsOwnRate) {
  const Torus torus = chip_with_dram(4, 4);
  const TrafficRow row{.id = "w", .source = 5, .destinations = {0}, .banks = {0}, .bytes = 8192, .count = 64};
  const double rate = 64 * 8192.0 / static_cast<double>(cycles_of(torus, row));
  EXPECT_NEAR(rate, 22, 0.5);
  TrafficRow read = row;
  read.kind = TrafficKind::read;
  EXPECT_NEAR(64 * 8192.0 / static_cast<double>(cycles_of(torus, read)), 22, 0.5);
}

TEST(Traffic, ShortWritesOccupyADramBankLonger) {
  const Torus torus = chip_with_dram(4, 4);
  const Cycle shorter =
      cycles_of(torus, {.id = "w", .source = 5, .destinations = {0}, .banks = {0}, .bytes = 64, .count = 100});
  const Cycle whole =
      cycles_of(torus, {.id = "w", .source = 5, .destinations = {0}, .banks = {0}, .bytes = 128, .count = 100});
  EXPECT_NEAR(static_cast<double>(shorter), 6500, 300);
  EXPECT_LT(whole, 3000);
}

TEST(Traffic, AtomicsAtOneTileFollowEachOther) {
  const Torus torus = small_chip(8, 8);
  std::vector<TrafficRow> rows;
  for (RouterId tile = 1; tile < 64; ++tile)
    rows.push_back(
        {.id = std::to_string(tile), .kind = TrafficKind::atomic, .source = tile, .destinations = {0}, .bytes = 4});
  EXPECT_GE(run_traffic(torus, rows, 1).end, 63 * 5);
}

TEST(Traffic, AMulticastEndsThatLeavesOutTheLastTileOfALine) {
  const Torus torus = small_chip(8, 8);
  const Rectangle row{.first = {.x = 1, .y = 1}, .last = {.x = 4, .y = 1}};
  EXPECT_GT(cycles_of(torus, {.id = "m", .kind = TrafficKind::multicast, .source = 12, .area = row, .bytes = 8192}), 0);
}

TEST(Traffic, AMulticastAfterALongSilenceEnds) {
  const Torus torus = small_chip(8, 8);
  const Rectangle row{.first = {.x = 1, .y = 1}, .last = {.x = 4, .y = 1}};
  EXPECT_GT(cycles_of(torus, {.id = "m", .kind = TrafficKind::multicast, .area = row, .bytes = 64, .start = 100'000}),
            0);
}

RC_GTEST_PROP(Traffic, EveryRowEndsAndTheSameSeedGivesTheSameTimes, ()) {
  const Torus torus = chip_with_dram(*rc::gen::inRange(3, 7), *rc::gen::inRange(2, 6));
  const auto worker = [&] {
    return *rc::gen::elementOf(torus.worker_rows) * torus.width + *rc::gen::elementOf(torus.worker_columns);
  };
  std::vector<TrafficRow> rows;
  for (int i = 0; i < *rc::gen::inRange(1, 30); ++i) {
    TrafficRow row{.id = std::to_string(i),
                   .noc = *rc::gen::inRange(0, 2),
                   .source = worker(),
                   .bytes = *rc::gen::inRange(1, 20'000),
                   .count = *rc::gen::inRange(1, 5)};
    row.kind = static_cast<TrafficKind>(*rc::gen::inRange(0, 5));
    if (is_multicast(row.kind)) {
      const auto at = [&](RouterId tile) { return Coordinates{.x = tile % torus.width, .y = tile / torus.width}; };
      row.area = {.first = at(worker()), .last = at(worker())};
      row.is_loopback = *rc::gen::arbitrary<bool>() || row.area.first == row.area.last;
    } else if (row.kind != TrafficKind::atomic && *rc::gen::arbitrary<bool>()) {
      row.destinations = {0};
      row.banks = {0};
    } else {
      row.destinations = {worker(), worker()};
    }
    if (row.kind == TrafficKind::atomic) row.bytes = 4;
    if (i > 0 && *rc::gen::arbitrary<bool>()) row.after = {*rc::gen::inRange(0, i)};
    rows.push_back(row);
  }
  const TrafficRun run = run_traffic(torus, rows, 7);
  const TrafficRun again = run_traffic(torus, rows, 7);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    RC_ASSERT(run.rows[i].end.has_value());
    RC_ASSERT(run.rows[i].end == again.rows[i].end);
    for (const std::int32_t before : rows[i].after)
      RC_ASSERT(run.rows[i].start >= *run.rows[static_cast<std::size_t>(before)].end);
  }
}

}  // namespace
}  // namespace muster::torus
