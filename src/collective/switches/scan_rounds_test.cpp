#include "collective/switches/scan_rounds.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/index.h"
#include "collective/switches/groups.h"
#include "collective/switches/switches_test_support.h"
#include "machine/hyperx.h"

namespace muster {
namespace {

/// What cores hold: a run of ranks, in order.
struct Held {
  std::int32_t first = 0;
  std::int32_t end = 0;
  bool operator==(const Held&) const = default;
};

RC_GTEST_PROP(ScanRounds, GiveEveryRankThePrefixInOrder, ()) {
  const Machine machine = any_small_hyperx();
  const HyperX& hyperx = *as<HyperX>(machine);
  const std::vector<NodeId> cores = cores_of(hyperx, any_participants(hyperx));
  std::vector<Held> held(cores.size());
  for (std::int32_t i = 0; i < std::ssize(held); ++i) held[at(i)] = {i, i + 1};
  for (const ScanRound& round : scan_rounds(hyperx, cores)) {
    std::vector<bool> busy(cores.size());
    for (const ScanBlock& block : round) {
      RC_ASSERT(block.giver < block.first && block.first < block.end);
      RC_ASSERT(!busy[at(block.giver)]);
      busy[at(block.giver)] = true;
      for (std::int32_t i = block.first; i < block.end; ++i) {
        RC_ASSERT(!busy[at(i)]);
        busy[at(i)] = true;
        RC_ASSERT(held[at(block.giver)].end == held[at(i)].first);
        held[at(i)].first = held[at(block.giver)].first;
      }
    }
  }
  for (std::int32_t i = 0; i < std::ssize(held); ++i) RC_ASSERT(held[at(i)] == (Held{0, i + 1}));
}

TEST(ScanRounds, AreAsFewAsTheDigitsNeed) {
  const auto rounds = [](const Machine& machine) {
    const HyperX& hyperx = *as<HyperX>(machine);
    return scan_rounds(hyperx, cores_of(hyperx, whole_nodes(hyperx))).size();
  };
  EXPECT_EQ(rounds(test_hyperx({4, 4})), 11U);          // 4 columns, 2 rows, 16 sockets, 4 x 4 nodes
  EXPECT_EQ(rounds(test_hyperx({5, 3}, 1, 1, 1)), 5U);  // 3 + 2
  EXPECT_EQ(rounds(test_hyperx({}, 1, 1, 1)), 0U);
}

TEST(ScanRounds, OfALineAreSklanskys) {
  const Machine machine = test_hyperx({5}, 1, 1, 1);
  const std::vector<NodeId> cores{0, 1, 2, 3, 4};
  const std::vector<ScanRound> expected{{{0, 1, 2}, {2, 3, 4}}, {{1, 2, 4}}, {{3, 4, 5}}};
  EXPECT_EQ(scan_rounds(*as<HyperX>(machine), cores), expected);
}

}  // namespace
}  // namespace muster
