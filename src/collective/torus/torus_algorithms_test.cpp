// Every algorithm of a torus, with no further code: shapes x sizes x roots x parameters → verify → reference.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "collective/algorithms.h"
#include "collective/collective_test_support.h"
#include "collective/fault_test_support.h"
#include "collective/torus/tile_blocks.h"
#include "collective/torus/torus_test_machines.h"

namespace muster {
namespace {

Parameters any_parameters(const Algorithm& algorithm, const Request& request) {
  Parameters given;
  for (const ParameterSpec& spec : algorithm.parameters) {
    given[spec.name] = *rc::gen::inRange(spec.least(request), spec.most(request) + 1);
  }
  return given;
}

std::string parameters_text(const Parameters& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters) text += fmt::format(" {}={}", name, value);
  return text;
}

/// Without the reference, which takes long for long vectors.
std::string verified(const Algorithm& algorithm, const Request& request, const Parameters& given) {
  const Schedule schedule = algorithm.make(request, complete_parameters(algorithm, request, given));
  const Verdict verdict = verify(schedule, request.machine);
  return verdict.verified() ? "" : verdict.counterexample->message;
}

TEST(TorusAlgorithms, AreRightForManyNumbersOfRanksAndWords) {
  for (const Algorithm& algorithm : torus_algorithms()) {
    for (const std::int64_t ranks : {1, 2, 3, 5, 7, 8, 13, 16, 27, 49, 50, 64, 72}) {
      for (const std::int64_t count : {1, 5, 1030, 5001, 66'000}) {
        const Machine machine = test_wormhole(ranks);
        const NodeId root = static_cast<NodeId>((count * 7) % ranks);
        const Request request =
            sized_for({.machine = machine, .collective = algorithm.collective, .count = count, .root = root});
        if (algorithm.unsupported(request)) continue;
        EXPECT_EQ(verified(algorithm, request, {}), "")
            << collective_name(algorithm.collective) << " " << algorithm.name << ", " << ranks << " ranks, " << count;
      }
    }
  }
}

Request any_request() {
  const bool grid = *rc::gen::arbitrary<bool>();
  const Machine machine =
      grid ? test_wormhole(*rc::gen::inRange(1, 9), *rc::gen::inRange(1, 10)) : test_wormhole(*rc::gen::inRange(1, 73));
  Request asked{.machine = machine, .count = *rc::gen::inRange<std::int64_t>(1, 6000)};
  asked.root = *rc::gen::inRange<NodeId>(0, rank_count(machine));
  if (*rc::gen::arbitrary<bool>()) asked.user_count = {.count = 2 * asked.count, .block_unit = 2, .unit = "elements"};
  return asked;
}

RC_GTEST_PROP(TorusAlgorithms, AreRightForRandomShapesRootsSizesAndParameters, ()) {
  const std::vector<Algorithm> all = torus_algorithms();
  const Request asked = any_request();
  for (int i = 0; i < 4; ++i) {
    const Algorithm& algorithm = all[*rc::gen::inRange<std::size_t>(0, all.size())];
    const Request request = sized_for(asked, algorithm.collective);
    if (algorithm.unsupported(request)) continue;
    const Parameters given = any_parameters(algorithm, request);
    const std::string fault = fault_of(algorithm, request, given);
    RC_LOG() << collective_name(algorithm.collective) << " " << algorithm.name << parameters_text(given) << " on "
             << shape_text(request.machine) << ": " << fault;
    RC_ASSERT(fault.empty());
  }
}

const Algorithm& torus_algorithm_named(const std::vector<Algorithm>& all, Collective collective,
                                       const std::string& name) {
  return *std::find_if(all.begin(), all.end(), [&](const Algorithm& algorithm) {
    return algorithm.collective == collective && algorithm.name == name;
  });
}

Schedule allreduce_schedule(const std::string& name, const Machine& machine, std::int64_t count,
                            const Parameters& given = {}) {
  const std::vector<Algorithm> all = torus_algorithms();
  const Algorithm& algorithm = torus_algorithm_named(all, Collective::allreduce, name);
  const Request request{.machine = machine, .collective = Collective::allreduce, .count = count};
  return algorithm.make(request, complete_parameters(algorithm, request, given));
}

/// Hops of the longest route on the NoC that each stream takes.
std::int64_t longest_route(const Schedule& schedule, const Torus& torus) {
  std::int64_t longest = 0;
  for (const Stream& stream : schedule.streams) {
    const int noc = stream.route == kDefaultRoute ? 0 : 1;
    longest = std::max(longest, hops_on(torus, noc, stream.source, schedule.sinks_of(stream)[0]));
  }
  return longest;
}

TEST(TorusRing, HasShortHopsOnly) {
  const Machine machine = test_wormhole(72);
  for (const char* name : {"ring", "ring-both"}) {
    // From the last row around to the first: two columns and three rows.
    EXPECT_LE(longest_route(allreduce_schedule(name, machine, 72 * 2048), *as<Torus>(machine)), 5) << name;
  }
}

TEST(TorusSwing, SendsContiguousMessagesUnlessBlocksAreNumberedByRank) {
  const auto most_ranges = [](const Schedule& schedule) {
    std::size_t most = 0;
    for (const Stream& stream : schedule.streams) most = std::max(most, schedule.spans.ranges(stream.elements).size());
    return most;
  };
  const Machine machine = test_wormhole(8, 8);
  EXPECT_EQ(most_ranges(allreduce_schedule("swing", machine, 64 * 1024)), 1U);
  EXPECT_EQ(most_ranges(allreduce_schedule("multiport-swing", machine, 256 * 1024)), 1U);
  EXPECT_GT(most_ranges(allreduce_schedule("swing", machine, 64 * 1024, {{"blocks", 1}})), 8U);
}

TEST(TorusSwing, SendsTwiceTheVectorLessTwoBlocks) {
  const Schedule schedule = allreduce_schedule("swing", test_wormhole(8, 8), 64 * 1024);
  std::vector<std::int64_t> sent(64);
  for (const Stream& stream : schedule.streams) sent[at(stream.source)] += schedule.spans.count(stream.elements);
  for (const std::int64_t words : sent) EXPECT_EQ(words, 2 * 63 * 1024);
}

TEST(TorusSwing, WaitsForAllChunksIfTheyTakeTheirStepsTogether) {
  const Machine machine = test_wormhole(4);
  EXPECT_TRUE(allreduce_schedule("swing", machine, 8 * 1024, {{"chunks", 2}}).waits.empty());
  const Schedule together = allreduce_schedule("swing", machine, 8 * 1024, {{"chunks", 2}, {"steps", 1}});
  EXPECT_FALSE(together.waits.empty()) << "steps wait for the chunks that were sent in the step before";
}

TEST(TorusSharedMemory, NeedsBanks) {
  const std::vector<Algorithm> all = torus_algorithms();
  const Algorithm& shared = torus_algorithm_named(all, Collective::allreduce, "shared-memory");
  const Request request{.machine = test_ideal_torus(8), .collective = Collective::allreduce, .count = 100};
  EXPECT_EQ(shared.unsupported(request), "needs DRAM banks, and this machine has none");
}

TEST(TorusAlgorithms, HaveNamesOfTheirOwn) {
  const std::vector<Algorithm> all = torus_algorithms();
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].family, "torus");
    EXPECT_FALSE(all[i].summary.empty());
    EXPECT_FALSE(all[i].source.empty());
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_FALSE(all[i].collective == all[j].collective && all[i].name == all[j].name);
  }
}

}  // namespace
}  // namespace muster
