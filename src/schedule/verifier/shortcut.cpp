// The shortcut for the composition: flat arrays over nodes, sets of elements by number.
#include "schedule/verifier/shortcut.h"

#include <algorithm>

namespace muster::verifier {
namespace {

constexpr std::size_t index_of(Buffer buffer) { return static_cast<std::size_t>(buffer) - 1; }

bool is_gathered(Collective collective) {
  return collective == Collective::allgather || collective == Collective::gather;
}

/// Whether the root alone holds what the others get.
bool comes_from_root(Collective collective) {
  return collective == Collective::broadcast || collective == Collective::scatter;
}

bool goes_to_root(Collective collective) {
  return collective == Collective::reduce || collective == Collective::gather;
}

bool is_usual(Collective collective) {
  return (combines(collective) && collective != Collective::scan) || is_gathered(collective) ||
         comes_from_root(collective);
}

/// All that a rank may owe at the end of a part, sorted and merged; as much for every rank that owes, or for this one.
std::vector<Range> owed_ranges(const Contract& contract, std::int32_t rank) {
  std::vector<Range> ranges;
  for (const Owed& owed : owed_after(contract, rank)) {
    if (owed.range.count > 0) ranges.push_back(owed.range);
  }
  std::sort(ranges.begin(), ranges.end());
  std::vector<Range> merged;
  for (const Range& range : ranges) {
    if (!merged.empty() && merged.back().end() == range.first) {
      merged.back().count += range.count;
    } else {
      merged.push_back(range);
    }
  }
  return merged;
}

bool covers(const std::vector<Range>& ranges, const Footprint::Set& set) {
  const auto is_covered = [&](const auto& piece) {
    const auto range =
        std::partition_point(ranges.begin(), ranges.end(), [&](const Range& r) { return r.end() <= piece.first; });
    return range != ranges.end() && range->first <= piece.first && piece.end <= range->end();
  };
  return std::all_of(set.pieces().begin(), set.pieces().end(), is_covered);
}

}  // namespace

Shortcut::Shortcut(const PhaseSubject& phases, const VerifyOptions& options)
    : schedule_(phases.subject.schedule),
      footprints_(phases.footprints),
      contributions_(schedule_, options),
      span_sets_(schedule_, sets_),
      memories_{KnownElements(sets_, contributions_), KnownElements(sets_, contributions_),
                KnownElements(sets_, contributions_)},
      groups_(schedule_.group_sets.size()) {
  find_initial();
  find_parts();
}

void Shortcut::find_initial() {
  for (KnownElements::Pieces& pieces : initial_) pieces.resize(at(schedule_.node_count));
  for (const Contract& contract : schedule_.contracts) {
    // The representative of one contract's blocks may be a rank of another.
    const bool is_alone = schedule_.contracts.size() == 1 || !is_gathered(contract.collective);
    fits_ = fits_ && is_usual(contract.collective) && is_alone;
    most_ = std::min(most_, contract.count);
    find_initial(contract);
  }
}

void Shortcut::find_initial(const Contract& contract) {
  Value expected;
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(contract.ranks.size()); ++i) {
    const NodeId node = contract.ranks[at(i)];
    const Buffer buffer = held_in(contract, i);
    const bool is_source = !comes_from_root(contract.collective) || i == contract.root;
    if (is_gathered(contract.collective) && i > 0) break;  // rank 0 represents those that have a block; see begin()
    if (!is_source) continue;
    const Value own = contributions_.of(node, buffer);
    expected = i == 0 || comes_from_root(contract.collective) ? own : contributions_.add(expected, own);
    if (!is_gathered(contract.collective))
      initial_[index_of(buffer)][at(node)] = {.set = KnownElements::kEverything, .value = own};
  }
  expected_.push_back(expected);
}

void Shortcut::find_parts() {
  for (std::size_t i = 0; i < schedule_.parts.size(); ++i) {
    Part& part = parts_.emplace_back();
    if (footprints_[i].empty()) continue;  // no phase uses it
    const Contract& contract = schedule_.parts[i].contracts.front();
    part.is_usual = is_usual(contract.collective);
    if (!part.is_usual) continue;
    if (takes_blocks(contract.collective)) part.cut = span_sets_.cut(contract);
    find_spoilers(contract, footprints_[i], part);
  }
}

void Shortcut::find_spoilers(const Contract& contract, const Footprints& footprints, Part& part) {
  const bool in_place = contract.from == contract.to;
  const bool same_for_all = !goes_to_root(contract.collective) && contract.collective != Collective::reduce_scatter &&
                            contract.collective != Collective::scatter;
  std::vector<Range> owed;
  for (std::size_t i = 0; i < contract.ranks.size(); ++i) {
    const auto rank = static_cast<std::int32_t>(i);
    const Footprint& footprint = footprints[at(contract.ranks[i])];
    if (!in_place && !footprint.stores_from.pieces().empty()) part.spoils_from.push_back(rank);
    const Footprint::Set& stores = in_place ? footprint.stores_from : footprint.stores_to;
    if (stores.pieces().empty()) continue;
    if (!same_for_all || owed.empty()) owed = owed_ranges(contract, rank);
    if (!covers(owed, stores)) part.spoils_to.push_back(rank);
  }
}

