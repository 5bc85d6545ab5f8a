// What each collective means, rank by rank.
#include "schedule/contract.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/error.h"

namespace muster {

namespace {

constexpr std::array<std::string_view, kCollectives> kNames = {"reduce",    "broadcast",  "allreduce", "reduce-scatter",
                                                               "allgather", "scatter",    "gather",    "all-to-all",
                                                               "barrier",   "neighbours", "scan",      "stencil"};
constexpr std::array<std::string_view, 1 + kBuffers> kBufferNames = {"none",  "input",  "output", "scratch",
                                                                     "model", "series", "record"};

std::int64_t parts_of(const Contract& contract) { return static_cast<std::int64_t>(contract.ranks.size()); }

/// Block j of rank i's output is block i of rank j's input.
std::vector<Owed> owed_all_to_all(const Contract& contract, std::int32_t index) {
  std::vector<Owed> owed;
  const Range mine = block_of(contract, index);
  for (std::int32_t j = 0; j < parts_of(contract); ++j) {
    const Range range = block_of(contract, j);
    owed.push_back({.range = range, .source = j, .displacement = mine.first - range.first});
  }
  return owed;
}

std::vector<Owed> owed_blocks(const Contract& contract) {
  std::vector<Owed> owed;
  for (std::int32_t j = 0; j < parts_of(contract); ++j) owed.push_back({.range = block_of(contract, j), .source = j});
  return owed;
}

/// The first block that is not inside the vector, or the first two that share an element.
std::optional<std::string> block_problem(const Contract& contract) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < contract.blocks.size(); ++i) {
    const Range& block = contract.blocks[i];
    if (block.first < 0 || block.count < 0 || block.first > contract.count ||
        block.count > contract.count - block.first)
      return fmt::format("has block {} at [{}, {}), outside its {} elements", i, block.first, block.end(),
                         contract.count);
    if (block.count > 0) order.push_back(i);
  }
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return contract.blocks[a].first < contract.blocks[b].first; });
  for (std::size_t k = 1; k < order.size(); ++k) {
    if (contract.blocks[order[k - 1]].end() <= contract.blocks[order[k]].first) continue;
    return fmt::format("has element {} in blocks {} and {}; an element is in one block",
                       contract.blocks[order[k]].first, std::min(order[k - 1], order[k]),
                       std::max(order[k - 1], order[k]));
  }
  return std::nullopt;
}

std::vector<Owed> owed_neighbours(const Contract& contract, std::int32_t index) {
  std::vector<Owed> owed;
  for (std::size_t j = 0; j < contract.neighbours.size(); ++j) {
    const Offset offset = contract.neighbours[j];
    const std::int32_t rank = rank_beside(contract, index, offset.dx, offset.dy);
    if (rank < 0) continue;
    const std::int64_t slot = static_cast<std::int64_t>(j) * contract.count;
    owed.push_back({.range = {slot, contract.count}, .source = rank, .displacement = -slot});
  }
  return owed;
}

std::vector<Owed> owed_stencil(const Contract& c) {
  std::vector<Owed> owed;
  if (c.margin > 0) owed.push_back({.range = {0, c.margin}, .source = kZeros});
  owed.push_back({.range = {c.margin, c.count}, .source = kTerms});
  if (c.margin > 0) owed.push_back({.range = {c.margin + c.count, c.margin}, .source = kZeros});
  return owed;
}

/// The first term that reads what is not there, or that is there twice.
std::optional<std::string> term_problem(const Contract& c) {
  std::set<StencilTerm> seen;
  for (std::size_t i = 0; i < c.terms.size(); ++i) {
    const StencilTerm& term = c.terms[i];
    if (term.buffer != c.from && term.buffer != c.to) {
      return fmt::format("has term {} of {}; use {} or {}", i, buffer_name(term.buffer), buffer_name(c.from),
                         buffer_name(c.to));
    }
    if (term.dz < -c.margin || term.dz > c.margin)
      return fmt::format("has term {} with dz {}, beyond its margin of {}", i, term.dz, c.margin);
    if (!seen.insert(term).second) return fmt::format("has term {} twice", i);
  }
  return std::nullopt;
}

