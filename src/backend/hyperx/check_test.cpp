#include "backend/hyperx/check.h"

#include <gtest/gtest.h>

#include "backend/hyperx/test_trees.h"
#include "machine/hyperx.h"

namespace muster::hyperx {
namespace {

/// A row of three cores whose middle one is the root; what is wrong with it is changed in its rows.
class Check : public testing::Test {
 protected:
  Check() { add_tree({.root = 4, .parent = {{3, 4}, {5, 4}}, .gives = {3, 5}, .takes = {3, 5}}, ports_, rows_); }

  std::string found(std::vector<Segment> segments = {{.elements = {0, 2}}}) {
    return text(program_of(network_, registers_of(rows_, std::move(segments))));
  }
  static std::string text(const HyperXProgram& program) {
    const auto fault = check(program);
    if (!fault) return "";
    EXPECT_TRUE(fault->before_running);
    return fmt::format("{}: {}: {}", fault->kind, fault->location, fault->message);
  }
  TestRow& row(NodeId node, Channel channel) { return rows_[{node, 0, channel}]; }

  HyperX network_ = piuma({}, 1, 3, 1);
  Ports ports_{network_};
  Port west_ = ports_.mesh(Ports::Side::west);
  Port east_ = ports_.mesh(Ports::Side::east);
  TestRows rows_;
};

TEST_F(Check, FindsNothingInATree) { EXPECT_EQ(found(), ""); }

TEST_F(Check, FindsAnInputThatNobodyFeeds) {
  rows_.erase({5, 0, Channel::request});
  EXPECT_EQ(found(),
            "not fed: switch of core 1, id 0, request, port east: no row at the other end of this input sends to it");
}

TEST_F(Check, FindsAnOutputThatNobodyReads) {
  rows_.erase({3, 0, Channel::response});
  EXPECT_EQ(
      found(),
      "not read: switch of core 1, id 0, response, port west: no row at the other end of this output receives it");
}

TEST_F(Check, FindsACircle) {
  row(4, Channel::response).outputs.insert(ports_.loop());
  row(4, Channel::request).inputs.insert(ports_.loop());
  EXPECT_EQ(found(),
            "wait cycle: switch of core 0, id 0, response: rows form a cycle of waits: switch of core 1, id 0, "
            "response, which waits for switch of core 1, id 0, request");
}

TEST_F(Check, FindsALinkOfTwoRows) {
  row(3, Channel::response).outputs.insert(east_);
  EXPECT_EQ(found(),
            "shared link: switch of core 0, id 0, response, port east: both rows of this id use it as an output; "
            "assign it to one of them");
}

TEST_F(Check, FindsAMemoryThatTwoRowsRead) {
  row(3, Channel::response).inputs.insert(ports_.memory());
  EXPECT_NE(found().find("port memory: both rows of this id use it as an input"), std::string::npos) << found();
}

TEST_F(Check, FindsPortsThatLeadNowhere) {
  row(3, Channel::request).outputs.insert(west_);
  EXPECT_EQ(found(), "no link: switch of core 0, id 0, request: output port west is not connected at this switch");
}

TEST_F(Check, FindsRowsWithoutInputs) {
  row(3, Channel::request).inputs.clear();
  EXPECT_EQ(found(), "no input: switch of core 0, id 0, request: a row needs an input");
}

TEST_F(Check, FindsIdsWithoutASegment) {
  EXPECT_EQ(found({}), "no segment: switch of core 0, id 0, request: id 0 has no segment; there are 0");
}

TEST_F(Check, FindsRowsThatStandTwiceOrInNoOrder) {
  HyperXProgram program = program_of(network_, registers_of(rows_, {{.elements = {0, 2}}}));
  auto& rows = program.registers.rows;
  std::swap(rows[0], rows[1]);
  EXPECT_EQ(text(program),
            "order: switch of core 0, id 0, request: rows must be sorted by switch, then id, then channel");
  rows[0] = rows[1];
  EXPECT_EQ(text(program),
            "order: switch of core 0, id 0, request: two rows for one switch, id and channel; keep one of them");
}

TEST_F(Check, FindsWhatIsNoSwitch) {
  HyperXProgram program = program_of(network_, registers_of(rows_, {{.elements = {0, 2}}}));
  program.registers.rows[0].at = 2;
  EXPECT_EQ(text(program), "no switch: node 2: is not a switch; use 3 to 5");
}

}  // namespace
}  // namespace muster::hyperx
