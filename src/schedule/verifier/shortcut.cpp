// The shortcut for the composition: flat arrays over nodes, sets of elements by number.
#include "schedule/verifier/shortcut.h"

#include <algorithm>

namespace muster::verifier {
namespace {

constexpr std::size_t index_of(Buffer buffer) { return static_cast<std::size_t>(buffer) - 1; }

bool is_usual(const Contract& contract) {
  for (std::size_t i = 0; i < contract.ranks.size(); ++i) {
    if (at(contract.ranks[i]) != i) return false;
  }
  return combines(contract.collective) || contract.collective == Collective::allgather ||
         contract.collective == Collective::broadcast;
}

}  // namespace

Shortcut::Shortcut(const PhaseSubject& phases, const VerifyOptions& options)
    : schedule_(phases.subject.schedule),
      footprints_(phases.footprints),
      contributions_(schedule_, options),
      groups_(schedule_.group_sets.size()),
      span_sets_(at(schedule_.spans.size())) {
  find_initial();
  find_parts();
}

void Shortcut::find_initial() {
  for (Memory& memory : initial_) memory.resize(at(schedule_.node_count));
  for (const Contract& contract : schedule_.contracts) {
    most_ = std::min(most_, contract.count);
    Memory& memory = initial_[static_cast<std::size_t>(contract.from) - 1];
    Value expected;
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(contract.ranks.size()); ++i) {
      const NodeId node = contract.ranks[at(i)];
      const Value own = contributions_.of(node, contract.from);
      expected = i == 0 ? own : contributions_.add(expected, own);
      if (contract.collective == Collective::allgather) continue;  // find_blocks()
      if (!held_before(contract, i).empty()) memory[at(node)] = {kEverything, own};
    }
    if (contract.collective == Collective::broadcast) {
      expected = contributions_.of(contract.ranks[at(contract.root)], contract.from);
    } else if (contract.collective == Collective::allgather) {
      expected = contributions_.of(contract.ranks.front(), contract.from);  // represents the rank that owns the block
      gathers_ = true;
    }
    expected_.push_back(expected);
  }
  memories_ = initial_;
}

void Shortcut::find_parts() {
  for (std::size_t i = 0; i < schedule_.parts.size(); ++i) {
    Part& part = parts_.emplace_back();
    if (footprints_[i].empty()) continue;  // no phase uses it
    part.is_usual = is_usual(schedule_.parts[i].contracts.front());
    for (const Footprint& footprint : footprints_[i]) {
      part.spoils_from.push_back(!footprint.stores_from.pieces().empty());
      part.spoils_to.push_back(!footprint.stores_to.pieces().empty());
      part.stores_from |= part.spoils_from.back();
    }
  }
}

const Shortcut::Groups& Shortcut::groups_at(std::int32_t group_set, std::size_t ranks) {
  std::optional<Groups>& result = groups_[at(group_set)];
  if (result && result->ranks == ranks) return *result;
  result.emplace();
  result->ranks = ranks;
  for (const Group& group : schedule_.group_sets[at(group_set)]) {
    const SpanSets& sets = sets_of(group.on, ranks);
    result->stride = group.members.size();
    result->members.insert(result->members.end(), group.members.begin(), group.members.end());
    result->wholes.push_back(sets.whole);
    result->blocks.push_back(sets.blocks);
  }
  return *result;
}

/// The set of a span's elements and of its blocks, one for each of so many members.
const Shortcut::SpanSets& Shortcut::sets_of(SpanId span, std::size_t members) {
  SpanSets& sets = span_sets_[at(span)];
  if (sets.members == members) return sets;
  const auto ranges = schedule_.spans.ranges(span);
  const std::int64_t count = schedule_.spans.count(span);
  std::vector<Range> some;
  if (sets.whole == kNothing) {
    const Range hull = schedule_.spans.hull(span);
    some.assign(ranges.begin(), ranges.end());
    sets.whole = count == hull.count ? sets_.add(hull) : sets_.add(some);
  }
  sets.members = members;
  sets.blocks = blocks_.size();
  std::size_t index = 0;
  std::int64_t used = 0;  // of range `index`
  for (std::size_t i = 0; i < members; ++i) {
    some.clear();
    const Range mine = block(count, static_cast<std::int64_t>(members), static_cast<std::int64_t>(i));
    for (std::int64_t left = mine.count; left > 0;) {
      const std::int64_t now = std::min(left, ranges[index].count - used);
      some.push_back({ranges[index].first + used, now});
      left -= now;
      used += now;
      if (used == ranges[index].count) ++index, used = 0;
    }
    blocks_.push_back(some.size() == 1 ? sets_.add(some.front()) : sets_.add(some));
  }
  return sets;
}