/// The group set with its elements + shift, and with blocks if `cut` is one.
Shortcut::Groups& Shortcut::groups_at(std::int32_t group_set, std::int64_t shift, std::int32_t cut) {
  std::optional<Groups>& result = groups_[at(group_set)];
  const std::vector<Group>& groups = schedule_.group_sets[at(group_set)];
  const bool is_new = !result;
  if (is_new) {
    result.emplace();
    for (const Group& group : groups) {
      result->stride = group.members.size();
      result->members.insert(result->members.end(), group.members.begin(), group.members.end());
    }
  }
  if (!is_new && result->shift == shift && (cut < 0 || cut == result->cut)) return *result;
  result->shift = shift;
  result->cut = cut;
  find_sets(groups, *result);
  return *result;
}

void Shortcut::find_sets(const std::vector<Group>& groups, Groups& result) {
  result.wholes.clear();
  result.blocks.clear();
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const SpanId on = groups[g].on;
    const bool is_same = g > 0 && on == groups[g - 1].on;  // groups often share a span
    result.wholes.push_back(is_same ? result.wholes.back() : span_sets_.whole(on, result.shift));
    if (result.cut < 0) continue;
    result.blocks.push_back(is_same ? result.blocks.back() : span_sets_.blocks(on, result.shift, result.cut));
  }
}

bool Shortcut::proves(const Component& component) {
  if (!fits_ || component.phases.empty()) return false;
  const std::int64_t offset = schedule_.phases[at(component.phases.front())].offset;
  if (!begin(component, offset)) return false;
  for (const std::int32_t number : component.phases) {
    const Phase& phase = schedule_.phases[at(number)];
    if (!parts_[at(phase.part)].is_usual || !apply(phase, phase.offset - offset)) return false;
  }
  for (std::size_t i = 0; i < schedule_.contracts.size(); ++i) {
    const Contract& contract = schedule_.contracts[i];
    const std::vector<Range>& elements = component.elements[index_of(contract.to)];
    if (!elements.empty() && !is_fulfilled(contract, expected_[i], elements, offset)) return false;
  }
  return true;
}

/// Sets the memories to what contracts say is held; false if a component is beyond some contract.
bool Shortcut::begin(const Component& component, std::int64_t offset) {
  for (std::size_t b = 0; b < component.elements.size(); ++b) {
    std::vector<Range> elements = component.elements[b];
    if (elements.empty()) continue;
    if (elements.back().end() > most_) return false;
    for (Range& range : elements) range.first -= offset;
    memories_[b].reset(initial_[b], sets_.add(elements));
  }
  const Contract& contract = schedule_.contracts.front();
  if (!is_gathered(contract.collective)) return true;
  const std::vector<Range>& elements = component.elements[index_of(contract.from)];
  if (elements.empty()) return true;
  const std::vector<SetId> held = blocks_in(contract, elements, offset);
  for (std::size_t rank = 0; rank < contract.ranks.size(); ++rank) {
    if (held[rank] != ElementSets::kEmpty)
      memory(contract.from).assign(contract.ranks[rank], held[rank], expected_.front());
  }
  return true;
}

/// Runs all groups of a phase, whose offset is so much more than that of the component's first one; false if something that
/// they need is not known.
bool Shortcut::apply(const Phase& phase, std::int64_t shift) {
  const Contract& contract = schedule_.parts[at(phase.part)].contracts.front();
  const Part& part = parts_[at(phase.part)];
  const Groups& groups = groups_at(phase.groups, shift, part.cut);
  for (std::size_t g = 0; g < groups.wholes.size(); ++g) {
    const Run run{.contract = contract,
                  .part = part,
                  .members = groups.members.data() + g * groups.stride,
                  .whole = groups.wholes[g],
                  .blocks = part.cut < 0 ? nullptr : span_sets_.blocks_at(groups.blocks[g]),
                  .input = memory(phase.input),
                  .output = memory(phase.output)};
    Value value;
    if (!combine(run, value)) return false;
    for (const std::int32_t rank : part.spoils_from) run.input.forget(run.node(at(rank)), run.whole);
    for (const std::int32_t rank : part.spoils_to) run.output.forget(run.node(at(rank)), run.whole);
    write(run, value);
  }
  return true;
}