/// What is wrong with a source or a receiver; `name` is one of them.
std::optional<std::string> point_problem(const Contract& c, const std::vector<StencilPoints>& points,
                                         std::string_view name) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const StencilPoints& p = points[i];
    if (p.rank < 0 || p.rank >= parts_of(c))
      return fmt::format("has {} {} at rank {} of {}", name, i, p.rank, parts_of(c));
    if (p.elements.count < 1 || p.elements.first < c.margin || p.elements.first > c.margin + c.count ||
        p.elements.count > c.margin + c.count - p.elements.first) {
      return fmt::format("has {} {} at elements [{}, {}), outside [{}, {})", name, i, p.elements.first,
                         p.elements.first + p.elements.count, c.margin, c.margin + c.count);
    }
    if (p.first < 0 || p.first > kMostElements / 4)
      return fmt::format("has {} {} from element {} on; use 0 or more", name, i, p.first);
  }
  return std::nullopt;
}

/// Two receivers of a rank that are recorded in one element.
std::optional<std::string> record_problem(const Contract& c) {
  std::vector<std::pair<std::int32_t, Range>> records;
  for (const StencilPoints& p : c.receivers) records.push_back({p.rank, {p.first, p.elements.count}});
  std::sort(records.begin(), records.end());
  for (std::size_t i = 1; i < records.size(); ++i) {
    if (records[i].first != records[i - 1].first || records[i].second.first >= records[i - 1].second.end()) continue;
    return fmt::format("records twice in element {} of rank {}", records[i].second.first, records[i].first);
  }
  return std::nullopt;
}

std::optional<std::string> stencil_problem(const Contract& c) {
  if (c.collective != Collective::stencil) {
    const bool has_points = !c.sources.empty() || !c.receivers.empty();
    if (c.margin == 0 && c.terms.empty() && c.steps == 1 && !has_points) return std::nullopt;
    return fmt::format("has {}, which only a stencil may have, not {}",
                       has_points ? "sources or receivers" : "terms, a margin or steps", collective_name(c.collective));
  }
  if (c.columns < 1 || parts_of(c) % c.columns != 0)
    return fmt::format("has {} columns for {} ranks", c.columns, parts_of(c));
  if (c.from == c.to) return fmt::format("has u(n) and u(n-1) in {}; use two buffers", buffer_name(c.to));
  if (c.from == Buffer::model || c.to == Buffer::model)
    return std::string("has a vector in model, which is for constants");
  if (c.margin < 0 || c.margin > kMostElements / 4) return fmt::format("has a margin of {}; use 0 or more", c.margin);
  if (c.count > kMostElements / 4) return fmt::format("has {} elements; use at most {}", c.count, kMostElements / 4);
  if (c.terms.empty()) return std::string("has no terms; list at least one");
  if (c.steps < 1) return fmt::format("has {} time steps; use at least 1", c.steps);
  if (const auto problem = term_problem(c)) return problem;
  if (const auto problem = point_problem(c, c.sources, "source")) return problem;
  if (const auto problem = point_problem(c, c.receivers, "receiver")) return problem;
  return record_problem(c);
}

}  // namespace

std::string_view collective_name(Collective collective) { return kNames[static_cast<std::size_t>(collective)]; }

std::optional<Collective> collective_from_name(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<Collective>(found - kNames.begin());
}

std::vector<std::string> collective_names() { return {kNames.begin(), kNames.end()}; }

bool has_root(Collective collective) {
  return collective == Collective::reduce || collective == Collective::broadcast || collective == Collective::scatter ||
         collective == Collective::gather;
}

bool combines(Collective collective) {
  return collective == Collective::reduce || collective == Collective::allreduce ||
         collective == Collective::reduce_scatter || collective == Collective::scan;
}

bool treats_elements_alike(Collective collective) {
  return collective == Collective::reduce || collective == Collective::broadcast ||
         collective == Collective::allreduce || collective == Collective::scan;
}

bool takes_blocks(Collective collective) {
  return collective == Collective::reduce_scatter || collective == Collective::allgather ||
         collective == Collective::scatter || collective == Collective::gather;
}

std::string_view buffer_name(Buffer buffer) { return kBufferNames[static_cast<std::size_t>(buffer)]; }

std::optional<Buffer> buffer_from_name(std::string_view name) {
  const auto found = std::find(kBufferNames.begin(), kBufferNames.end(), name);
  if (found == kBufferNames.end()) return std::nullopt;
  return static_cast<Buffer>(found - kBufferNames.begin());
}

Range block_of(const Contract& contract, std::int32_t index) {
  if (!contract.blocks.empty()) return contract.blocks[static_cast<std::size_t>(index)];
  return block(contract.count, parts_of(contract), index);
}

