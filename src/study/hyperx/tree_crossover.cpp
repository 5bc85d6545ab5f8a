// Depths of trees do not depend on the vector, so they are found once; times follow from them for any number of packets.
#include "study/hyperx/tree_crossover.h"

#include <algorithm>
#include <numeric>

#include "base/counted.h"
#include "base/index.h"
#include "collective/switches/groups.h"
#include "collective/switches/packet_times.h"
#include "collective/switches/several_trees.h"
#include "machine/hyperx.h"
#include "plan/job.h"

namespace muster {

std::int64_t crossover_in_packets(const PacketCrossover& crossover) {
  const auto pays = [&](std::int64_t packets) { return crossover.slower(packets) > crossover.faster(packets); };
  // The gain only grows from one period to the next: what pays for a whole period pays for all longer vectors.
  const auto pays_on = [&](std::int64_t packets) {
    for (std::int64_t i = 0; i < crossover.period; ++i) {
      if (!pays(packets + i)) return false;
    }
    return true;
  };
  std::int64_t below = crossover.period - 1;
  std::int64_t from = crossover.period;
  while (!pays_on(from)) {
    below = from;
    from *= 2;
  }
  while (from - below > 1) {
    const std::int64_t middle = below + (from - below) / 2;
    (pays_on(middle) ? from : below) = middle;
  }
  while (from > 1 && pays(from - 1)) --from;
  return from;
}

namespace {

BytesPerSecond memory_each_way(const HyperX& hyperx) { return hyperx.memory_bandwidth * 0.5; }

/// By all links between nodes, whether trees are found or not.
std::int64_t ceiling_of_trees(const HyperX& hyperx) {
  const std::int64_t nodes = hyperx_nodes(hyperx);
  std::int64_t ports = 0;
  for (const std::int32_t size : hyperx.shape) ports += size - 1;
  return nodes > 1 ? nodes * ports / 2 / (nodes - 1) : 1;
}

/// The shortest vector, in elements of the job, that has so many packets, and one for each tree.
std::int64_t elements_of_packets(const Job& job, std::int64_t packets, std::int64_t trees) {
  const std::int64_t words = (std::max(packets, trees) - 1) * words_of_packet(*as<HyperX>(job.machine)) + 1;
  return (words - 1) * elements_per_word(job.arithmetic.type) + 1;
}

TreesAnswer with_vectors_of_nodes(const Job& job, const Request& request) {
  const HyperX& hyperx = *as<HyperX>(job.machine);
  std::vector<std::vector<Ticks>> depths;
  const std::int64_t most = count_trees(request);
  for (std::int64_t trees = 1; trees <= most; ++trees) depths.push_back(depths_of(plan_trees(request, trees)));
  const auto time = [&](std::int64_t trees) {
    return [&hyperx, &own = depths[at(trees - 1)]](std::int64_t packets) {
      return time_on_trees(hyperx, own, packets * words_of_packet(hyperx)).value();
    };
  };
  TreesAnswer answer{.memory = memory_each_way(hyperx), .link = hyperx.link_bandwidth, .per_node = true, .rows = {}};
  for (std::int64_t trees = 1; trees <= most; ++trees) {
    const Ticks predicted = time_on_trees(hyperx, depths[at(trees - 1)], request.count);
    TreesAnswer::Row row{.trees = trees, .predicted = seconds_of(job.machine, predicted)};
    std::int64_t packets = 1;
    for (std::int64_t fewer = 1; fewer < trees; ++fewer) {
      packets = std::max(
          packets,
          crossover_in_packets({.slower = time(fewer), .faster = time(trees), .period = std::lcm(fewer, trees)}));
    }
    row.pays_from = elements_of_packets(job, packets, trees);
    answer.rows.push_back(row);
  }
  return answer;
}

constexpr std::int64_t kMostShown = 4;  ///< of trees that no switch runs at once: the next ones follow the same rule

/// What a switch that ran all trees at once would make of them: packets follow each other on each tree's links, and in memories.
TreesAnswer with_vectors_of_cores(const Job& job, const Request& request, std::int64_t depth) {
  const HyperX& hyperx = *as<HyperX>(job.machine);
  const PacketTimes t(hyperx, request.count);
  TreesAnswer answer{.memory = memory_each_way(hyperx), .link = hyperx.link_bandwidth, .rows = {}};
  for (std::int64_t trees = 1; trees <= std::min(ceiling_of_trees(hyperx), kMostShown); ++trees) {
    const std::int64_t spacing = std::max(t.shared, (t.link + trees - 1) / trees);
    TreesAnswer::Row row{.trees = trees};
    row.predicted = seconds_of(job.machine, Ticks(2 * t.shared + 2 * depth + t.spread(spacing)));
    if (trees > 1) row.beyond_memory = hyperx.link_bandwidth * (2.0 * static_cast<double>(trees - 1));
    answer.rows.push_back(row);
  }
  return answer;
}

}  // namespace

std::optional<TreesAnswer> compare_trees(const Job& job) {
  const HyperX& hyperx = *as<HyperX>(job.machine);
  if (job.collective != Collective::allreduce || ceiling_of_trees(hyperx) < 2) return {};
  const Request request = request_of(job);
  if (!job.options.of<HyperXOptions>().vector_per_node) {
    if (!job.options.of<HyperXOptions>().groups.empty()) return {};  // groups have fewer links than the machine
    const Outcome<std::vector<EmbeddingPlan>> plans = plan_groups(request);
    if (!plans) return {};
    Ticks depth;
    for (const EmbeddingPlan& plan : plans.value()) depth = std::max(depth, plan.depth);
    return with_vectors_of_cores(job, request, depth.value());
  }
  const Algorithm& several = find_algorithm(job.collective, family_name(job.machine), "in-network-trees");
  if (several.unsupported(request) || count_trees(request) < 2) return {};
  return with_vectors_of_nodes(job, request);
}

namespace {

/// Whether more trees pay no later, so that so many are never best.
bool is_overtaken(const TreesAnswer& trees, const TreesAnswer::Row& row) {
  return std::any_of(trees.rows.begin(), trees.rows.end(), [&](const TreesAnswer::Row& other) {
    return other.trees > row.trees && *other.pays_from <= *row.pays_from;
  });
}

}  // namespace

std::string tree_crossover_text(const Job& job, const TreesAnswer& trees) {
  const std::string memory = to_text(trees.memory);
  const std::string link = to_text(trees.link);
  const bool memory_bounds = trees.memory <= trees.link;
  if (!job.options.of<HyperXOptions>().vector_per_node && memory_bounds) {
    return fmt::format(
        "several trees would not help: the memory of a core ({} per direction) is slower than a link ({}); they would "
        "help above {} of memory bandwidth per core, on switches that run several trees at once",
        memory, link, to_text(*trees.rows[1].beyond_memory));
  }
  if (!job.options.of<HyperXOptions>().vector_per_node) {
    return fmt::format(
        "several trees would help, because links ({}) are slower than the memory of a core ({} per direction); but "
        "every "
        "switch would be in all trees, and a switch runs one tree at a time",
        link, memory);
  }
  std::vector<std::string> from;
  for (const TreesAnswer::Row& row : trees.rows) {
    if (row.trees == 1 || is_overtaken(trees, row)) continue;
    const bool first = from.empty();
    from.push_back(fmt::format("{}{} from {}{} on", row.trees, first ? " trees are worthwhile" : "",
                               grouped(*row.pays_from), first ? " elements" : ""));
  }
  return fmt::format("{} (predicted): {}", fmt::join(from, ", "),
                     memory_bounds ? fmt::format("a tree is limited by the memory of one core per node ({} per "
                                                 "direction), not by links of {}, and every tree uses its own cores",
                                                 memory, link)
                                   : fmt::format("a tree is limited by its links of {}, not by the memory of a core "
                                                 "({} per direction), and every tree uses its own links",
                                                 link, memory));
}

void add_trees(const Job& job, PlanAnswer& answer) {
  answer.trees = compare_trees(job);
  if (!answer.trees) return;
  const std::string text = tree_crossover_text(job, *answer.trees);
  answer.crossover = answer.trees->per_node || answer.crossover.empty() ? text : answer.crossover + "; " + text;
}

}  // namespace muster
