#include "backend/torus/metalium/npe_workload.h"

#include <gtest/gtest.h>

#include "backend/torus/metalium/test_programs.h"

namespace muster::torus {
namespace {

std::string workload_of(const std::string& transfer) {
  return R"({"golden_result": {"cycles": 450}, "phases": [{"transfers": [)" + transfer + "]}]}";
}
std::vector<TrafficRow> rows_of(const std::string& transfer) {
  const Machine machine = two_workers();
  return read_npe_workload(*as<Torus>(machine), "w.json", workload_of(transfer));
}

TEST(NpeWorkload, TransfersBecomeRows) {
  const auto rows = rows_of(
      R"({"packet_size": 256, "num_packets": 3, "src_x": 1, "src_y": 1, "injection_rate": 23.1, "phase_cycle_offset": 112,
          "noc_type": "NOC_1", "dst_x": 3, "dst_y": 4},
         {"packet_size": 8192, "num_packets": 1, "src_x": 2, "src_y": 2, "noc_type": "NOC_1", "mcast_start_x": 3,
          "mcast_start_y": 3, "mcast_end_x": 6, "mcast_end_y": 5},
         {"packet_size": 64, "num_packets": 1, "src_x": 0, "src_y": 11, "noc_type": "NOC_0", "dst_x": 1, "dst_y": 1},
         {"packet_size": 64, "num_packets": 2, "src_x": 2, "src_y": 1, "noc_type": "NOC_0", "dst_x": 1, "dst_y": 1,
          "noc_event_type": "READ"})");
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0].kind, TrafficKind::write);
  EXPECT_EQ(rows[0].noc, 1);
  EXPECT_EQ(rows[0].source, 11);
  EXPECT_EQ(rows[0].destinations, std::vector<RouterId>{43});
  EXPECT_EQ(rows[0].start, 112);
  EXPECT_EQ(rows[0].count, 3);
  EXPECT_EQ(rows[1].kind, TrafficKind::multicast);
  EXPECT_EQ(rows[1].area.first, (Coordinates{.x = 6, .y = 5}));
  EXPECT_EQ(rows[2].kind, TrafficKind::read);
  EXPECT_EQ(rows[2].source, 11);
  EXPECT_EQ(rows[2].banks, std::vector<std::int32_t>{0});
  EXPECT_EQ(rows[3].kind, TrafficKind::read);
  EXPECT_EQ(rows[3].source, 11);
  EXPECT_EQ(rows[3].destinations, std::vector<RouterId>{12});
}

TEST(NpeWorkload, WhatAProgramSendsCanBeReadBack) {
  const TorusProgram program = exchange_of_two(sum_of("f32"), 5000);
  const auto text = npe_workload(program);
  ASSERT_TRUE(text);
  const auto rows = read_npe_workload(program.torus(), "w.json", text.value());
  ASSERT_EQ(rows.size(), 6U);  // two whole packets, what is left, and the increment, of each core
  EXPECT_EQ(rows[0].bytes, 8192);
  EXPECT_EQ(rows[0].count, 2);
  EXPECT_EQ(rows[1].bytes, 20'000 - 2 * 8192);
  EXPECT_EQ(rows[2].kind, TrafficKind::atomic);
  EXPECT_EQ(rows[0].start, program.torus().issue.write.value());
  EXPECT_TRUE(is_npe_workload(text.value()));
  EXPECT_FALSE(is_npe_workload("id,kind\n"));
}

std::string rejection(const std::string& transfer) {
  try {
    (void)rows_of(transfer);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(NpeWorkload, WhatDoesNotFitIsRefusedWithItsPlace) {
  EXPECT_EQ(
      rejection(
          R"({"packet_size": 64, "num_packets": 1, "src_x": 1, "src_y": 1, "noc_type": "NOC_2", "dst_x": 2, "dst_y": 2})"),
      "w.json: phases[0].transfers[0].noc_type: unknown NoC 'NOC_2'; use NOC_0 or NOC_1");
  EXPECT_EQ(
      rejection(
          R"({"packet_size": 64, "num_packets": 1, "src_x": 1, "src_y": 1, "noc_type": "NOC_0", "dst_x": 0, "dst_y": 3})"),
      "w.json: phases[0].transfers[0]: tile 0-3 is neither a worker nor a bank of DRAM");
  EXPECT_EQ(
      rejection(
          R"({"packet_size": 64, "num_packets": 1, "src_x": 1, "src_y": 1, "noc_type": "NOC_0", "dst_x": 12, "dst_y": 3})"),
      "w.json: phases[0].transfers[0].dst_x: 12 is not a column of tiles; use 0 to 9");
  EXPECT_EQ(rejection(""), "w.json: phases[0].transfers: there are no transfers; write at least one");
}

TEST(NpeWorkload, EventsThatMoveNoDataOrDoNotFitAreRefused) {
  const auto refusal = [](const std::string& event, const std::string& to) {
    return rejection(R"({"packet_size": 4, "num_packets": 1, "src_x": 1, "src_y": 1, "noc_type": "NOC_0", )" + to +
                     R"(, "noc_event_type": ")" + event + "\"}");
  };
  const std::string tile = R"("dst_x": 2, "dst_y": 2)";
  const std::string area = R"("mcast_start_x": 1, "mcast_start_y": 1, "mcast_end_x": 2, "mcast_end_y": 2)";
  const std::string where = "w.json: phases[0].transfers[0]";
  EXPECT_EQ(refusal("WRITE_WITH_TRID", tile), "");
  EXPECT_EQ(refusal("WRITE_MULTICAST", area), "");
  const std::string known =
      "READ, READ_WITH_STATE, READ_WITH_STATE_AND_TRID, READ_DRAM_SHARDED_WITH_STATE, WRITE_, WRITE_INLINE, "
      "WRITE_WITH_TRID, WRITE_WITH_STATE, WRITE_WITH_TRID_WITH_STATE, WRITE_MULTICAST, SEMAPHORE_INC";
  EXPECT_EQ(refusal("FABRIC", tile), where + ".noc_event_type: 'FABRIC' is no event that moves data; use " + known);
  EXPECT_EQ(refusal("SEMAPHORE_IN", tile),
            where + ".noc_event_type: 'SEMAPHORE_IN' is no event that moves data; did you mean 'SEMAPHORE_INC'? use " +
                known);
  EXPECT_EQ(refusal("WRITE_MULTICAST", tile),
            where +
                ".noc_event_type: WRITE_MULTICAST needs mcast_start_x, mcast_start_y, mcast_end_x and "
                "mcast_end_y; add them");
  EXPECT_EQ(
      refusal("READ", area),
      where + ".noc_event_type: READ has one destination, and the transfer has mcast_start_x; use WRITE_MULTICAST");
  EXPECT_EQ(refusal("SEMAPHORE_INC", R"("dst_x": 0, "dst_y": 11)"),
            where + ": atomics act on the memories of tiles, not on DRAM");
  EXPECT_EQ(refusal("WRITE_MULTICAST", R"("mcast_start_x": 1, "mcast_start_y": 1, "mcast_end_x": 1, "mcast_end_y": 1)"),
            where + ": the multicast reaches nobody but its source; name another rectangle");
}

}  // namespace
}  // namespace muster::torus
