#include "collective/grid/auto_gen.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <vector>

#include "base/index.h"
#include "collective/collective_test_support.h"
#include "machine/mesh.h"

namespace muster {
namespace {

constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max() / 4;

/// E(P, D, C) of §5.5 for B = 1, by the paper's recursion; kNone where there is no tree.
class PlainRecursion {
 public:
  explicit PlainRecursion(std::int32_t most) : most_(most), energy_(at(most + 1) * at(most) * at(most), kNone) {
    for (std::int32_t d = 0; d < most; ++d) {
      for (std::int32_t c = 0; c < most; ++c) {
        energy_[index(1, d, c)] = 0;
        for (std::int32_t p = 2; p <= most && d > 0 && c > 0; ++p) {
          std::int64_t& best = energy_[index(p, d, c)];
          for (std::int32_t i = 1; i < p; ++i) best = std::min(best, of(i, d, c - 1) + of(p - i, d - 1, c) + i);
          best = std::min(best, kNone);
        }
      }
    }
  }
  [[nodiscard]] std::int64_t of(std::int32_t p, std::int32_t d, std::int32_t c) const {
    return energy_[index(p, d, c)];
  }

 private:
  [[nodiscard]] std::size_t index(std::int32_t p, std::int32_t d, std::int32_t c) const {
    return (at(p) * at(most_) + at(d)) * at(most_) + at(c);
  }
  std::int32_t most_;
  std::vector<std::int64_t> energy_;
};

TEST(AutoGen, HasTheEnergyOfThePaperSRecursionForEveryDepthAndContention) {
  constexpr std::int32_t kMost = 32;
  const PlainRecursion plain(kMost);
  for (std::int32_t p = 2; p <= kMost; ++p) {
    for (std::int32_t d = 1; d < p; ++d) {
      const LeastEnergy least = least_energy(p, d);
      for (std::int32_t c = 1; c < p; ++c) {
        EXPECT_EQ(plain.of(p, d, c), c < least.contention ? kNone : least.hops) << p << ", " << d << ", " << c;
      }
    }
  }
}

TEST(AutoGen, PredictsTheBestOfThePaperSRecursion) {
  constexpr std::int32_t kMost = 32;
  const PlainRecursion plain(kMost);
  const Machine wafer = ideal_wafer(kMost, 1);
  for (std::int32_t p = 2; p <= kMost; ++p) {
    for (const std::int64_t words : {1, 2, 5, 16, 33, 100, 1000}) {
      std::int64_t best = kNone;
      for (std::int32_t d = 1; d < p; ++d) {
        for (std::int32_t c = 1; c < p; ++c) {
          if (plain.of(p, d, c) == kNone) continue;
          const std::int64_t spread = (plain.of(p, d, c) * words + p - 2) / (p - 1) + p - 1;
          best = std::min(best, std::max(c * words, spread) + 5 * d);
        }
      }
      EXPECT_EQ(auto_gen_cycles(p, words, *as<Mesh>(wafer)), Cycles(best)) << p << " PEs, " << words << " words";
      const ReductionTree tree =
          auto_gen_tree(p, {.words = words, .hop = 1, .ramps = 4, .start = 0, .gap = 0, .turn = 0}, *as<Mesh>(wafer));
      EXPECT_EQ(side_cycles(tree, words, *as<Mesh>(wafer)), Cycles(best)) << p << " PEs, " << words << " words";
    }
  }
}

/// When the root begins to take its last child.
std::int64_t start_of(const ReductionTree& tree, const LineTiming& t) {
  std::vector<std::int64_t> start(at(tree.size()), t.start - 1);
  for (std::int32_t x = tree.size() - 1; x >= 0; --x) {
    std::int64_t ready = t.start;
    for (const std::int32_t child : tree.children(x)) {
      start[at(x)] = std::max(ready, start[at(child)] + 1 + t.hop * (child - x) + t.ramps);
      ready = start[at(x)] + t.words + t.start + t.gap;
    }
  }
  return start[0];
}

/// Calls `use` with every tree of `size` PEs.
template <class Use>
void each_tree(std::vector<std::int32_t>& parents, std::int32_t size, const Use& use) {
  const auto x = static_cast<std::int32_t>(parents.size());
  if (x == size) return use(ReductionTree(parents));
  for (std::int32_t parent = x - 1; parent >= 0; parent = parent == 0 ? -1 : parents[at(parent)]) {
    parents.push_back(parent);
    each_tree(parents, size, use);
    parents.pop_back();
  }
}

std::int64_t most_children(const ReductionTree& tree) { return tree_terms(tree, 1).contention; }

/// Against all trees there are: 4862 of 10 PEs.
TEST(AutoGen, IsTheFastestOfAllTreesOfEqualEnergy) {
  for (const std::int32_t size : {2, 5, 8, 10}) {
    for (const LineTiming& timing :
         {LineTiming{1, 1, 4, 0, 0, 0}, LineTiming{9, 1, 4, 0, 0, 0}, LineTiming{4, 2, 2, 1, 3, 0}}) {
      for (std::int32_t depth = 1; depth < size; ++depth) {
        const std::int64_t energy = least_energy(size, depth).hops;
        std::vector<std::int64_t> best(at(size), kNone);  // by the most children that a PE may have
        std::vector<std::int32_t> parents{-1};
        each_tree(parents, size, [&](const ReductionTree& tree) {
          const ModelTerms terms = tree_terms(tree, 1);
          if (terms.depth > depth || terms.energy != energy) return;
          for (std::int32_t cap = 1; cap < size; ++cap) {
            if (terms.contention <= cap) best[at(cap)] = std::min(best[at(cap)], start_of(tree, timing));
          }
        });
        for (std::int32_t cap = 1; cap < size; ++cap) {
          const auto found = fastest_of_least_energy(size, depth, timing, cap);
          ASSERT_EQ(found.has_value(), best[at(cap)] != kNone) << size << ", " << depth << ", " << cap;
          if (!found) continue;
          EXPECT_EQ(found->start, best[at(cap)]) << size << ", " << depth << ", " << cap;
          EXPECT_EQ(start_of(found->tree, timing), found->start);
          EXPECT_LE(most_children(found->tree), cap);
        }
        EXPECT_EQ(fastest_of_least_energy(size, depth, timing)->start, best[at(size - 1)]);
      }
    }
  }
}

RC_GTEST_PROP(AutoGen, PredictsWhatEquationOneSaysOfItsTree, ()) {
  const auto size = *rc::gen::inRange(2, 400);
  const std::int64_t words = *rc::gen::inRange(1, 3000);
  const Machine wafer = ideal_wafer(size, 1);
  const ReductionTree tree =
      auto_gen_tree(size, {.words = words, .hop = 1, .ramps = 4, .start = 0, .gap = 0, .turn = 0}, *as<Mesh>(wafer));
  RC_ASSERT(side_cycles(tree, words, *as<Mesh>(wafer)) == auto_gen_cycles(size, words, *as<Mesh>(wafer)));
}

TEST(AutoGen, IsTheComputedReferenceFor512Processors) {
  const Machine wafer = ideal_wafer(512, 1);
  // 1.034, 1.084, 1.170, 1.131, 1.035 and 1.000 times the bound of Lemma 5.5: 518, 532, 644, 1027, 2562, 7162.
  const auto predicted = [&](std::int64_t words) { return auto_gen_cycles(512, words, *as<Mesh>(wafer)).value(); };
  EXPECT_NEAR(static_cast<double>(predicted(1)) / 518, 1.034, 0.001);
  EXPECT_NEAR(static_cast<double>(predicted(8)) / 532, 1.084, 0.001);
  EXPECT_NEAR(static_cast<double>(predicted(64)) / 644, 1.170, 0.001);
  EXPECT_NEAR(static_cast<double>(predicted(256)) / 1027, 1.131, 0.002);
  EXPECT_NEAR(static_cast<double>(predicted(1024)) / 2562, 1.035, 0.001);
  EXPECT_NEAR(static_cast<double>(predicted(4096)) / 7162, 1.000, 0.001);
}

}  // namespace
}  // namespace muster