std::optional<std::string> shape_problem(const Contract& contract) {
  const std::string_view name = collective_name(contract.collective);
  const std::string_view who = contract.root_in_place ? "its root" : "all but its root";
  if (is_partly_in_place(contract) && contract.collective != Collective::reduce)
    return fmt::format("has {} in place, which only a reduce may have, not {}", who, name);
  if (contract.root_in_place && contract.others_in_place)
    return fmt::format("has its root and all others in place; use {} for both buffers", buffer_name(contract.to));
  if (is_partly_in_place(contract) && contract.from == contract.to) {
    return fmt::format("has {} in place and all ranks in {}; leave out that some are", who, buffer_name(contract.to));
  }
  if (const auto problem = stencil_problem(contract)) return problem;
  if (contract.blocks.empty()) return std::nullopt;
  if (!takes_blocks(contract.collective))
    return fmt::format("has blocks, which {} does not work on; leave them out", name);
  if (contract.blocks.size() != contract.ranks.size())
    return fmt::format("has {} blocks for {} ranks; list one for each", contract.blocks.size(), contract.ranks.size());
  return block_problem(contract);
}

bool has_arrays(const Contract& contract) {
  return std::any_of(contract.terms.begin(), contract.terms.end(),
                     [](const StencilTerm& term) { return !term.array.empty(); });
}

bool has_point(const Contract& contract, const std::vector<StencilPoints>& points, NodeId node) {
  return std::any_of(points.begin(), points.end(),
                     [&](const StencilPoints& p) { return contract.ranks[static_cast<std::size_t>(p.rank)] == node; });
}

std::int32_t rank_beside(const Contract& contract, std::int32_t index, std::int64_t dx, std::int64_t dy) {
  const std::int64_t x = index % contract.columns + dx;
  const std::int64_t y = index / contract.columns + dy;
  const std::int64_t rows = parts_of(contract) / contract.columns;
  if (x < 0 || x >= contract.columns || y < 0 || y >= rows) return -1;
  return static_cast<std::int32_t>(y * contract.columns + x);
}

Buffer held_in(const Contract& contract, std::int32_t index) {
  if (contract.collective == Collective::stencil) return newest_before(contract);
  const bool in_place = index == contract.root ? contract.root_in_place : contract.others_in_place;
  return in_place ? contract.to : contract.from;
}

std::vector<Range> held_before(const Contract& contract, std::int32_t index) {
  const Range whole{0, contract.count};
  switch (contract.collective) {
    case Collective::broadcast:
    case Collective::scatter:
      return index == contract.root ? std::vector{whole} : std::vector<Range>{};
    case Collective::allgather:
    case Collective::gather:
      return {block_of(contract, index)};
    case Collective::reduce:
    case Collective::allreduce:
    case Collective::reduce_scatter:
    case Collective::all_to_all:
    case Collective::barrier:
    case Collective::neighbours:
    case Collective::scan:
      return {whole};
    case Collective::stencil:
      return {{contract.margin, contract.count}};
  }
  MUSTER_ASSERT(false, "collective {}", static_cast<int>(contract.collective));
  return {};
}

std::vector<Owed> owed_after(const Contract& contract, std::int32_t index) {
  const Owed whole{.range = {0, contract.count}};
  const bool is_root = index == contract.root;
  switch (contract.collective) {
    case Collective::reduce:
      return is_root ? std::vector{whole} : std::vector<Owed>{};
    case Collective::broadcast:
      return {{.range = whole.range, .source = contract.root}};
    case Collective::allreduce:
      return {whole};
    case Collective::reduce_scatter:
      return {{.range = block_of(contract, index)}};
    case Collective::allgather:
      return owed_blocks(contract);
    case Collective::scatter:
      return {{.range = block_of(contract, index), .source = contract.root}};
    case Collective::gather:
      return is_root ? owed_blocks(contract) : std::vector<Owed>{};
    case Collective::all_to_all:
      return owed_all_to_all(contract, index);
    case Collective::barrier:
      return {{.range = whole.range, .at_least_once = true}};
    case Collective::neighbours:
      return owed_neighbours(contract, index);
    case Collective::scan:
      return {{.range = whole.range, .source = kRanksUpToIt}};
    case Collective::stencil:
      return owed_stencil(contract);
  }
  MUSTER_ASSERT(false, "collective {}", static_cast<int>(contract.collective));
  return {};
}

std::span<const NodeId> sources_of(const Contract& contract, std::int32_t index, const Owed& owed) {
  const std::span<const NodeId> ranks = contract.ranks;
  if (owed.source == kEveryRank) return ranks;
  if (owed.source < kRanksUpToIt) return {};
  if (owed.source == kRanksUpToIt) return ranks.first(static_cast<std::size_t>(index) + 1);
  return ranks.subspan(static_cast<std::size_t>(owed.source), 1);
}

}  // namespace muster
