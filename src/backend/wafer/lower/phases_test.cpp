// Schedules of phases: lowered part by part, or written out where that does not fit.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <ostream>
#include <set>

#include "backend/wafer/stream/trace.h"
#include "backend/wafer/test_problem.h"
#include "backend/wafer/test_schedules.h"
#include "base/index.h"
#include "schedule/builder.h"
#include "schedule/phase.h"

namespace muster::wafer {
namespace {

/// A chain towards node 0, from `from` to `output`.
Schedule chain_part(NodeId nodes, std::int64_t count, Buffer from) {
  ScheduleBuilder b({.nodes = nodes, .count = count});
  const SpanId all = b.span({0, count});
  StreamId incoming = -1;
  for (NodeId n = nodes - 1; n >= 0; --n) {
    auto step = b.step(n, all).own(from);
    if (incoming >= 0) step.take(incoming);
    if (n == 0) {
      step.store(Buffer::output);
    } else {
      step.push(incoming = b.stream(n, n - 1, all));
    }
  }
  Contract contract{.collective = Collective::reduce, .ranks = {}, .count = count, .from = from, .to = Buffer::output};
  for (NodeId n = 0; n < nodes; ++n) contract.ranks.push_back(n);
  b.contract(contract);
  return std::move(b).finish();
}

std::vector<NodeId> line(NodeId first, NodeId stride, NodeId count) {
  std::vector<NodeId> nodes;
  for (NodeId i = 0; i < count; ++i) nodes.push_back(first + i * stride);
  return nodes;
}

/// Rows, then the first column; `backwards`: rows are named from their end, so that they are no boxes.
Schedule rows_then_column(NodeId width, NodeId height, std::int64_t count, bool backwards = false) {
  ScheduleBuilder b({.nodes = width * height, .count = count});
  const SpanId all = b.span({0, count});
  std::vector<Group> rows;
  for (NodeId y = 0; y < height; ++y) {
    const NodeId last = y * width + width - 1;
    rows.push_back({.members = backwards ? line(last, -1, width) : line(y * width, 1, width), .on = all});
  }
  b.phase({.part = b.part(chain_part(width, count, Buffer::input)), .groups = b.groups(rows)});
  const NodeId column = backwards ? width - 1 : 0;
  b.phase({.part = b.part(chain_part(height, count, Buffer::output)),
           .groups = b.groups({{.members = line(column, width, height), .on = all}}),
           .input = Buffer::output,
           .after = {0}});
  b.contract({.collective = Collective::reduce, .ranks = line(0, 1, width * height), .root = column, .count = count});
  return std::move(b).finish();
}

TEST(LowerPhases, GivesEachPartColorsOfItsOwn) {
  const Machine machine = test::wafer(4, 3);
  const auto program = lower(rows_then_column(4, 3, 5), machine, {});
  ASSERT_TRUE(program.ok());
  const WaferProgram& whole = *program.value();
  ASSERT_EQ(whole.parts.size(), 2U);
  EXPECT_EQ(whole.colors.size(), whole.parts[0].colors.size() + whole.parts[1].colors.size());
  std::set<int> colors(whole.parts[0].colors.begin(), whole.parts[0].colors.end());
  colors.insert(whole.parts[1].colors.begin(), whole.parts[1].colors.end());
  EXPECT_EQ(colors.size(), whole.colors.size());
  EXPECT_EQ(whole.phases[0].corners, (std::vector<NodeId>{0, 4, 8}));
  EXPECT_EQ(whole.phases[1].corners, (std::vector<NodeId>{0}));
}

TEST(LowerPhases, WritesThemOutWhereGroupsAreNoBoxes) {
  const Machine machine = test::wafer(4, 3);
  const auto program = lower(rows_then_column(4, 3, 5, true), machine, {});
  ASSERT_TRUE(program.ok());
  EXPECT_TRUE(program.value()->parts.empty());
}

RC_GTEST_PROP(LowerPhases, MakesProgramsThatComputeTheResult, ()) {
  const NodeId width = *rc::gen::inRange(1, 7), height = *rc::gen::inRange(1, 7);
  const bool backwards = *rc::gen::arbitrary<bool>();
  const Schedule schedule = rows_then_column(width, height, *rc::gen::inRange(1, 20), backwards);
  RC_ASSERT(test::problem_of(schedule, test::wafer(width, height)) == "");
}

/// Its last PE sends a vector to the first one, over the routers between.
Schedule message_part(NodeId nodes, std::int64_t count) {
  ScheduleBuilder b({.nodes = nodes, .count = count});
  const SpanId all = b.span({0, count});
  const StreamId stream = b.stream(nodes - 1, 0, all);
  b.step(nodes - 1, all).own(Buffer::input).push(stream);
  b.step(0, all).take(stream).store(Buffer::output);
  b.contract(
      {.collective = Collective::gather, .ranks = {0, nodes - 1}, .count = count, .blocks = {{0, 0}, {0, count}}});
  return std::move(b).finish();
}

/// A gather to the first PE of a row, which copies its own block at the beginning.
Schedule messages_to_the_first(const std::vector<NodeId>& order) {
  constexpr std::int64_t kBlock = 3;
  const auto nodes = static_cast<NodeId>(order.size()) + 1;
  ScheduleBuilder b({.nodes = nodes, .count = nodes * kBlock});
  const SpanId block = b.span({0, kBlock});
  ScheduleBuilder copy({.nodes = 1, .count = kBlock});
  copy.step(0, copy.span({0, kBlock})).own(Buffer::input).store(Buffer::output);
  copy.contract({.collective = Collective::reduce, .ranks = {0}, .count = kBlock});
  b.phase({.part = b.part(std::move(copy).finish()), .groups = b.groups({{.members = {0}, .on = block}})});
  std::int32_t last = 0;
  for (const NodeId sender : order) {
    last = b.phase({.part = b.part(message_part(sender + 1, kBlock)),
                    .groups = b.groups({{.members = line(0, 1, sender + 1), .on = block}}),
                    .offset = sender * kBlock,
                    .after = {last}});
  }
  b.contract({.collective = Collective::gather, .ranks = line(0, 1, nodes), .count = nodes * kBlock});
  return std::move(b).finish();
}

/// A message between two processors of a box, row by row.
Schedule message_between(NodeId nodes, NodeId from, NodeId to, std::int64_t count) {
  ScheduleBuilder b({.nodes = nodes, .count = count});
  const SpanId all = b.span({0, count});
  const StreamId stream = b.stream(from, to, all);
  b.step(from, all).own(Buffer::input).push(stream);
  b.step(to, all).take(stream).store(Buffer::output);
  b.contract({.collective = Collective::gather, .ranks = {to, from}, .count = count, .blocks = {{0, 0}, {0, count}}});
  return std::move(b).finish();
}

struct AnyPart {
  NodeId width = 0;
  NodeId height = 0;
  std::int32_t number = 0;
  bool operator==(const AnyPart&) const = default;
};

std::ostream& operator<<(std::ostream& out, const AnyPart& part) {
  return out << part.width << "x" << part.height << " number " << part.number;
}

/// Messages in boxes of a grid, one after another: parts run once or several times, in some boxes or others.
Schedule any_messages(NodeId width, NodeId height) {
  constexpr std::int64_t kCount = 4;
  ScheduleBuilder b({.nodes = width * height, .count = kCount});
  const SpanId all = b.span({0, kCount});
  std::vector<AnyPart> parts(at(*rc::gen::inRange(1, 4)));
  for (AnyPart& part : parts) {
    part.width = *rc::gen::inRange(2, width + 1);
    const bool to_the_first = *rc::gen::inRange(0, 4) > 0;  // what shares colors most often
    part.height = to_the_first ? 1 : *rc::gen::inRange(1, height + 1);
    const NodeId nodes = part.width * part.height;
    const NodeId to = to_the_first ? 0 : *rc::gen::inRange(0, nodes);
    const NodeId from = to_the_first ? nodes - 1 : (to + *rc::gen::inRange(1, nodes)) % nodes;
    part.number = b.part(message_between(nodes, from, to, kCount));
  }
  std::vector<AnyPart> runs;
  for (std::int32_t left = *rc::gen::inRange(1, 6); left > 0; --left) runs.push_back(*rc::gen::elementOf(parts));
  const bool nearest_first = *rc::gen::inRange(0, 4) > 0;
  if (nearest_first) std::ranges::stable_sort(runs, {}, &AnyPart::width);
  for (std::int32_t p = 0; p < static_cast<std::int32_t>(runs.size()); ++p) {
    const AnyPart& part = runs[at(p)];
    std::vector<Group> groups;
    const NodeId x = *rc::gen::inRange(0, 4) > 0 ? 0 : *rc::gen::inRange(0, width - part.width + 1);
    const bool in_all_rows = *rc::gen::arbitrary<bool>();
    const NodeId first = *rc::gen::inRange(0, height - part.height + 1);
    for (NodeId y = in_all_rows ? first % part.height : first; y + part.height <= height; y += part.height) {
      Group group{.members = {}, .on = all};
      for (NodeId row = y; row < y + part.height; ++row) {
        for (NodeId i = 0; i < part.width; ++i) group.members.push_back(row * width + x + i);
      }
      groups.push_back(std::move(group));
      if (!in_all_rows) break;
    }
    std::vector<std::int32_t> after;
    if (p > 0) after.push_back(p - 1);
    b.phase({.part = part.number, .groups = b.groups(std::move(groups)), .after = after});
  }
  b.contract({.collective = Collective::reduce, .ranks = {0}, .count = kCount, .to = Buffer::input});
  return std::move(b).finish();
}

RC_GTEST_PROP(PhaseColors, LeaveNoMessageBehind, ()) {
  const NodeId width = *rc::gen::inRange(2, 8), height = *rc::gen::inRange(1, 5);
  const auto program = lower_phases(any_messages(width, height), test::wafer(width, height), {});
  RC_PRE(program.ok());
  const bool switches = std::ranges::any_of(program.value()->classes, [](const ProcessorClass& c) {
    return std::ranges::any_of(c.routes, [](const ColorRoute& route) { return route.count > 1; });
  });
  RC_CLASSIFY(switches);
  const Result result = simulate(*program.value(), {.calls = 2, .give_up = Cycles(1 << 16), .progress = {}});
  RC_ASSERT(test::fault_text(result) == "");
  const ProgramCheck check = check_messages(*program.value());
  RC_ASSERT(!check.fault && !check.finding);
}

std::size_t colors_of(const Schedule& schedule, NodeId width) {
  const auto program = lower_phases(schedule, test::wafer(width, 1), {});
  return program ? program.value()->colors.size() : 0;
}

TEST(PhaseColors, AreSharedWhereAPartsRoutesAreThoseOfAnother) {
  constexpr NodeId kNodes = 6;
  ScheduleBuilder b({.nodes = kNodes, .count = 8});
  const std::int32_t part = b.part(chain_part(kNodes, 4, Buffer::input)),
                     again = b.part(chain_part(kNodes, 4, Buffer::input));
  const std::int32_t groups = b.groups({{.members = line(0, 1, kNodes), .on = b.span({0, 4})}});
  b.phase({.part = part, .groups = groups});
  b.phase({.part = again, .groups = groups, .offset = 4, .after = {0}});
  b.contract({.collective = Collective::reduce, .ranks = line(0, 1, kNodes), .count = 8});
  EXPECT_EQ(colors_of(std::move(b).finish(), kNodes), 2U);
}

TEST(PhaseColors, AreSharedBySendersOfWhichTheNearestComesFirst) {
  EXPECT_EQ(colors_of(messages_to_the_first({1, 2, 3, 4}), 5), 1U);
  EXPECT_EQ(colors_of(messages_to_the_first({4, 3, 2, 1}), 5), 4U);
  EXPECT_EQ(colors_of(messages_to_the_first({3, 1, 4, 2}), 5), 2U);
}

TEST(PhaseColors, OfSendersInAnyOrderMakeProgramsThatComputeTheResult) {
  std::vector<NodeId> order{1, 2, 3, 4};
  do {
    EXPECT_EQ(test::problem_of(messages_to_the_first(order), test::wafer(5, 1)), "");
  } while (std::next_permutation(order.begin(), order.end()));
}

}  // namespace
}  // namespace muster::wafer
