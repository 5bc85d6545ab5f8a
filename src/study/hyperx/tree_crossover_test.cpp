#include "study/hyperx/tree_crossover.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>

#include "collective/switches/several_trees.h"
#include "machine/families.h"
#include "machine/test_hyperx.h"
#include "plan/plan_test_support.h"
#include "result/time_base.h"

namespace muster {
namespace {

RC_GTEST_PROP(TreeCrossover, IsWhereEveryLongerVectorIsFaster, ()) {
  const Machine machine = test_hyperx({2, 2});
  const HyperX& hyperx = *as<HyperX>(machine);
  const auto any_depths = [](std::size_t trees) {
    std::vector<Ticks> depths(trees);
    for (Ticks& depth : depths) depth = Ticks(*rc::gen::inRange<std::int64_t>(0, 200'000));
    return depths;
  };
  const auto few = *rc::gen::inRange<std::size_t>(1, 5);
  const auto many = *rc::gen::inRange<std::size_t>(few + 1, 7);
  const auto time_with = [&](const std::vector<Ticks>& depths) {
    return [&hyperx, depths](std::int64_t packets) {
      return time_on_trees(hyperx, depths, packets * words_of_packet(hyperx)).value();
    };
  };
  const PacketCrossover crossover{.slower = time_with(any_depths(few)),
                                  .faster = time_with(any_depths(many)),
                                  .period = static_cast<std::int64_t>(std::lcm(few, many))};
  const std::int64_t found = crossover_in_packets(crossover);
  std::int64_t last = 0;  // the longest that we look at and that is not faster
  for (std::int64_t packets = 1; packets < 3 * found + 1000; ++packets) {
    if (crossover.slower(packets) <= crossover.faster(packets)) last = packets;
  }
  RC_ASSERT(found == last + 1);
}

RC_GTEST_PROP(TreeCrossover, AgreesWithWhatTheAlgorithmIsPredictedToTake, ()) {
  std::vector<std::int32_t> shape{*rc::gen::inRange(2, 5), *rc::gen::inRange(3, 5)};
  Job job{.machine = test_hyperx(shape, 8), .collective = Collective::allreduce};
  job.count = *rc::gen::inRange<std::int64_t>(8, 5000);
  job.options.of<HyperXOptions>().vector_per_node = true;
  const auto found = compare_trees(job);
  const Algorithm& trees = find_algorithm(Collective::allreduce, "hyperx", "in-network-trees");
  const auto time_of = [&](std::int64_t count, std::int64_t number) {
    Job other = job;
    other.count = count;
    return trees.cost(request_of(other), {{"trees", number}}).value();
  };
  if (!found) {
    RC_ASSERT(complete_parameters(trees, request_of(job), {}).at("trees") == 1);
    return;
  }
  for (const TreesAnswer::Row& row : found->rows) {
    RC_ASSERT(row.predicted ==
              Seconds(static_cast<double>(time_of(job.count, row.trees)) / kPicoseconds.ticks_per_second));
    for (std::int64_t fewer = 1; fewer < row.trees; ++fewer) {
      for (std::int64_t count = *row.pays_from; count < *row.pays_from + 12; ++count) {
        RC_ASSERT(time_of(count, row.trees) < time_of(count, fewer));
      }
    }
  }
}

TEST(TreeCrossover, PaysFromAnElementOnWithoutWhichItDoesNot) {
  Job job{.machine = with_nodes(shipped_machine("piuma"), 16), .collective = Collective::allreduce, .count = 1000};
  job.options.of<HyperXOptions>().vector_per_node = true;
  const TreesAnswer trees = compare_trees(job).value();
  ASSERT_EQ(trees.rows.size(), 3U);
  const Algorithm& several = find_algorithm(Collective::allreduce, "hyperx", "in-network-trees");
  for (const std::int64_t number : {2, 3}) {
    job.count = *trees.rows[static_cast<std::size_t>(number - 1)].pays_from;
    EXPECT_LT(several.cost(request_of(job), {{"trees", number}}),
              several.cost(request_of(job), {{"trees", number - 1}}));
    --job.count;
    EXPECT_GE(several.cost(request_of(job), {{"trees", number}}),
              several.cost(request_of(job), {{"trees", number - 1}}));
  }
}

TEST(TreeCrossover, NamesNoTreesThatMoreOvertake) {
  Job job{.machine = test_hyperx({4, 4}),
          .collective = Collective::allreduce,
          .options = HyperXOptions{.vector_per_node = true}};
  TreesAnswer trees{.memory = BytesPerSecond(3.2e9), .link = BytesPerSecond(8e9)};
  trees.rows = {{1, Seconds(1), 1}, {2, Seconds(1), 435}, {3, Seconds(1), 2119}, {4, Seconds(1), 1741}};
  EXPECT_EQ(
      tree_crossover_text(job, trees),
      "2 trees are worthwhile from 435 elements on, 4 from 1,741 on (predicted): a tree is limited by the memory of "
      "one core per node (25.6 Gb/s per direction), not by links of 64 Gb/s, and every tree uses its own cores");
}

TEST(TreeCrossover, TakesMemoriesOfTwiceALinkWhereCoresHaveVectors) {
  Job job{.machine = with_nodes(shipped_machine("piuma"), 16), .collective = Collective::allreduce, .count = 32'000};
  const TreesAnswer trees = compare_trees(job).value();
  ASSERT_EQ(trees.rows.size(), 3U);
  EXPECT_EQ(trees.memory, BytesPerSecond(3.2e9));
  EXPECT_EQ(trees.rows[1].beyond_memory, BytesPerSecond(16e9));
  EXPECT_EQ(trees.rows[2].beyond_memory, BytesPerSecond(32e9));
  EXPECT_EQ(trees.rows[2].predicted, trees.rows[0].predicted);
  EXPECT_EQ(trees.rows[0].predicted, simulate(job, choose(job, "in-network", {})).predicted_seconds);
  EXPECT_EQ(
      tree_crossover_text(job, trees),
      "several trees would not help: the memory of a core (25.6 Gb/s per direction) is slower than a link (64 "
      "Gb/s); they would help above 128 Gb/s of memory bandwidth per core, on switches that run several trees at once");
  // Just beyond that memory two trees are faster, and three are not faster than two.
  as<HyperX>(job.machine)->memory_bandwidth = BytesPerSecond(20e9);
  const TreesAnswer more = compare_trees(job).value();
  EXPECT_LT(more.rows[1].predicted, more.rows[0].predicted);
  EXPECT_EQ(more.rows[2].predicted, more.rows[1].predicted);
}

TEST(TreeCrossover, HasNothingToSayWithoutASecondTree) {
  Job job{.machine = with_nodes(shipped_machine("piuma"), 3), .collective = Collective::allreduce, .count = 5};
  EXPECT_FALSE(compare_trees(job));
  job.options.of<HyperXOptions>().vector_per_node = true;
  EXPECT_FALSE(compare_trees(job));
  job.machine = with_nodes(job.machine, 1);
  EXPECT_FALSE(compare_trees(job));
  job.machine = with_nodes(job.machine, 16);
  EXPECT_TRUE(compare_trees(job));
  job.collective = Collective::reduce;
  EXPECT_FALSE(compare_trees(job));
}

}  // namespace
}  // namespace muster
