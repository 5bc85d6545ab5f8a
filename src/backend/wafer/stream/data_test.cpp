// The data of a trace: the order of computing does not change a word, and on demand few words exist at a time.
#include "backend/wafer/stream/data.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "backend/wafer/test_grids.h"
#include "backend/wafer/test_programs.h"

namespace muster::wafer {
namespace {

constexpr std::int64_t kWords = 16;

Data data_of(const Schedule& schedule, const Machine& machine, const DataOptions& options) {
  const auto program = lower(schedule, machine, {});
  if (!program.ok()) throw std::runtime_error(program.reason());
  const Cells cells(*program.value());
  const Trace trace = trace_messages(cells, options.calls);
  if (trace.fault) throw std::runtime_error(trace.fault->message);
  return compute_data(cells, trace, DataContract(*program.value()), options);
}

std::int64_t most_words(const Schedule& schedule, const Machine& machine) {
  return data_of(schedule, machine, {}).most_words;
}

void check_orders(const Schedule& schedule, const Machine& machine) {
  const int calls = *rc::gen::inRange(1, 4);
  const Data demand = data_of(schedule, machine, {.calls = calls, .seed = 3});
  const Data trace = data_of(schedule, machine, {.calls = calls, .seed = 3, .in_trace_order = true});
  RC_ASSERT(demand.outputs == trace.outputs);
}

RC_GTEST_PROP(Data, DoesNotDependOnTheOrderOfComputingATree, ()) {
  const auto size = *rc::gen::inRange(2, 30);
  test::Tree tree{0};
  for (std::int32_t x = 1; x < size; ++x)
    tree.push_back(*rc::gen::element(x - 1, tree[static_cast<std::size_t>(x) - 1]));
  check_orders(test::reduce_row(tree, *rc::gen::inRange(1, 20)), test::wafer(size));
}

RC_GTEST_PROP(Data, DoesNotDependOnTheOrderOfComputingAGridOrARing, ()) {
  const test::Grid grid{*rc::gen::inRange(2, 7), *rc::gen::inRange(2, 7)};
  check_orders(test::reduce_xy(grid, 9, test::binary_tree, *rc::gen::element(test::Flood::after, test::Flood::fused)),
               test::wafer(grid.width, grid.height));
  const auto size = *rc::gen::inRange(2, 9);
  check_orders(test::ring_allreduce(test::plain_ring(size), 3 * size), test::wafer(size));
}

TEST(Data, OfAChainNeedsOneVectorAtATime) {
  EXPECT_EQ(most_words(test::reduce_row(test::chain_tree(100), kWords), test::wafer(100)), kWords);
}

TEST(Data, OfAStarNeedsOneVectorAndTheSumAtATime) {
  EXPECT_EQ(most_words(test::reduce_row(test::star_tree(100), kWords), test::wafer(100)), 2 * kWords);
}

TEST(Data, OfATreeNeedsAVectorPerLevel) {
  EXPECT_LE(most_words(test::reduce_row(test::binary_tree(512), kWords), test::wafer(512)), 10 * kWords);
}

TEST(Data, OfAGridNeedsAVectorPerLevelOfARowAndOfTheColumn) {
  const test::Grid grid{32, 32, 31, 31};
  EXPECT_LE(most_words(test::reduce_xy(grid, kWords, test::binary_tree), test::wafer(32, 32)), 12 * kWords);
}

}  // namespace
}  // namespace muster::wafer
