// Components of phases: what can be looked at alone, and what is the same as another.
//
// Why alone. Phases of different components touch different elements of every buffer and do not wait for each other, so
// neither what an element holds in the end nor a race depends on another component. What is owed in the elements that
// none touches is compared with what was there in the beginning.
//
// Why one for all shifted copies. Let B be A with d added to every offset. Contributions are ranks and displacements, so
// A's execution with d added to every element number is B's, provided that both begin with the same and owe the same,
// shifted: contracts that treat all their elements alike (allreduce, reduce, broadcast) do, for components that stay
// inside the vectors of all contracts; and those in which what an element needs depends on its block alone (reduce-scatter,
// allgather, scatter, gather, all-to-all), if every range of elements is shifted within its block. Whatever else there is, is looked at as a whole: one
// component, as it is.
#include <algorithm>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/random.h"
#include "base/union_find.h"
#include "schedule/verifier/phase_stages.h"
#include "schedule/verifier/repetition.h"

namespace muster::verifier {
namespace {

constexpr std::size_t index_of(Buffer buffer) { return static_cast<std::size_t>(buffer) - 1; }

bool works_in_blocks(const Contract& contract) {
  return takes_blocks(contract.collective) || contract.collective == Collective::all_to_all;
}

/// Which of a contract's blocks has all elements of a range. What no block has, nobody holds or owes: it counts as one more
/// block.
class BlockFinder {
 public:
  explicit BlockFinder(const Contract& contract) : contract_(contract) {
    for (std::size_t i = 0; i < contract.blocks.size(); ++i) {
      if (contract.blocks[i].count > 0) given_.emplace_back(contract.blocks[i], static_cast<std::int64_t>(i));
    }
    std::sort(given_.begin(), given_.end());
  }

  [[nodiscard]] const Contract& contract() const { return contract_; }

  /// -1: several have.
  [[nodiscard]] std::int64_t around(const Range& range) const {
    if (range.first < 0 || range.end() > contract_.count) return -1;
    return contract_.blocks.empty() ? around_even(range) : around_given(range);
  }

 private:
  [[nodiscard]] std::int64_t around_even(const Range& range) const {
    const auto blocks = static_cast<std::int64_t>(contract_.ranks.size());
    const std::int64_t small = contract_.count / blocks, large = contract_.count % blocks;
    const auto block_at = [&](std::int64_t element) {
      const std::int64_t in_large = large * (small + 1);
      return element < in_large ? element / (small + 1) : large + (element - in_large) / small;
    };
    const std::int64_t first = block_at(range.first);
    return first == block_at(range.end() - 1) ? first : -1;
  }

  [[nodiscard]] std::int64_t around_given(const Range& range) const {
    const auto next = std::partition_point(given_.begin(), given_.end(),
                                           [&](const auto& known) { return known.first.end() <= range.first; });
    if (next == given_.end() || next->first.first >= range.end()) return std::ssize(contract_.blocks);
    return next->first.first <= range.first && range.end() <= next->first.end() ? next->second : -1;
  }

  const Contract& contract_;
  std::vector<std::pair<Range, std::int64_t>> given_;  ///< with their numbers, in the order of their elements
};

/// Where a phase reaches in a buffer; where elements repeat, in the first stride.
struct Reach {
  Buffer buffer;
  Range range;
  std::int32_t phase;
};

std::vector<Reach> reaches_of(const Schedule& schedule, const std::vector<GroupSetFacts>& facts,
                              const Repetition& repetition) {
  std::vector<Reach> reaches;
  for (std::int32_t p = 0; p < static_cast<std::int32_t>(schedule.phases.size()); ++p) {
    const Phase& phase = schedule.phases[at(p)];
    const std::span<const Range> ranges = facts[at(phase.groups)].elements;
    for (const Range& elements : repetition.times > 1 ? ranges.first(1) : ranges) {
      const Range range{elements.first + phase.offset, elements.count};
      reaches.push_back({phase.input, range, p});
      if (phase.output != phase.input) reaches.push_back({phase.output, range, p});
    }
  }
  std::sort(reaches.begin(), reaches.end(), [](const Reach& a, const Reach& b) {
    return std::tie(a.buffer, a.range, a.phase) < std::tie(b.buffer, b.range, b.phase);
  });
  return reaches;
}

class Splitting {
 public:
  Splitting(const Schedule& schedule, const std::vector<GroupSetFacts>& facts)
      : schedule_(schedule),
        repetition_(repetition_of(schedule, facts)),
        joined_(schedule.phases.size()),
        reaches_(reaches_of(schedule, facts, repetition_)) {
    for (const Contract& contract : schedule.contracts) {
      if (works_in_blocks(contract) && !repeats_in_blocks(contract)) blocks_.emplace_back(contract);
    }
  }

