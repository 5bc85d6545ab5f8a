// Two-phase: chains within groups of S neighbouring PEs, then a chain of the groups' leaders.
//
// Steps: groups are counted from the far end, so that the partial one is at the root; the PE of a group that is nearest
// to the root leads it. A PE that is no leader adds its vector and forwards; a leader takes its group's sum first and
// stores it, then adds it to what the next leader sends and forwards that. Busiest link: 2 B wavelets within a group,
// its own chain and the next leader's stream; a leader's port takes 2 B, too. Depth S + P / S - 2: good when the vector
// is about as long as the line. Source: Near-Optimal Wafer-Scale Reduce (HPDC'24), §5.4. The cost is the lemma's own
// form, max(C, E / P + P) + D (2 T_R + 1), on the terms of the tree at hand: Lemma 5.4 when P = S^2.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <vector>

#include "collective/algorithms.h"
#include "machine/mesh.h"

namespace muster {

namespace {

/// The indices that lead a group are 0 and those from which a whole number of groups reaches the far end.
ReductionTree two_phase(std::int32_t size, std::int32_t group) {
  const auto leads = [=](std::int32_t x) { return (size - x) % group == 0; };
  return ReductionTree::from(size, [=](std::int32_t x) { return leads(x) ? std::max(x - group, 0) : x - 1; });
}

TreeFor groups(const Parameters& parameters) {
  const auto group = static_cast<std::int32_t>(parameters.at("group"));
  return [group](std::int32_t size) { return two_phase(size, group); };
}

/// The lemma counts P links and P hops, one more than there are. A single group, or groups of one, are a chain, to which
/// it does not speak: that is Equation (1).
Cycles lemma_54(const ReductionTree& tree, std::int64_t count, const Mesh& mesh) {
  ModelTerms terms = tree_terms(tree, count);
  const bool chain = terms.depth == tree.size() - 1;
  if (!chain) terms.links = terms.distance = tree.size();
  return model_cycles(terms, mesh);
}

LineTrees trees(const Request& request, const Parameters& parameters) {
  return shorter_side_first(line_of(request).value(), groups(parameters));
}

Cycles cost(const Request& request, const Parameters& parameters) {
  return reduce_cycles(request, groups(parameters), lemma_54);
}

std::int64_t processors(const Request& request) {
  const std::optional<Line> line = line_of(request);
  return line ? line->length : 1;
}

std::int64_t root_of_processors(const Request& request) {
  return std::max<std::int64_t>(1, std::llround(std::sqrt(static_cast<double>(processors(request)))));
}

/// Where E / P + P decides, E is about B (2 P - S) and D is S + P / S - 2: their sum is least at S^2 (1 - B / ((2 T_R + 1) P))
/// = P. Half and twice the square root are for rounding and a root inside; two groups, of which the root's is short, are as
/// fast as it gets where start-ups are long. All of a side in one group, with or without the root, would be a chain.
std::vector<std::int64_t> groups_worth_trying(const Request& request) {
  const std::optional<Line> line = line_of(request);
  const std::int64_t size = line ? line->sides()[1].length : 1;
  const std::int64_t root = root_of_processors(request);
  std::set<std::int64_t> groups{root / 2, 2 * root, size * 4 / 5};
  const Mesh* const mesh = as<Mesh>(request.machine);
  if (mesh != nullptr) {
    const auto depth = static_cast<double>(depth_cycles(*mesh).value());
    const double left = 1 - static_cast<double>(request.count) / (depth * static_cast<double>(size));
    if (left > 0) groups.insert(std::llround(std::min(1e9, std::sqrt(static_cast<double>(size) / left))));
  }
  groups.erase(root);
  std::vector<std::int64_t> proper;
  std::copy_if(groups.begin(), groups.end(), std::back_inserter(proper),
               [&](std::int64_t group) { return group > 1 && group < size - 1; });
  return proper;
}

ParameterSpec group_size() {
  return {.name = "group",
          .summary =
              "PEs per group; default: the square root of P, rounded; plan, simulate, emit and explain use another "
              "value if that is predicted to be faster",
          .by_default = root_of_processors,
          .least = [](const Request&) { return std::int64_t{1}; },
          .most = processors,
          .worth_trying = groups_worth_trying};
}

}  // namespace

LineReduce reduce_two_phase() {
  return {.name = "two-phase",
          .summary = "chains within groups of PEs, then a chain of the groups' leaders",
          .source = "Near-Optimal Wafer-Scale Reduce (HPDC'24), §5.4",
          .parameters = {group_size()},
          .cost_tolerance = {.fraction = 0.3},
          .trees = trees,
          .cost = cost};
}

}  // namespace muster