bool Shortcut::proves(const Component& component) {
  if (component.phases.empty()) return false;
  if (gathers_ && schedule_.contracts.size() > 1)
    return false;  // the representative of one contract may be a rank of another
  const std::int64_t offset = schedule_.phases[at(component.phases.front())].offset;
  std::array<std::vector<Range>, 3> elements = component.elements;
  for (std::size_t b = 0; b < elements.size(); ++b) {
    if (elements[b].empty()) continue;
    if (elements[b].back().end() > most_) return false;
    for (Range& range : elements[b]) range.first -= offset;
    memories_[b] = initial_[b];
  }
  for (std::size_t i = 0; i < schedule_.contracts.size(); ++i) {
    const Contract& contract = schedule_.contracts[i];
    if (contract.collective != Collective::allgather) continue;
    const std::vector<SetId> held = blocks_in(contract, component.elements[index_of(contract.from)], offset);
    for (std::size_t rank = 0; rank < held.size(); ++rank) {
      memory(contract.from)[at(contract.ranks[rank])] = {held[rank], expected_[i]};
    }
  }
  for (const std::int32_t number : component.phases) {
    const Phase& phase = schedule_.phases[at(number)];
    if (phase.offset != offset || !parts_[at(phase.part)].is_usual || !apply(phase)) return false;
  }
  for (std::size_t i = 0; i < schedule_.contracts.size(); ++i) {
    const Contract& contract = schedule_.contracts[i];
    std::vector<Range>& owed = elements[static_cast<std::size_t>(contract.to) - 1];
    if (owed.empty()) continue;
    std::vector<SetId> sets;
    if (contract.collective == Collective::reduce_scatter) {
      sets = blocks_in(contract, component.elements[index_of(contract.to)], offset);
    } else {
      sets.assign(contract.ranks.size(), sets_.add(owed));
    }
    if (!is_fulfilled(contract, expected_[i], sets)) return false;
  }
  return true;
}

/// Runs all groups of a phase; false if something that they need is not known.
bool Shortcut::apply(const Phase& phase) {
  const Contract& contract = schedule_.parts[at(phase.part)].contracts.front();
  const Part& part = parts_[at(phase.part)];
  const Groups& groups = groups_at(phase.groups, contract.ranks.size());
  Memory& output = memory(phase.output);
  input_ = &memory(phase.input);
  const std::size_t size = contract.ranks.size();
  const bool root_alone = contract.collective == Collective::reduce;
  const bool in_blocks = contract.collective == Collective::reduce_scatter;
  const bool spoils = root_alone || (part.stores_from && phase.input != phase.output);
  for (std::size_t g = 0; g < groups.wholes.size(); ++g) {
    Value value;
    if (!combine(contract, groups, g, value)) return false;
    const NodeId* members = groups.members.data() + g * groups.stride;
    for (std::size_t i = 0; spoils && i < size; ++i) {
      if (part.spoils_from[i]) memory(phase.input)[at(members[i])].set = kNothing;
      if (part.spoils_to[i]) output[at(members[i])].set = kNothing;
    }
    if (root_alone) {
      output[at(members[contract.root])] = {groups.wholes[g], value};
      continue;
    }
    const SetId* blocks = blocks_.data() + groups.blocks[g];
    for (std::size_t i = 0; i < size; ++i) {
      output[at(members[i])] = {in_blocks ? blocks[i] : groups.wholes[g], value};
    }
  }
  return true;
}

/// What all elements that a group owes will hold.
bool Shortcut::combine(const Contract& contract, const Groups& groups, std::size_t group, Value& value) {
  const std::size_t size = contract.ranks.size();
  const NodeId* members = groups.members.data() + group * groups.stride;
  const SetId whole = groups.wholes[group];
  const Memory& input = *input_;
  if (contract.collective == Collective::broadcast) {
    value = input[at(members[contract.root])].value;
    return holds(input, members[contract.root], whole);
  }
  if (combines(contract.collective)) {
    for (std::size_t i = 0; i < size; ++i) {
      if (!holds(input, members[i], whole)) return false;
      const Value& own = input[at(members[i])].value;
      value = i == 0 ? own : contributions_.add(value, own);
    }
    return true;
  }
  const SetId* blocks = blocks_.data() + groups.blocks[group];
  value = input[at(members[0])].value;  // larger blocks come first: the first one is not empty
  for (std::size_t i = 0; i < size; ++i) {
    if (blocks[i] == ElementSets::kEmpty) continue;
    if (!holds(input, members[i], blocks[i]) || !contributions_.same(input[at(members[i])].value, value)) return false;
  }
  return true;
}

/// By rank: those of the elements that are in its block; without the offset.
std::vector<SetId> Shortcut::blocks_in(const Contract& contract, const std::vector<Range>& elements,
                                       std::int64_t offset) {
  std::vector<SetId> sets;
  std::vector<Range> mine;
  const auto ranks = static_cast<std::int64_t>(contract.ranks.size());
  auto range = elements.begin();
  for (std::int64_t i = 0; i < ranks; ++i) {
    const Range whole = block(contract.count, ranks, i);
    mine.clear();
    while (range != elements.end() && range->end() <= whole.first) ++range;
    for (auto overlap = range; overlap != elements.end() && overlap->first < whole.end(); ++overlap) {
      const std::int64_t first = std::max(overlap->first, whole.first);
      mine.push_back({first - offset, std::min(overlap->end(), whole.end()) - first});
    }
    sets.push_back(mine.empty() ? ElementSets::kEmpty : sets_.add(mine));
  }
  return sets;
}

bool Shortcut::is_fulfilled(const Contract& contract, const Value& expected, const std::vector<SetId>& owed) {
  const Memory& memory = this->memory(contract.to);
  for (std::size_t i = 0; i < contract.ranks.size(); ++i) {
    if (contract.collective == Collective::reduce && i != at(contract.root)) continue;
    const NodeId node = contract.ranks[i];
    if (owed[i] == ElementSets::kEmpty) continue;
    if (!holds(memory, node, owed[i]) || !contributions_.same(memory[at(node)].value, expected)) return false;
  }
  return true;
}

}  // namespace muster::verifier
