#include "schedule/interpret.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "schedule/builder.h"

namespace muster {
namespace {

constexpr Arithmetic kSum{ElementType::f32, Operator::sum};

std::vector<NodeId> first_nodes(NodeId count) {
  std::vector<NodeId> nodes;
  for (NodeId n = 0; n < count; ++n) nodes.push_back(n);
  return nodes;
}

/// A chain along a row towards node 0; every node adds its own first.
Schedule chain(NodeId nodes, std::int64_t count) {
  ScheduleBuilder b({.nodes = nodes, .count = count});
  const SpanId all = b.span({0, count});
  StreamId from = b.stream(nodes - 1, nodes - 2, all);
  b.step(nodes - 1, all).own(Buffer::input).push(from);
  for (NodeId n = nodes - 2; n > 0; --n) {
    const StreamId to = b.stream(n, n - 1, all);
    b.step(n, all).own(Buffer::input).take(from).push(to);
    from = to;
  }
  b.step(0, all).own(Buffer::input).take(from).store(Buffer::output);
  b.contract({.collective = Collective::reduce, .ranks = first_nodes(nodes), .root = 0, .count = count});
  return std::move(b).finish();
}

/// A reduction by any tree in which children have higher numbers; a node adds its children one after another.
Schedule tree(const std::vector<NodeId>& parent, std::int64_t count) {
  const auto nodes = static_cast<NodeId>(parent.size());
  ScheduleBuilder b({.nodes = nodes, .count = count});
  const SpanId all = b.span({0, count});
  std::vector<std::vector<StreamId>> taken(parent.size());
  for (NodeId n = nodes - 1; n >= 0; --n) {
    const auto i = static_cast<std::size_t>(n);
    bool first = true;
    for (const StreamId s : taken[i]) {
      b.step(n, all).own(first ? Buffer::input : Buffer::output).take(s).store(Buffer::output);
      first = false;
    }
    if (n == 0) break;
    const StreamId up = b.stream(n, parent[i], all);
    b.step(n, all).own(first ? Buffer::input : Buffer::output).push(up);
    taken[static_cast<std::size_t>(parent[i])].push_back(up);
  }
  b.contract({.collective = Collective::reduce, .ranks = first_nodes(nodes), .root = 0, .count = count});
  return std::move(b).finish();
}

/// Ring reduce-scatter in exchange steps: block i ends at rank i.
Schedule ring_reduce_scatter(NodeId nodes, std::int64_t count) {
  ScheduleBuilder b({.nodes = nodes, .count = count});
  const auto block_of = [&](NodeId i) { return b.span(block(count, nodes, ((i % nodes) + nodes) % nodes)); };
  std::vector<std::vector<StreamId>> streams(static_cast<std::size_t>(nodes));
  for (NodeId n = 0; n < nodes; ++n) {
    for (NodeId t = 0; t + 1 < nodes; ++t) {
      streams[static_cast<std::size_t>(n)].push_back(b.stream(n, (n + 1) % nodes, block_of(n - 1 - t)));
    }
  }
  for (NodeId n = 0; n < nodes; ++n) {
    for (std::size_t t = 0; t + 1 < static_cast<std::size_t>(nodes); ++t) {
      const auto turn = static_cast<NodeId>(t);
      const SpanId sent = block_of(n - 1 - turn);
      const SpanId taken = block_of(n - 2 - turn);
      b.step(n, taken)
          .own(Buffer::input)
          .take(streams[static_cast<std::size_t>((n + nodes - 1) % nodes)][t])
          .store(Buffer::input)
          .send_old(Buffer::input, sent)
          .push(streams[static_cast<std::size_t>(n)][t]);
    }
  }
  b.contract({.collective = Collective::reduce_scatter,
              .ranks = first_nodes(nodes),
              .count = count,
              .from = Buffer::input,
              .to = Buffer::input});
  return std::move(b).finish();
}

/// The message of the InputError that `run` throws.
template <class Run>
std::string error_of(const Run& run) {
  try {
    run();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}
std::string error_of(const Schedule& schedule) {
  return error_of([&] { interpret(schedule, kSum, 1); });
}

TEST(Interpret, AddsAChainFromTheFarEnd) {
  const Outputs outputs = interpret(chain(3, 8), kSum, 7);
  ASSERT_EQ(outputs.size(), 3U);
  ASSERT_EQ(outputs[0].size(), 8U);
  EXPECT_TRUE(outputs[1].empty());
  for (std::int64_t e = 0; e < 8; ++e) {
    const Word far = kSum.combine(kSum.input(1, e, 7), kSum.input(2, e, 7));
    EXPECT_EQ(outputs[0][static_cast<std::size_t>(e)], kSum.combine(kSum.input(0, e, 7), far));
  }
}

TEST(Interpret, MulticastsToSeveralSinksAtOtherOffsets) {
  ScheduleBuilder b({.nodes = 3, .count = 4, .output = 6});
  const SpanId all = b.span({0, 4});
  const NodeId sinks[] = {1, 2};
  const StreamId s = b.multicast(0, sinks, all);
  b.step(0, all).own(Buffer::input).push(s).store(Buffer::output);
  const Range shifted[] = {{4, 2}, {0, 2}};
  b.step(1, all).take(s).store(Buffer::output, b.span(shifted));
  b.step(2, all).take(s).store(Buffer::output);
  b.contract({.collective = Collective::broadcast, .ranks = {0, 1, 2}, .root = 0, .count = 4});
  const Outputs outputs = interpret(std::move(b).finish(), kSum, 1);
  const Word x[] = {kSum.input(0, 0, 1), kSum.input(0, 1, 1), kSum.input(0, 2, 1), kSum.input(0, 3, 1)};
  EXPECT_EQ(outputs[1], (std::vector<Word>{x[2], x[3], 0, 0, x[0], x[1]}));
  EXPECT_EQ(outputs[2], (std::vector<Word>{x[0], x[1], x[2], x[3], 0, 0}));
}

TEST(Interpret, ExchangesSendOldElements) {
  ScheduleBuilder b({.nodes = 2, .count = 2});
  const SpanId all = b.span({0, 2});
  const StreamId right = b.stream(0, 1, all), left = b.stream(1, 0, all);
  b.step(0, all).own(Buffer::input).take(left).store(Buffer::input).send_old(Buffer::input, all).push(right);
  b.step(1, all).take(right).own(Buffer::input).store(Buffer::input).send_old(Buffer::input, all).push(left);
  b.contract({.collective = Collective::allreduce, .ranks = {0, 1}, .count = 2, .to = Buffer::input});
  const Outputs outputs = interpret(std::move(b).finish(), kSum, 1);
  for (std::int64_t e = 0; e < 2; ++e) {
    const Word sum = kSum.combine(kSum.input(0, e, 1), kSum.input(1, e, 1));
    EXPECT_EQ(outputs[0][static_cast<std::size_t>(e)], sum);
    EXPECT_EQ(outputs[1][static_cast<std::size_t>(e)], sum);
  }
}

TEST(Interpret, ReducesAndScattersOnARingOfAnySize) {
  const Arithmetic integers{ElementType::i32, Operator::sum};
  for (const NodeId nodes : {2, 3, 5, 8}) {
    for (const std::int64_t count : {1, 7, 16}) {
      const Schedule schedule = ring_reduce_scatter(nodes, count);
      const Outputs outputs = interpret(schedule, integers, 3);
      for (NodeId n = 0; n < nodes; ++n) {
        const Range mine = block(count, nodes, n);
        for (std::int64_t e = mine.first; e < mine.end(); ++e) {
          Word sum = 0;
          for (NodeId m = 0; m < nodes; ++m) sum += integers.input(m, e, 3);
          EXPECT_EQ(outputs[static_cast<std::size_t>(n)][static_cast<std::size_t>(e)], sum) << nodes << " " << count;
        }
      }
    }
  }
}

RC_GTEST_PROP(Interpret, EveryTreeAddsEveryInputOnce, ()) {
  std::vector<NodeId> parent{0};
  const auto nodes = *rc::gen::inRange<NodeId>(2, 40);
  for (NodeId n = 1; n < nodes; ++n) parent.push_back(*rc::gen::inRange<NodeId>(0, n));
  const Arithmetic integers{ElementType::i32, Operator::sum};
  const Outputs outputs = interpret(tree(parent, 3), integers, 5);
  for (std::int64_t e = 0; e < 3; ++e) {
    Word sum = 0;
    for (NodeId n = 0; n < nodes; ++n) sum += integers.input(n, e, 5);
    RC_ASSERT(outputs[0][static_cast<std::size_t>(e)] == sum);
  }
}

TEST(Interpret, RunsLongChainsWithoutRecursion) {
  const Schedule schedule = chain(200'000, 1);
  EXPECT_EQ(interpret(schedule, kSum, 1)[0].size(), 1U);
  const std::string formula = order_of_additions(schedule, 0, 0);
  EXPECT_LT(formula.size(), 1000U);
}

TEST(Interpret, NamesTheStepsThatWaitForEachOther) {
  ScheduleBuilder b({.nodes = 2, .count = 2});
  const SpanId all = b.span({0, 2});
  const StreamId right = b.stream(0, 1, all), left = b.stream(1, 0, all);
  b.step(0, all).take(left).own(Buffer::input).push(right);
  b.step(1, all).take(right).own(Buffer::input).push(left);
  b.contract({.collective = Collective::allreduce, .ranks = {0, 1}, .count = 2});
  EXPECT_EQ(error_of(std::move(b).finish()),
            "node 0, step 0: cannot run: stream 1 is never pushed: step 1 of node 1 cannot run either");
}

TEST(Interpret, NamesAStreamThatNobodyPushes) {
  ScheduleBuilder b({.nodes = 2, .count = 2});
  const SpanId all = b.span({0, 2});
  const StreamId s = b.stream(1, 0, all);
  b.step(0, all).take(s).own(Buffer::input).store(Buffer::output);
  b.contract({.collective = Collective::reduce, .ranks = {0, 1}, .root = 0, .count = 2});
  EXPECT_EQ(error_of(std::move(b).finish()), "stream 0: no step of its source, node 1, pushes it");
}

TEST(Interpret, NobodyWaitsForAStreamWithoutElements) {
  // Each node takes an empty stream before it pushes the one that the other node takes.
  ScheduleBuilder b({.nodes = 2, .count = 4});
  const SpanId all = b.span({0, 4}), none = b.span({0, 0});
  const StreamId data = b.stream(1, 0, all), there = b.stream(0, 1, none), back = b.stream(1, 0, none);
  b.step(0, none).take(back).push(there);
  b.step(0, all).take(data).store(Buffer::output);
  b.step(1, none).take(there).push(back);
  b.step(1, all).own(Buffer::input).store(Buffer::output).push(data);
  b.contract({.collective = Collective::broadcast, .ranks = {0, 1}, .root = 1, .count = 4});
  const Schedule schedule = std::move(b).finish();
  const Outputs outputs = interpret(schedule, kSum, 1);
  EXPECT_EQ(outputs[0], outputs[1]);
  EXPECT_EQ(compare_outputs(schedule, outputs, outputs, kSum).compared, 8);
  EXPECT_EQ(order_of_additions(schedule, 0, 3), "x1");
}

TEST(Interpret, AnEmptyStreamMustStillBePushed) {
  ScheduleBuilder b({.nodes = 2, .count = 2});
  const SpanId none = b.span({0, 0});
  b.step(0, none).take(b.stream(1, 0, none));
  b.contract({.collective = Collective::broadcast, .ranks = {0, 1}, .root = 1, .count = 2});
  EXPECT_EQ(error_of(std::move(b).finish()), "stream 0: no step of its source, node 1, pushes it");
}

TEST(Interpret, NamesAnElementThatDoesNotExist) {
  ScheduleBuilder b({.nodes = 2, .count = 2});
  const SpanId all = b.span({0, 2});
  const StreamId s = b.stream(1, 0, all);
  b.step(1, all).own(Buffer::output).push(s);
  b.step(0, all).take(s).own(Buffer::input).store(Buffer::output);
  b.contract({.collective = Collective::reduce, .ranks = {0, 1}, .root = 0, .count = 2});
  EXPECT_EQ(error_of(std::move(b).finish()), "node 1, step 1: reads element 0 of output, which does not exist");
}

TEST(Interpret, RefusesStreamsTakenByTheWrongNode) {
  ScheduleBuilder b({.nodes = 3, .count = 2});
  const SpanId all = b.span({0, 2});
  const StreamId s = b.stream(1, 0, all);
  b.step(1, all).own(Buffer::input).push(s);
  b.step(2, all).take(s).store(Buffer::output);
  b.contract({.collective = Collective::reduce, .ranks = {0, 1, 2}, .root = 0, .count = 2});
  EXPECT_EQ(error_of(std::move(b).finish()), "stream 0: no step of its sink, node 0, takes it");
}

TEST(Interpret, RefusesSpansOfDifferentLength) {
  ScheduleBuilder b({.nodes = 2, .count = 4});
  const SpanId all = b.span({0, 4}), half = b.span({0, 2});
  const StreamId s = b.stream(1, 0, half);
  b.step(1, all).own(Buffer::input).push(s);
  b.step(0, half).take(s).store(Buffer::output);
  b.contract({.collective = Collective::reduce, .ranks = {0, 1}, .root = 0, .count = 4});
  EXPECT_EQ(error_of(std::move(b).finish()), "node 1, step 1: stream 0 has 4 elements instead of 2");
}

TEST(Interpret, RefusesWhatWouldNotFitIntoMemory) {
  EXPECT_EQ(error_of(chain(2, std::int64_t{1} << 32)),
            "node 1, step 1: the reference interpreter would keep more than 2147483648 words; use fewer nodes or "
            "elements");
}

TEST(CompareOutputs, CountsWhatIsOwedAndNamesTheFirstDifference) {
  const Schedule schedule = chain(3, 8);
  const Outputs expected = interpret(schedule, kSum, 1);
  Outputs actual = expected;
  EXPECT_EQ(compare_outputs(schedule, expected, actual, kSum).compared, 8);
  EXPECT_FALSE(compare_outputs(schedule, expected, actual, kSum).difference);
  actual[0][5] = 0x3fc00000;
  const Comparison comparison = compare_outputs(schedule, expected, actual, kSum);
  EXPECT_EQ(comparison.compared, 6);
  EXPECT_EQ(comparison.difference, "rank 0, element 5: 1.5, expected " + kSum.text(expected[0][5]));
  actual[0].clear();
  EXPECT_EQ(compare_outputs(schedule, expected, actual, kSum).difference,
            "rank 0, element 0: nothing, expected " + kSum.text(expected[0][0]));
}

TEST(CompareOutputs, LooksAtEveryContractOfANode) {
  // Node 0 is the root of two reductions; only the second one differs.
  ScheduleBuilder b({.nodes = 3, .count = 4});
  const SpanId all = b.span({0, 4});
  const StreamId s = b.stream(1, 0, all);
  b.step(1, all).own(Buffer::input).push(s);
  b.step(0, all).own(Buffer::input).take(s).store(Buffer::output);
  b.contract({.collective = Collective::reduce, .ranks = {0, 1}, .root = 0, .count = 2});
  b.contract({.collective = Collective::reduce, .ranks = {0, 1}, .root = 0, .count = 4});
  const Schedule schedule = std::move(b).finish();
  const Outputs expected = interpret(schedule, kSum, 1);
  Outputs actual = expected;
  EXPECT_EQ(compare_outputs(schedule, expected, actual, kSum).compared, 6);
  actual[0][3] = 0;
  EXPECT_EQ(compare_outputs(schedule, expected, actual, kSum).difference,
            "rank 0, element 3: 0, expected " + kSum.text(expected[0][3]));
}

TEST(OrderOfAdditions, ReadsFromLeftToRightAsListed) {
  EXPECT_EQ(order_of_additions(chain(4, 2), 0, 1), "(x0 + (x1 + (x2 + x3)))");
  EXPECT_EQ(order_of_additions(tree({0, 0, 0, 2}, 1), 0, 0), "((x0 + (x2 + x3)) + x1)");
}

TEST(OrderOfAdditions, FollowsExchangesBlockByBlock) {
  const Schedule ring = ring_reduce_scatter(3, 3);
  EXPECT_EQ(order_of_additions(ring, 0, 0), "(x0 + (x2 + x1))");
  EXPECT_EQ(order_of_additions(ring, 1, 1), "(x1 + (x0 + x2))");
}

TEST(OrderOfAdditions, NamesTheElementWhereItIsAnother) {
  ScheduleBuilder b({.nodes = 2, .count = 2});
  const SpanId first = b.span({0, 1}), second = b.span({1, 1});
  const StreamId right = b.stream(0, 1, second), left = b.stream(1, 0, first);
  b.step(0, first).own(Buffer::input).store(Buffer::output);
  b.step(0, second).own(Buffer::input).push(right);
  b.step(0, first).take(left).store(Buffer::output, second);
  b.step(1, first).own(Buffer::input).push(left);
  b.step(1, second).own(Buffer::input).store(Buffer::output);
  b.step(1, second).take(right).store(Buffer::output, first);
  b.contract({.collective = Collective::all_to_all, .ranks = {0, 1}, .count = 2});
  const Schedule schedule = std::move(b).finish();
  EXPECT_EQ(order_of_additions(schedule, 0, 0), "x0");
  EXPECT_EQ(order_of_additions(schedule, 0, 1), "x1[0]");
}

TEST(OrderOfAdditions, LeavesOutTheMiddleOfALongFormula) {
  const std::string formula = order_of_additions(chain(1000, 1), 0, 0);
  EXPECT_TRUE(formula.starts_with("(x0 + (x1 + (x2 + ")) << formula;
  EXPECT_NE(formula.find("(x23 + ... 952 more ... + (x976 + (x977"), std::string::npos) << formula;
  EXPECT_TRUE(formula.ends_with("(x998 + x999)" + std::string(46, ')'))) << formula;
}

TEST(OrderOfAdditions, RefusesWhatDoesNotExist) {
  const Schedule schedule = chain(3, 2);
  EXPECT_EQ(error_of([&] { (void)order_of_additions(schedule, 0, 2); }), "node 0: element 2 of output does not exist");
  EXPECT_EQ(error_of([&] { (void)order_of_additions(schedule, 1, 0); }), "node 1: element 0 of output does not exist");
  EXPECT_EQ(error_of([&] { (void)order_of_additions(schedule, 3, 0); }), "node 3 is not a rank of any contract");
}

// --- orders

RC_GTEST_PROP(Interpret, GivesTheSameWordsInEveryOrder, ()) {
  std::vector<NodeId> parent{0};
  const auto nodes = *rc::gen::inRange(2, 40);
  for (NodeId n = 1; n < nodes; ++n) parent.push_back(*rc::gen::inRange(0, n));
  for (const Schedule& schedule : {tree(parent, 5), ring_reduce_scatter(nodes, 2 * nodes), chain(nodes, 3)}) {
    const Interpretation demand = interpret_in_order(schedule, kSum, 4, RunOrder::on_demand);
    const Interpretation ready = interpret_in_order(schedule, kSum, 4, RunOrder::as_ready);
    RC_ASSERT(demand.outputs == ready.outputs);
  }
}

TEST(Interpret, KeepsAFewVectorsOfAChainOfAMillionNodes) {
  const Interpretation interpretation = interpret_in_order(chain(1'000'000, 2), kSum, 1, RunOrder::on_demand);
  EXPECT_LE(interpretation.most_words, 3 * 2);
  ASSERT_EQ(interpretation.outputs.front().size(), 2U);
}

TEST(Interpret, KeepsAVectorOrTwoPerLevelOfATree) {
  std::vector<NodeId> parent{0};
  for (NodeId n = 1; n < 1023; ++n) parent.push_back((n - 1) / 2);
  EXPECT_LE(interpret_in_order(tree(parent, 8), kSum, 1, RunOrder::on_demand).most_words, 8 * (9 + 3));
}

TEST(Interpret, KeepsOneVectorAndTheSumOfAStar) {
  const Schedule star = tree(std::vector<NodeId>(1000, 0), 8);
  EXPECT_LE(interpret_in_order(star, kSum, 1, RunOrder::on_demand).most_words, 3 * 8);
  EXPECT_GT(interpret_in_order(star, kSum, 1, RunOrder::as_ready).most_words, 999 * 8);
}

}  // namespace
}  // namespace muster
