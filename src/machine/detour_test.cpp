// Groups that lack links: times by hand, and a search that knows nothing of them.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "machine/families.h"

namespace muster {
namespace {

Cluster::Dimension dimension_of(Cluster::Kind kind, std::int32_t size, std::int32_t links) {
  Cluster::Dimension dimension;
  dimension.kind = kind;
  dimension.size = size;
  dimension.links = links;
  return dimension;
}

/// Nothing where there is no other way.
std::optional<double> factor(const Cluster::Dimension& dimension, const std::vector<LinkEnds>& missing) {
  const Detour found = detour(dimension, missing);
  return found.cut ? std::nullopt : std::optional(found.factor);
}

TEST(Detour, IsTwiceAsLongOnALineAndCutOffOnPiecesOfARing) {
  const Cluster::Dimension ring = dimension_of(Cluster::Kind::ring, 5, 2);
  EXPECT_EQ(factor(ring, {}), 1.0);
  EXPECT_EQ(factor(ring, {{0, 1}}), 2.0);
  EXPECT_EQ(detour(ring, {{0, 1}, {4, 0}}).cut, 1U);
  EXPECT_EQ(factor(dimension_of(Cluster::Kind::ring, 5, 1), {{0, 1}}), std::nullopt);
  EXPECT_EQ(factor(dimension_of(Cluster::Kind::ring, 2, 2), {{0, 1}}), std::nullopt);
  EXPECT_EQ(factor(dimension_of(Cluster::Kind::switched, 5, 1), {{0, 1}}), std::nullopt);
}

TEST(Detour, IsPassedOnByThoseThatHaveLinksToBothEnds) {
  const Cluster::Dimension four = dimension_of(Cluster::Kind::fully_connected, 4, 3);
  EXPECT_EQ(factor(dimension_of(Cluster::Kind::fully_connected, 2, 1), {{0, 1}}), std::nullopt);
  EXPECT_EQ(factor(four, {{0, 1}}), 1.5) << "(P - 1) / (P - 2)";
  EXPECT_EQ(factor(four, {{0, 1}, {2, 3}}), 2.0) << "a ring: each link has its own message and halves of two others";
  EXPECT_EQ(factor(four, {{0, 1}, {0, 2}}), 3.0) << "member 0 has one link for three messages";
  EXPECT_EQ(detour(four, {{1, 0}, {0, 2}, {3, 0}}).cut, 0U) << "member 0 has no link";
  EXPECT_EQ(detour(four, {{0, 1}, {0, 2}, {1, 3}}).cut, 0U) << "a line, and nobody is next to both ends of 0-1";
}

/// Random links of a group where all are linked.
std::vector<LinkEnds> some_links(std::int32_t size) {
  std::vector<LinkEnds> missing;
  const int sparse = *rc::gen::inRange(2, 8);
  for (std::int32_t a = 0; a < size; ++a) {
    for (std::int32_t b = a + 1; b < size; ++b) {
      if (*rc::gen::inRange(0, sparse) != 0) continue;
      missing.push_back(*rc::gen::arbitrary<bool>() ? LinkEnds{a, b} : LinkEnds{b, a});
    }
  }
  return missing;
}

RC_GTEST_PROP(Detour, CarriesEveryMessageOverLinksThatAreThere, ()) {
  const auto size = *rc::gen::inRange<std::int32_t>(2, 9);
  const std::vector<LinkEnds> missing = some_links(size);
  std::vector<std::vector<bool>> there(static_cast<std::size_t>(size),
                                       std::vector<bool>(static_cast<std::size_t>(size), true));
  for (const LinkEnds& l : missing) there[l.a][l.b] = there[l.b][l.a] = false;
  // Every ordered pair sends one message; all hops are counted, one way.
  std::map<std::pair<std::int32_t, std::int32_t>, double> load;
  bool is_cut = false;
  for (std::int32_t a = 0; a < size; ++a) {
    for (std::int32_t b = 0; b < size; ++b) {
      if (a == b) continue;
      std::vector<std::vector<std::int32_t>> paths;
      if (there[a][b]) paths = {{a, b}};
      for (std::int32_t m = 0; m < size && !there[a][b]; ++m) {
        if (m != a && m != b && there[a][m] && there[m][b]) paths.push_back({a, m, b});
      }
      is_cut |= paths.empty();
      for (const auto& path : paths) {
        for (std::size_t i = 1; i < path.size(); ++i)
          load[{path[i - 1], path[i]}] += 1.0 / static_cast<double>(paths.size());
      }
    }
  }
  const std::optional<double> found = factor(dimension_of(Cluster::Kind::fully_connected, size, size - 1), missing);
  RC_ASSERT(found.has_value() == !is_cut);
  if (is_cut) return;
  double most = 0;
  for (const auto& [link, messages] : load) most = std::max(most, messages);
  RC_ASSERT(std::abs(*found - most) < 1e-9);
}

}  // namespace
}  // namespace muster
