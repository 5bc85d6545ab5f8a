// Schedules of other shapes through lowering and simulation: reduce and flood in one, rows and columns, rings,
// exchanges between pairs, neighbours in turns. Each runs twice and is compared with the reference.
#include <gtest/gtest.h>

#include "backend/wafer/test_schedules.h"
#include "backend/wafer/wafer.h"
#include "schedule/interpret.h"

namespace muster::wafer {
namespace {

/// Colors in use, after two calls that were right; 0 if they were not.
std::size_t colors_of_right_run(const Schedule& schedule, const Machine& machine) {
  auto program = lower(schedule, machine, {});
  EXPECT_TRUE(program.ok()) << (program.ok() ? "" : program.reason());
  if (!program.ok()) return 0;
  const Result result = simulate(*program.value(), {.calls = 2, .seed = 3, .give_up = Cycles(1 << 20), .progress = {}});
  EXPECT_FALSE(result.fault) << result.fault->kind << ", cycle " << result.fault->cycle.value() << ":\n"
                             << result.fault->message;
  if (result.fault) return 0;
  for (std::uint64_t call = 0; call < 2; ++call) {
    const auto compared = compare_outputs(schedule, interpret(schedule, {}, 3 + call), result.outputs[call], {});
    EXPECT_GT(compared.compared, 0);
    EXPECT_FALSE(compared.difference) << "call " << call << ": " << *compared.difference;
  }
  return program.value()->colors.size();
}

/// A reduction along a tree on a row, then a flood of the sum from the root.
Schedule reduce_and_flood(const test::Tree& tree, std::int64_t count) {
  const auto nodes = static_cast<NodeId>(tree.size());
  ScheduleBuilder b({.nodes = nodes, .count = count});
  const SpanId all = b.span({0, count});
  const test::Side side{.tree = tree, .stride = 1};
  Buffer own = Buffer::input;
  test::TreeWriter(b, 0, side, all).write(own);
  std::vector<NodeId> sinks = test::all_ranks(nodes);
  sinks.erase(sinks.begin());
  const StreamId down = b.multicast(0, sinks, all);
  b.step(0, all).own(Buffer::output).push(down);
  for (const NodeId n : sinks) b.step(n, all).take(down).store(Buffer::output);
  b.contract({.collective = Collective::allreduce, .ranks = test::all_ranks(nodes), .count = count});
  return std::move(b).finish();
}

TEST(Patterns, ReduceAndFloodNeedOneColorMore) {
  for (const std::int32_t p : {4, 7, 16}) {
    EXPECT_EQ(colors_of_right_run(reduce_and_flood(test::star_tree(p), 9), test::wafer(p)), 2U) << p;
    EXPECT_EQ(colors_of_right_run(reduce_and_flood(test::chain_tree(p), 9), test::wafer(p)), 3U) << p;
    EXPECT_EQ(colors_of_right_run(reduce_and_flood(test::binary_tree(p), 9), test::wafer(p)), 3U) << p;
  }
}

/// Rows reduce towards column 0, which reduces towards its first node.
Schedule reduce_rows_then_column(NodeId width, NodeId height, std::int64_t count, test::Tree (*tree)(std::int32_t)) {
  ScheduleBuilder b({.nodes = width * height, .count = count});
  const SpanId all = b.span({0, count});
  const test::Side row{.tree = tree(width), .stride = 1};
  for (NodeId y = 0; y < height; ++y) {
    Buffer own = Buffer::input;
    test::TreeWriter(b, y * width, row, all).write(own);
  }
  Buffer own = Buffer::output;
  std::vector<StreamId> up(static_cast<std::size_t>(height));
  const test::Tree column = tree(height);
  for (NodeId y = 1; y < height; ++y) {
    up[static_cast<std::size_t>(y)] = b.stream(y * width, column[static_cast<std::size_t>(y)] * width, all);
  }
  for (NodeId y = height - 1; y >= 0; --y) {
    for (NodeId child = y + 1; child < height; ++child) {
      if (column[static_cast<std::size_t>(child)] != y) continue;
      b.step(y * width, all).own(own).take(up[static_cast<std::size_t>(child)]).store(Buffer::output);
    }
    if (y > 0) b.step(y * width, all).own(own).push(up[static_cast<std::size_t>(y)]);
  }
  b.contract({.collective = Collective::reduce, .ranks = test::all_ranks(width * height), .root = 0, .count = count});
  return std::move(b).finish();
}

TEST(Patterns, RowsThenAColumnStayWithinFourColors) {
  for (const auto& tree : {test::star_tree, test::chain_tree, test::binary_tree}) {
    const std::size_t colors = colors_of_right_run(reduce_rows_then_column(5, 6, 7, tree), test::wafer(5, 6));
    EXPECT_GE(colors, 1U);
    EXPECT_LE(colors, 4U);
  }
}

/// Reduce-scatter and allgather around a ring, in place, with exchange steps.
Schedule ring_allreduce(NodeId nodes, std::int64_t count) {
  ScheduleBuilder b({.nodes = nodes, .count = count});
  const auto span_of = [&](NodeId index) { return b.span(block(count, nodes, ((index % nodes) + nodes) % nodes)); };
  for (int half = 0; half < 2; ++half) {
    for (NodeId k = 0; k + 1 < nodes; ++k) {
      std::vector<StreamId> right;
      for (NodeId i = 0; i < nodes; ++i) right.push_back(b.stream(i, (i + 1) % nodes, span_of(i - k + half)));
      for (NodeId i = 0; i < nodes; ++i) {
        const StreamId in = right[static_cast<std::size_t>((i + nodes - 1) % nodes)];
        auto step = b.step(i, span_of(i - k - 1 + half));
        if (half == 0) step.own(Buffer::input);
        step.take(in).store(Buffer::input).send_old(Buffer::input, span_of(i - k + half));
        step.push(right[static_cast<std::size_t>(i)]);
      }
    }
  }
  b.contract({.collective = Collective::allreduce,
              .ranks = test::all_ranks(nodes),
              .count = count,
              .from = Buffer::input,
              .to = Buffer::input});
  return std::move(b).finish();
}

TEST(Patterns, RingsOfAnySizePassBlocksWithoutDeadlock) {
  for (const NodeId p : {2, 3, 4, 5, 8}) {
    for (const std::int64_t count : {1, 3, 20, 100}) {
      EXPECT_GE(colors_of_right_run(ring_allreduce(p, count), test::wafer(p)), 2U) << p << " " << count;
    }
  }
}

/// Recursive doubling: in round k, nodes whose numbers differ in bit k exchange all they have.
Schedule recursive_doubling(NodeId nodes, std::int64_t count) {
  ScheduleBuilder b({.nodes = nodes, .count = count});
  const SpanId all = b.span({0, count});
  for (NodeId distance = 1; distance < nodes; distance *= 2) {
    std::vector<StreamId> to_partner;
    for (NodeId i = 0; i < nodes; ++i) to_partner.push_back(b.stream(i, i ^ distance, all));
    for (NodeId i = 0; i < nodes; ++i) {
      auto step = b.step(i, all);
      step.own(Buffer::input).take(to_partner[static_cast<std::size_t>(i ^ distance)]).store(Buffer::input);
      step.send_old(Buffer::input, all).push(to_partner[static_cast<std::size_t>(i)]);
    }
  }
  b.contract({.collective = Collective::allreduce,
              .ranks = test::all_ranks(nodes),
              .count = count,
              .from = Buffer::input,
              .to = Buffer::input});
  return std::move(b).finish();
}

TEST(Patterns, RecursiveDoublingCrossesStreamsSafely) {
  EXPECT_GE(colors_of_right_run(recursive_doubling(2, 30), test::wafer(2)), 2U);
  EXPECT_GE(colors_of_right_run(recursive_doubling(4, 30), test::wafer(4)), 2U);
  EXPECT_GE(colors_of_right_run(recursive_doubling(8, 30), test::wafer(8)), 2U);
  EXPECT_GE(colors_of_right_run(recursive_doubling(16, 30), test::wafer(4, 4)), 2U);
}

/// Every node multicasts its vector to its four neighbours to the east, in five turns.
Schedule neighbours_to_the_east(NodeId nodes, std::int64_t count) {
  ScheduleBuilder b({.nodes = nodes, .count = count, .scratch = 0, .output = 4 * count});
  const SpanId all = b.span({0, count});
  for (NodeId turn = 0; turn < 5; ++turn) {
    for (NodeId source = turn; source < nodes; source += 5) {
      std::vector<NodeId> sinks;
      for (NodeId n = source + 1; n <= source + 4 && n < nodes; ++n) sinks.push_back(n);
      if (sinks.empty()) continue;
      const StreamId s = b.multicast(source, sinks, all);
      b.step(source, all).own(Buffer::input).push(s);
      for (const NodeId n : sinks) {
        b.step(n, all).take(s).store(Buffer::output, b.span({(n - source - 1) * count, count}));
      }
    }
  }
  b.contract({.collective = Collective::neighbours,
              .ranks = test::all_ranks(nodes),
              .count = count,
              .neighbours = {{-1, 0}, {-2, 0}, {-3, 0}, {-4, 0}},
              .columns = nodes});
  return std::move(b).finish();
}

TEST(Patterns, NeighboursInTurnsReceiveEachOthersVectors) {
  for (const NodeId p : {2, 5, 6, 13}) {
    EXPECT_GE(colors_of_right_run(neighbours_to_the_east(p, 8), test::wafer(p)), 1U) << p;
  }
}

TEST(Patterns, TooManyColorsAreRefusedWithTheBudget) {
  // All-to-all by single streams: more crossing streams than a row has colors for.
  constexpr NodeId kNodes = 40;
  ScheduleBuilder b({.nodes = kNodes, .count = kNodes});
  for (NodeId k = 1; k < kNodes; ++k) {
    std::vector<StreamId> streams;
    for (NodeId i = 0; i < kNodes; ++i) streams.push_back(b.stream(i, (i + k) % kNodes, b.span({(i + k) % kNodes, 1})));
    for (NodeId i = 0; i < kNodes; ++i) {
      const NodeId from = (i + kNodes - k) % kNodes;
      auto step = b.step(i, b.span({i, 1}));
      step.take(streams[static_cast<std::size_t>(from)]).store(Buffer::output, b.span({from, 1}));
      step.send_old(Buffer::input, b.span({(i + k) % kNodes, 1})).push(streams[static_cast<std::size_t>(i)]);
    }
  }
  const auto refused = lower(std::move(b).finish(), test::wafer(kNodes), {});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.reason().rfind("colors: ", 0), 0U) << refused.reason();
}

}  // namespace
}  // namespace muster::wafer