  Components run() {
    join();
    number();
    spread();
    find_copies();
    result_.is_split = true;
    return std::move(result_);
  }

 private:
  void join() {
    for (std::int32_t p = 0; p < static_cast<std::int32_t>(schedule_.phases.size()); ++p) {
      for (const std::int32_t earlier : schedule_.phases[at(p)].after) joined_.join(p, earlier);
    }
    for (std::size_t i = 1, furthest = 0; i < reaches_.size(); ++i) {
      const Reach& before = reaches_[furthest];
      if (reaches_[i].buffer == before.buffer && reaches_[i].range.first < before.range.end()) {
        joined_.join(reaches_[i].phase, before.phase);
        if (reaches_[i].range.end() <= before.range.end()) continue;
      }
      furthest = i;
    }
  }

  void number() {
    component_of_.assign(schedule_.phases.size(), 0);
    for (std::int32_t p = 0; p < static_cast<std::int32_t>(schedule_.phases.size()); ++p) {
      const std::int32_t first = joined_.find(p);
      if (first == p) {
        component_of_[at(p)] = result_.all.size();
        result_.all.emplace_back();
      }
      component_of_[at(p)] = component_of_[at(first)];
      result_.all[component_of_[at(p)]].phases.push_back(p);
    }
  }

  /// The elements of each component, and of none.
  void spread() {
    Elements touched;
    for (const Reach& reach : reaches_) {
      append(result_.all[component_of_[at(reach.phase)]].elements[index_of(reach.buffer)], reach.range);
      append(touched[index_of(reach.buffer)], reach.range);
    }
    Range whole{0, 0};
    for (const Contract& contract : schedule_.contracts) whole.count = std::max(whole.count, contract.count);
    std::array<std::int64_t, 3> next{};
    for (const Buffer buffer : {Buffer::input, Buffer::output, Buffer::scratch}) {
      std::int64_t& begin = next[index_of(buffer)];
      for (const Range& range : repeated(touched[index_of(buffer)], repetition_)) {
        add_untouched(buffer, begin, std::min(range.first, whole.count));
        begin = std::max(begin, range.end());
      }
    }
    for (const Contract& contract : schedule_.contracts) {
      std::int64_t& begin = next[index_of(contract.to)];
      add_untouched(contract.to, begin, whole.count);
      begin = std::max(begin, whole.count);
    }
  }

  void add_untouched(Buffer buffer, std::int64_t begin, std::int64_t end) {
    if (begin < end) result_.untouched[index_of(buffer)].push_back({begin, end - begin});
  }

  void find_copies() {
    std::int64_t most = kMostElements;
    for (const Contract& contract : schedule_.contracts) most = std::min(most, contract.count);
    std::unordered_multimap<std::uint64_t, std::size_t> firsts;  // by hash
    for (std::size_t i = 0; i < result_.all.size(); ++i) {
      result_.same_as.push_back(i);
      if (end_of(result_.all[i]) > most) {
        repeat(result_.all[i]);
        continue;
      }
      const std::uint64_t hash = hash_of(result_.all[i]);
      const auto [first, last] = firsts.equal_range(hash);
      const auto same = std::find_if(first, last, [&](const auto& known) { return is_copy(known.second, i); });
      if (same != last) {
        result_.same_as.back() = same->second;
        result_.all[i].elements = {};
      } else {
        firsts.emplace(hash, i);
        repeat(result_.all[i]);
      }
    }
  }

  void repeat(Component& component) const {
    for (std::vector<Range>& ranges : component.elements) ranges = repeated(ranges, repetition_);
  }

  /// Before its elements are repeated.
  [[nodiscard]] std::int64_t end_of(const Component& component) const {
    std::int64_t end = 0;
    for (const std::vector<Range>& ranges : component.elements) {
      if (!ranges.empty()) end = std::max(end, ranges.back().end());
    }
    return end + (repetition_.times - 1) * repetition_.stride;
  }

  /// Of what copies have in common.
  [[nodiscard]] std::uint64_t hash_of(const Component& component) const {
    const std::int64_t base = schedule_.phases[at(component.phases.front())].offset;
    std::uint64_t hash = component.phases.size();
    for (const std::int32_t number : component.phases) {
      const Phase& phase = schedule_.phases[at(number)];
      hash = random_bits(hash, static_cast<std::uint64_t>(phase.part), static_cast<std::uint64_t>(phase.groups));
      hash = random_bits(hash, static_cast<std::uint64_t>(phase.offset - base), phase.after.size());
    }
    return hash;
  }