/// What all elements that a group owes will hold.
bool Shortcut::combine(const Run& run, Value& value) {
  if (combines(run.contract.collective)) return combine_all(run, value);
  if (is_gathered(run.contract.collective)) return find_blocks(run, value);
  const Value* known = run.input.find(run.node(at(run.contract.root)), run.whole);
  if (known != nullptr) value = *known;
  return known != nullptr;
}

bool Shortcut::combine_all(const Run& run, Value& value) {
  const NodeId* const ranks = run.contract.ranks.data();
  const std::size_t size = run.contract.ranks.size();
  const bool is_mixed = is_partly_in_place(run.contract);
  const std::size_t apart = at(is_mixed ? run.contract.root : 0);  // read first
  KnownElements& others = run.contract.others_in_place ? run.output : run.input;
  KnownElements& alone = run.contract.root_in_place ? run.output : is_mixed ? run.input : others;
  const Value* known = alone.find(run.node(apart), run.whole);
  if (known == nullptr) return false;
  value = *known;
  const auto add = [&](std::size_t first, std::size_t end) {
    value = contributions_.sum(value, [&]() -> const Value* {
      if (first >= end) return nullptr;
      known = others.find(run.members[ranks[first++]], run.whole);
      return known;
    });
    return known != nullptr;
  };
  return add(0, apart) && add(apart + 1, size);
}

/// The same value in every rank's block.
bool Shortcut::find_blocks(const Run& run, Value& value) {
  bool is_first = true;
  for (std::size_t i = 0; i < run.contract.ranks.size(); ++i) {
    if (run.blocks[i] == ElementSets::kEmpty) continue;
    const Value* known = run.input.find(run.node(i), run.blocks[i]);
    if (known == nullptr || (!is_first && !contributions_.same(*known, value))) return false;
    value = *known;
    is_first = false;
  }
  return true;
}

void Shortcut::write(const Run& run, const Value& value) {
  const Contract& contract = run.contract;
  const bool in_blocks = run.blocks != nullptr;
  const SetId all = in_blocks ? run.blocks[contract.ranks.size()] : run.whole;
  if (all == ElementSets::kEmpty) return;
  if (goes_to_root(contract.collective)) {
    const auto root = at(contract.root);
    run.output.assign(run.node(root), all, value, in_blocks ? run.blocks[root] : all);
  } else if (!in_blocks || is_gathered(contract.collective)) {
    for (std::size_t i = 0; i < contract.ranks.size(); ++i)
      run.output.assign(run.node(i), all, value, in_blocks ? run.blocks[i] : all);
  } else {
    for (std::size_t i = 0; i < contract.ranks.size(); ++i) {
      if (run.blocks[i] != ElementSets::kEmpty) run.output.assign(run.node(i), run.blocks[i], value);
    }
  }
}

/// By rank, then all: those of the elements that are in its block; without the offset.
std::vector<SetId> Shortcut::blocks_in(const Contract& contract, const std::vector<Range>& elements,
                                       std::int64_t offset) {
  std::vector<SetId> sets;
  std::vector<Range> mine;
  std::vector<Range> all;
  for (std::size_t i = 0; i < contract.ranks.size(); ++i) {
    const Range whole = block_of(contract, static_cast<std::int32_t>(i));
    mine.clear();
    auto range =
        std::partition_point(elements.begin(), elements.end(), [&](const Range& r) { return r.end() <= whole.first; });
    for (; range != elements.end() && range->first < whole.end(); ++range) {
      const std::int64_t first = std::max(range->first, whole.first);
      mine.push_back({first - offset, std::min(range->end(), whole.end()) - first});
    }
    all.insert(all.end(), mine.begin(), mine.end());
    sets.push_back(sets_.add(mine));
  }
  sets.push_back(sets_.add(all));
  return sets;
}

/// In the elements, which are some of `to`.
bool Shortcut::is_fulfilled(const Contract& contract, const Value& expected, const std::vector<Range>& elements,
                            std::int64_t offset) {
  const std::size_t ranks = contract.ranks.size();
  std::vector<SetId> blocks;
  std::vector<Range> everywhere = elements;
  for (Range& range : everywhere) range.first -= offset;
  if (takes_blocks(contract.collective)) blocks = blocks_in(contract, elements, offset);
  const SetId all = blocks.empty() ? sets_.add(everywhere) : blocks.back();
  if (goes_to_root(contract.collective)) return holds(contract, at(contract.root), all, expected);
  const bool by_rank = !blocks.empty() && !is_gathered(contract.collective);
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    if (!holds(contract, rank, by_rank ? blocks[rank] : all, expected)) return false;
  }
  return true;
}

bool Shortcut::holds(const Contract& contract, std::size_t rank, SetId set, const Value& expected) {
  if (set == ElementSets::kEmpty) return true;
  const Value* known = memory(contract.to).find(contract.ranks[rank], set);
  return known != nullptr && contributions_.same(*known, expected);
}

}  // namespace muster::verifier
