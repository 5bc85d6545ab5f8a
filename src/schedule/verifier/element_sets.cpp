// The table of sets: one pool of ranges and a hash table with linear probing.
#include "schedule/verifier/element_sets.h"

#include <algorithm>

#include "base/index.h"

namespace muster::verifier {
namespace {

constexpr std::size_t kFirstSize = 1024;

std::uint64_t key_of(SetId a, SetId b) {
  return (std::uint64_t{static_cast<std::uint32_t>(a)} << 32U) | static_cast<std::uint32_t>(b);
}

}  // namespace

ElementSets::ElementSets() : table_(kFirstSize, kFree) { find_or_add({}); }

SetId ElementSets::add(Range range) { return range.count == 0 ? kEmpty : find_or_add({&range, 1}); }

SetId ElementSets::add(std::vector<Range>& ranges) {
  if (!std::is_sorted(ranges.begin(), ranges.end())) std::sort(ranges.begin(), ranges.end());
  std::size_t merged = 0;
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    if (ranges[i].first == ranges[merged].end()) {
      ranges[merged].count += ranges[i].count;
    } else {
      ranges[++merged] = ranges[i];
    }
  }
  if (!ranges.empty()) ranges.resize(merged + 1);
  return find_or_add(ranges);
}

SetId ElementSets::without(SetId set, SetId other) {
  if (set == other || set == kEmpty) return kEmpty;
  if (other == kEmpty) return set;
  const auto [entry, is_new] = without_.try_emplace(key_of(set, other));
  if (!is_new) return entry->second;
  some_.clear();
  const auto gone = ranges(other);
  for (const Range& range : ranges(set)) {
    std::int64_t first = range.first;
    auto next = std::partition_point(gone.begin(), gone.end(), [&](const Range& r) { return r.end() <= first; });
    for (; next != gone.end() && next->first < range.end(); ++next) {
      if (next->first > first) some_.push_back({first, next->first - first});
      first = next->end();
    }
    if (first < range.end()) some_.push_back({first, range.end() - first});
  }
  return entry->second = find_or_add(some_);
}

SetId ElementSets::united(SetId set, SetId other) {
  if (set == other || other == kEmpty) return set;
  if (set == kEmpty) return other;
  const SetId rest = without(other, set);
  const auto [entry, is_new] = united_.try_emplace(key_of(set, other));
  if (!is_new) return entry->second;
  const auto all = ranges(set), more = ranges(rest);
  some_.assign(all.begin(), all.end());
  some_.insert(some_.end(), more.begin(), more.end());
  return entry->second = add(some_);
}

std::span<const Range> ElementSets::ranges(SetId id) const {
  const Slice slice = sets_[at(id)];
  return {pool_.data() + slice.first, slice.count};
}

SetId ElementSets::find_or_add(std::span<const Range> ranges) {
  const std::uint64_t hash = hash_of(ranges);
  const std::size_t slot = slot_of(ranges, hash);
  if (table_[slot] != kFree) return table_[slot];
  const auto id = static_cast<SetId>(sets_.size());
  table_[slot] = id;
  sets_.push_back({pool_.size(), ranges.size(), hash});
  pool_.insert(pool_.end(), ranges.begin(), ranges.end());
  if (2 * sets_.size() > table_.size()) grow();
  return id;
}

/// Where the set is, or belongs.
std::size_t ElementSets::slot_of(std::span<const Range> ranges, std::uint64_t hash) const {
  const std::size_t mask = table_.size() - 1;
  std::size_t slot = hash & mask;
  for (; table_[slot] != kFree; slot = (slot + 1) & mask) {
    const auto known = this->ranges(table_[slot]);
    if (sets_[at(table_[slot])].hash == hash && std::equal(known.begin(), known.end(), ranges.begin(), ranges.end()))
      break;
  }
  return slot;
}

void ElementSets::grow() {
  table_.assign(2 * table_.size(), kFree);
  for (SetId id = 0; id < static_cast<SetId>(sets_.size()); ++id) table_[slot_of(ranges(id), sets_[at(id)].hash)] = id;
}

}  // namespace muster::verifier