  [[nodiscard]] bool is_copy(std::size_t a, std::size_t b) const {
    const std::vector<std::int32_t>& left = result_.all[a].phases;
    const std::vector<std::int32_t>& right = result_.all[b].phases;
    if (left.size() != right.size()) return false;
    if (!stays_in_blocks(result_.all[a], right, left)) return false;
    const auto offset = [&](std::int32_t phase) { return schedule_.phases[at(phase)].offset; };
    const std::int64_t shift = offset(right.front()) - offset(left.front());
    for (std::size_t i = 0; i < left.size(); ++i) {
      const Phase& x = schedule_.phases[at(left[i])];
      const Phase& y = schedule_.phases[at(right[i])];
      if (x.part != y.part || x.groups != y.groups || x.input != y.input || x.output != y.output) return false;
      if (x.offset + shift != y.offset || x.after.size() != y.after.size()) return false;
      for (std::size_t k = 0; k < x.after.size(); ++k) {
        if (index_in(left, x.after[k]) != index_in(right, y.after[k])) return false;
      }
    }
    return true;
  }

  /// Whether each stride is a block of the contract. No phase reaches over the end of one.
  [[nodiscard]] bool repeats_in_blocks(const Contract& contract) const {
    const auto blocks = static_cast<std::int64_t>(contract.ranks.size());
    return contract.blocks.empty() && repetition_.times > 1 && contract.count == blocks * repetition_.stride &&
           repetition_.times <= blocks;
  }

  /// Whether the elements of a component lie in the same blocks when they are shifted as the phases `to` are against `from`.
  [[nodiscard]] bool stays_in_blocks(const Component& component, const std::vector<std::int32_t>& to,
                                     const std::vector<std::int32_t>& from) const {
    const std::int64_t shift = schedule_.phases[at(to.front())].offset - schedule_.phases[at(from.front())].offset;
    for (const BlockFinder& blocks : blocks_) {
      for (const Buffer buffer : {blocks.contract().from, blocks.contract().to}) {
        for (const Range& range : component.elements[index_of(buffer)]) {
          const std::int64_t block = blocks.around(range);
          if (block < 0 || block != blocks.around({range.first + shift, range.count})) return false;
        }
      }
    }
    return true;
  }

  static std::ptrdiff_t index_in(const std::vector<std::int32_t>& phases, std::int32_t phase) {
    return std::lower_bound(phases.begin(), phases.end(), phase) - phases.begin();
  }

  const Schedule& schedule_;
  Repetition repetition_;
  UnionFind joined_;
  std::vector<Reach> reaches_;       ///< sorted by buffer and range
  std::vector<BlockFinder> blocks_;  ///< of contracts that work in blocks, unless elements repeat from block to block
  std::vector<std::size_t> component_of_;
  Components result_;
};

/// Sorts ranges, and joins those that touch or overlap.
void merge(std::vector<Range>& ranges) {
  std::sort(ranges.begin(), ranges.end());
  std::size_t used = 0;
  for (const Range& range : ranges) {
    if (range.count == 0) continue;
    if (used > 0 && range.first <= ranges[used - 1].end()) {
      ranges[used - 1].count = std::max(ranges[used - 1].end(), range.end()) - ranges[used - 1].first;
    } else {
      ranges[used++] = range;
    }
  }
  ranges.resize(used);
}

}  // namespace

std::vector<GroupSetFacts> group_set_facts(const Schedule& schedule) {
  std::vector<GroupSetFacts> facts(schedule.group_sets.size(), {.elements = {}, .no_node_is_twice = true});
  std::vector<bool> is_known(facts.size());
  std::vector<std::int32_t> seen(at(schedule.node_count), -1);
  for (const Phase& phase : schedule.phases) {
    if (is_known[at(phase.groups)]) continue;
    is_known[at(phase.groups)] = true;
    GroupSetFacts& fact = facts[at(phase.groups)];
    SpanId last = -1;  // groups often share a span
    for (const Group& group : groups_of(schedule, phase)) {
      const auto ranges = schedule.spans.ranges(group.on);
      if (group.on != last) fact.elements.insert(fact.elements.end(), ranges.begin(), ranges.end());
      last = group.on;
      for (const NodeId member : group.members) {
        if (std::exchange(seen[at(member)], phase.groups) == phase.groups) fact.no_node_is_twice = false;
      }
    }
    merge(fact.elements);
  }
  return facts;
}

Components components_of(const Schedule& schedule, const std::vector<GroupSetFacts>& facts) {
  const bool split = std::all_of(schedule.contracts.begin(), schedule.contracts.end(), [](const Contract& contract) {
    return treats_elements_alike(contract.collective) || works_in_blocks(contract);
  });
  if (split) return Splitting(schedule, facts).run();
  Components components;
  components.same_as.push_back(0);
  Component& whole = components.all.emplace_back();
  whole.phases.resize(schedule.phases.size());
  std::iota(whole.phases.begin(), whole.phases.end(), 0);
  whole.elements = all_elements();
  return components;
}

}  // namespace muster::verifier
