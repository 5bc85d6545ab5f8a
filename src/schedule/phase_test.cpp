#include "schedule/phase.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <optional>

#include "schedule/builder.h"
#include "schedule/flat_counts.h"
#include "schedule/interpret.h"

namespace muster {
namespace {

constexpr Arithmetic kIntegers{ElementType::i32, Operator::sum};

std::vector<NodeId> every(NodeId first, NodeId stride, NodeId count) {
  std::vector<NodeId> nodes;
  for (NodeId i = 0; i < count; ++i) nodes.push_back(first + i * stride);
  return nodes;
}

/// A chain towards node 0 that keeps partial sums in scratch, to give it some.
Schedule chain(NodeId nodes, std::int64_t count) {
  ScheduleBuilder b({.nodes = nodes, .count = count, .scratch = count});
  const SpanId all = b.span({0, count});
  StreamId from = -1;
  for (NodeId n = nodes - 1; n >= 0; --n) {
    if (from < 0) {
      b.step(n, all).own(Buffer::input).store(Buffer::scratch);
    } else {
      b.step(n, all).own(Buffer::input).take(from).store(Buffer::scratch);
    }
    auto last = b.step(n, all).own(Buffer::scratch);
    if (n == 0) {
      last.store(Buffer::output);
    } else {
      last.push(from = b.stream(n, n - 1, all));
    }
  }
  b.contract({.collective = Collective::reduce, .ranks = every(0, 1, nodes), .root = 0, .count = count});
  return std::move(b).finish();
}

/// In-place ring: reduce-scatter in exchange steps, or allgather.
Schedule ring(NodeId nodes, std::int64_t count, Collective collective) {
  const bool reduces = collective == Collective::reduce_scatter;
  ScheduleBuilder b({.nodes = nodes, .count = count});
  const auto block_of = [&](NodeId i) { return b.span(block(count, nodes, ((i % nodes) + nodes) % nodes)); };
  // Turn t passes block n - 1 - t (reduce-scatter) or n - t (allgather) from n to n + 1.
  const auto sent = [&](NodeId n, NodeId t) { return block_of(reduces ? n - 1 - t : n - t); };
  const auto id = [&](NodeId n, NodeId t) { return ((n % nodes + nodes) % nodes) * (nodes - 1) + t; };
  for (NodeId n = 0; n < nodes; ++n) {
    for (NodeId t = 0; t + 1 < nodes; ++t) b.stream(n, (n + 1) % nodes, sent(n, t));
  }
  for (NodeId n = 0; n < nodes; ++n) {
    for (NodeId t = 0; t + 1 < nodes; ++t) {
      auto step = b.step(n, sent(n - 1, t));
      if (reduces) step.own(Buffer::input);
      step.take(id(n - 1, t)).store(Buffer::input).send_old(Buffer::input, sent(n, t)).push(id(n, t));
    }
  }
  b.contract({.collective = collective, .ranks = every(0, 1, nodes), .count = count, .to = Buffer::input});
  return std::move(b).finish();
}

/// All rows of a grid, or all columns.
std::vector<Group> rows(NodeId width, NodeId height, SpanId on) {
  std::vector<Group> groups;
  for (NodeId y = 0; y < height; ++y) groups.push_back({every(y * width, 1, width), on});
  return groups;
}
std::vector<Group> columns(NodeId width, NodeId height, SpanId on) {
  std::vector<Group> groups;
  for (NodeId x = 0; x < width; ++x) groups.push_back({every(x, width, height), on});
  return groups;
}

Schedule xy_reduce(NodeId width, NodeId height, std::int64_t count) {
  ScheduleBuilder b({.nodes = width * height, .count = count});
  const SpanId all = b.span({0, count});
  const auto row = b.part(chain(width, count));
  const auto column = b.part(chain(height, count));
  const auto first = b.phase({.part = row, .groups = b.groups(rows(width, height, all))});
  b.phase({.part = column,
           .groups = b.groups({{every(0, width, height), all}}),
           .input = Buffer::output,
           .after = {first}});
  b.contract({.collective = Collective::reduce, .ranks = every(0, 1, width * height), .count = count});
  return std::move(b).finish();
}

/// Each chunk is reduced and scattered along one dimension, then the other, and gathered back; every other chunk begins
/// with the second dimension.
Schedule chunked_allreduce(NodeId width, NodeId height, std::int64_t chunk, std::int32_t chunks) {
  ScheduleBuilder b({.nodes = width * height, .count = chunk * chunks});
  for (std::int32_t c = 0; c < chunks; ++c) {
    const std::int64_t first = c * chunk;
    const bool x_first = c % 2 == 0;
    const NodeId outer = x_first ? width : height;
    const NodeId inner = x_first ? height : width;
    const auto groups_of = [&](bool along_x, SpanId on) {
      return along_x ? rows(width, height, on) : columns(width, height, on);
    };
    // A row's member i keeps block i; its column then works on that block only.
    const auto inner_phase = [&](Collective collective, std::int32_t earlier) {
      std::int32_t last = earlier;
      for (NodeId i = 0; i < outer; ++i) {
        const Range mine = block(chunk, outer, i);
        const SpanId on = b.span({first + mine.first, mine.count});
        Group group = groups_of(!x_first, on)[static_cast<std::size_t>(i)];
        last = b.phase({.part = b.part(ring(inner, mine.count, collective)),
                        .groups = b.groups({std::move(group)}),
                        .output = Buffer::input,
                        .after = {earlier}});
      }
      return last;
    };
    const SpanId whole = b.span({first, chunk});
    const auto scatter = b.phase({.part = b.part(ring(outer, chunk, Collective::reduce_scatter)),
                                  .groups = b.groups(groups_of(x_first, whole)),
                                  .output = Buffer::input});
    const auto inner_scatter = inner_phase(Collective::reduce_scatter, scatter);
    std::vector<std::int32_t> before;
    for (auto p = scatter + 1; p <= inner_scatter; ++p) before.push_back(p);
    const auto join = b.phase({.part = b.part(ring(inner, 0, Collective::allgather)),
                               .groups = b.groups({}),
                               .output = Buffer::input,
                               .after = before});
    const auto inner_gather = inner_phase(Collective::allgather, join);
    std::vector<std::int32_t> gathered;
    for (auto p = join + 1; p <= inner_gather; ++p) gathered.push_back(p);
    b.phase({.part = b.part(ring(outer, chunk, Collective::allgather)),
             .groups = b.groups(groups_of(x_first, whole)),
             .output = Buffer::input,
             .after = gathered});
  }
  b.contract({.collective = Collective::allreduce,
              .ranks = every(0, 1, width * height),
              .count = chunk * chunks,
              .to = Buffer::input});
  return std::move(b).finish();
}

/// The sum over nodes [0, nodes) at an element.
Word sum_of(NodeId nodes, std::int64_t element, std::uint64_t seed) {
  Word sum = 0;
  for (NodeId n = 0; n < nodes; ++n) sum += kIntegers.input(n, element, seed);
  return sum;
}

std::string error_of(const Schedule& schedule) {
  try {
    (void)expand(schedule);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Expand, GivesAFlatScheduleBackAsItIs) {
  const Schedule flat = expand(chain(3, 2));
  EXPECT_TRUE(flat.is_flat());
  EXPECT_EQ(flat.steps.size(), 6U);
  EXPECT_EQ(flat.streams.size(), 2U);
}

TEST(Expand, ReducesRowsThenTheFirstColumn) {
  for (const auto& [width, height] : {std::pair{2, 2}, {3, 2}, {4, 5}, {5, 3}}) {
    const Schedule schedule = xy_reduce(width, height, 3);
    const Schedule flat = expand(schedule);
    EXPECT_TRUE(flat.is_flat());
    EXPECT_EQ(flat.contracts, schedule.contracts);
    EXPECT_EQ(flat.streams.size(), static_cast<std::size_t>(width * height - 1));
    EXPECT_EQ(flat.extent[2], 6) << "each phase has scratch of its own";
    const Outputs outputs = interpret(schedule, kIntegers, 1);
    for (std::int64_t e = 0; e < 3; ++e) {
      EXPECT_EQ(outputs[0][static_cast<std::size_t>(e)], sum_of(width * height, e, 1));
    }
  }
  EXPECT_EQ(order_of_additions(xy_reduce(2, 3, 1), 0, 0), "((x0 + x1) + ((x2 + x3) + (x4 + x5)))");
}

TEST(Expand, WaitsAtEachNodeForThePhasesBefore) {
  const Schedule flat = expand(xy_reduce(3, 2, 1));
  for (const NodeId node : {0, 3}) {
    const auto lanes = flat.lanes_of(node);
    ASSERT_EQ(lanes.size(), 2U);
    const StepId last_of_row = lanes[0].first + lanes[0].count - 1;
    const auto waits = flat.waits_of(flat.steps[static_cast<std::size_t>(lanes[1].first)]);
    EXPECT_EQ(std::vector<StepId>(waits.begin(), waits.end()), std::vector<StepId>{last_of_row});
  }
  EXPECT_EQ(flat.lanes_of(1).size(), 1U);
  EXPECT_EQ(flat.waits.size(), 2U);
}

TEST(Expand, LooksThroughPhasesWithoutStepsAtANode) {
  ScheduleBuilder b({.nodes = 3, .count = 1});
  const SpanId all = b.span({0, 1});
  const auto pair = b.part(chain(2, 1));
  const auto first = b.phase({.part = pair, .groups = b.groups({{{0, 1}, all}})});
  const auto elsewhere = b.phase({.part = pair, .groups = b.groups({{{1, 2}, all}}), .after = {first}});
  b.phase({.part = pair, .groups = b.groups({{{0, 2}, all}}), .input = Buffer::output, .after = {elsewhere}});
  b.contract({.collective = Collective::reduce, .ranks = {0, 1, 2}, .count = 1});
  const Schedule flat = expand(std::move(b).finish());
  const auto lanes = flat.lanes_of(0);
  ASSERT_EQ(lanes.size(), 2U);
  const auto waits = flat.waits_of(flat.steps[static_cast<std::size_t>(lanes[1].first)]);
  ASSERT_EQ(waits.size(), 1U);
  EXPECT_EQ(waits[0], lanes[0].first + lanes[0].count - 1);
}

TEST(Expand, ChunksVisitTwoDimensionsInTheirOwnOrder) {
  for (const auto& [width, height, chunk, chunks] :
       {std::tuple{2, 2, 4, 2}, {3, 2, 7, 3}, {2, 4, 5, 2}, {3, 3, 9, 1}}) {
    const Schedule schedule = chunked_allreduce(width, height, chunk, chunks);
    const Outputs outputs = interpret(schedule, kIntegers, 2);
    for (NodeId n = 0; n < width * height; ++n) {
      for (std::int64_t e = 0; e < chunk * chunks; ++e) {
        ASSERT_EQ(outputs[static_cast<std::size_t>(n)][static_cast<std::size_t>(e)], sum_of(width * height, e, 2))
            << width << "x" << height << " node " << n << " element " << e;
      }
    }
  }
}

TEST(Expand, PartsMayConsistOfPhases) {
  ScheduleBuilder b({.nodes = 12, .count = 6});
  const SpanId halves[] = {b.span({0, 3}), b.span({3, 3})};
  const auto plane = b.part(xy_reduce(3, 2, 3));
  const auto across = b.part(chain(2, 3));
  for (const SpanId half : halves) {
    const auto planes = b.phase({.part = plane, .groups = b.groups({{every(0, 1, 6), half}, {every(6, 1, 6), half}})});
    b.phase({.part = across, .groups = b.groups({{{0, 6}, half}}), .input = Buffer::output, .after = {planes}});
  }
  b.contract({.collective = Collective::reduce, .ranks = every(0, 1, 12), .count = 6});
  const Outputs outputs = interpret(std::move(b).finish(), kIntegers, 4);
  for (std::int64_t e = 0; e < 6; ++e) EXPECT_EQ(outputs[0][static_cast<std::size_t>(e)], sum_of(12, e, 4));
}

TEST(FlatCounts, AreThoseOfTheExpandedSchedule) {
  for (const Schedule& schedule : {chain(4, 3), xy_reduce(3, 2, 3), chunked_allreduce(3, 2, 7, 3)}) {
    const Schedule flat = expand(schedule);
    EXPECT_EQ(flat_counts(schedule).streams, static_cast<std::int64_t>(flat.streams.size()));
    EXPECT_EQ(flat_counts(schedule).steps, static_cast<std::int64_t>(flat.steps.size()));
  }
}

TEST(Expand, MapsScatteredElements) {
  ScheduleBuilder b({.nodes = 2, .count = 8});
  const Range scattered[] = {{6, 2}, {1, 1}, {3, 2}};
  b.phase({.part = b.part(chain(2, 5)), .groups = b.groups({{{1, 0}, b.span(scattered)}})});
  b.contract({.collective = Collective::reduce, .ranks = {0, 1}, .root = 1, .count = 8});
  const Schedule schedule = std::move(b).finish();
  const Schedule flat = expand(schedule);
  const auto ranges = flat.spans.ranges(flat.streams[0].elements);
  EXPECT_TRUE(std::equal(ranges.begin(), ranges.end(), std::begin(scattered), std::end(scattered)));
  EXPECT_EQ(flat.streams[0].source, 0);
  const Outputs outputs = interpret(schedule, kIntegers, 1);
  for (const std::size_t e : {1, 3, 4, 6, 7}) EXPECT_EQ(outputs[1][e], sum_of(2, static_cast<std::int64_t>(e), 1));
  for (const std::size_t e : {0, 2, 5}) EXPECT_EQ(outputs[1][e], 0U);
}

TEST(Expand, KeepsRoutes) {
  ScheduleBuilder part({.nodes = 3, .count = 1});
  const SpanId single = part.span({0, 1});
  const StreamId s = part.stream(0, 2, single);
  part.route(s, {{0, 1}, {1, 2}});
  part.step(0, single).own(Buffer::input).push(s);
  part.step(2, single).take(s).store(Buffer::output);
  part.contract({.collective = Collective::broadcast, .ranks = {0, 2}, .count = 1});
  ScheduleBuilder b({.nodes = 6, .count = 1});
  b.phase({.part = b.part(std::move(part).finish()), .groups = b.groups({{{5, 3, 1}, b.span({0, 1})}})});
  const Schedule flat = expand(std::move(b).finish());
  ASSERT_EQ(flat.routes.size(), 1U);
  EXPECT_EQ(flat.routes[0], (std::vector<Hop>{{5, 3}, {3, 1}}));
}

RC_GTEST_PROP(Expand, ReducesAnyGrid, ()) {
  const auto width = *rc::gen::inRange<NodeId>(1, 7);
  const auto height = *rc::gen::inRange<NodeId>(1, 7);
  const auto count = *rc::gen::inRange<std::int64_t>(1, 9);
  const Outputs outputs = interpret(xy_reduce(width, height, count), kIntegers, 9);
  for (std::int64_t e = 0; e < count; ++e) {
    RC_ASSERT(outputs[0][static_cast<std::size_t>(e)] == sum_of(width * height, e, 9));
  }
}

TEST(Expand, NamesThePhaseAndGroupThatIsWrong) {
  const auto with = [](Phase phase, std::vector<Group> groups = {}) {
    ScheduleBuilder b({.nodes = 4, .count = 4});
    b.span({0, 4});
    b.span({0, 3});
    b.part(chain(2, 4));
    b.phase({.part = 0, .groups = b.groups({{{0, 1}, 0}})});
    const std::int32_t set = b.groups(std::move(groups));
    if (phase.groups == 0) phase.groups = set;
    b.phase(phase);
    return error_of(std::move(b).finish());
  };
  EXPECT_EQ(with({.part = 1}), "phase 1: uses part 1 of 1");
  EXPECT_EQ(with({.part = 0, .groups = 2}), "phase 1: uses group set 2 of 2");
  EXPECT_EQ(with({.part = 0, .offset = -1}), "phase 1: has offset -1; use 0 to 2^62");
  EXPECT_EQ(with({.part = 0, .offset = kMostElements}, {{{0, 1}, 0}}),
            "phase 1, group 0: works on elements beyond 2^62");
  EXPECT_EQ(with({.part = 0, .after = {1}}), "phase 1: comes after phase 1, which is not an earlier phase");
  EXPECT_EQ(with({.part = 0, .input = Buffer::none}), "phase 1: has no buffer bound to its input or output");
  EXPECT_EQ(with({.part = 0}, {{{0, 1}, 0}, {{2}, 0}}), "phase 1, group 1: has 1 members, but part 0 has 2 nodes");
  EXPECT_EQ(with({.part = 0}, {{{0, 4}, 0}}), "phase 1, group 0: member 4 is not one of the 4 nodes");
  EXPECT_EQ(with({.part = 0}, {{{3, 3}, 0}}), "phase 1, group 0: node 3 is a member twice");
  EXPECT_EQ(with({.part = 0}, {{{0, 1}, 1}}), "phase 1, group 0: works on 3 elements, but part 0 on 4");
  EXPECT_EQ(with({.part = 0}, {{{0, 1}, 7}}), "phase 1, group 0: span 7 does not exist");
}

TEST(Expand, RefusesAnInPlacePartOnTwoBuffers) {
  ScheduleBuilder b({.nodes = 2, .count = 4});
  b.phase({.part = b.part(ring(2, 4, Collective::allgather)), .groups = b.groups({{{0, 1}, b.span({0, 4})}})});
  EXPECT_EQ(error_of(std::move(b).finish()), "phase 0: part 0 works in place, but is bound to input and output");
}

TEST(Expand, RefusesWhatWouldBeTooLargeBeforeWritingIt) {
  Schedule inner = chain(2, 1);
  for (int level = 0; level < 6; ++level) {
    ScheduleBuilder b({.nodes = 2, .count = 1});
    const auto part = b.part(std::move(inner));
    const SpanId all = b.span({0, 1});
    for (int i = 0; i < 40; ++i) b.phase({.part = part, .groups = b.groups({{{0, 1}, all}})});
    b.contract({.collective = Collective::reduce, .ranks = {0, 1}, .count = 1});
    inner = std::move(b).finish();
  }
  EXPECT_NE(error_of(inner).find("the flat schedule would have more than"), std::string::npos) << error_of(inner);
}

}  // namespace
}  // namespace muster
