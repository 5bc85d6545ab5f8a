// A block of a span is found on a walk through its ranges.
#include "schedule/verifier/span_sets.h"

#include <algorithm>
#include <numeric>

#include "base/index.h"

namespace muster::verifier {

std::int32_t SpanSets::cut(const Contract& contract) {
  std::vector<Range> blocks = contract.blocks;
  for (std::size_t i = blocks.size(); i < contract.ranks.size(); ++i) {
    blocks.push_back(block_of(contract, static_cast<std::int32_t>(i)));
  }
  const auto known = std::find_if(cuts_.begin(), cuts_.end(), [&](const Cut& cut) { return cut.blocks == blocks; });
  const auto number = static_cast<std::int32_t>(known - cuts_.begin());
  if (known != cuts_.end()) return number;
  std::vector<std::size_t> order(blocks.size());
  std::iota(order.begin(), order.end(), 0);
  std::erase_if(order, [&](std::size_t i) { return blocks[i].count == 0; });
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return blocks[a].first < blocks[b].first; });
  cuts_.push_back({std::move(blocks), std::move(order)});
  return number;
}

SetId SpanSets::whole(SpanId span, std::int64_t shift) {
  const Known* known = find(span, shift, kUncut);
  const std::size_t set = known != nullptr ? known->first : add_whole(span, shift);
  if (known == nullptr) of_[at(span)].push_back({.shift = shift, .cut = kUncut, .first = set});
  return static_cast<SetId>(set);
}

std::size_t SpanSets::blocks(SpanId span, std::int64_t shift, std::int32_t cut) {
  if (const Known* known = find(span, shift, cut)) return known->first;
  const std::size_t first = add_blocks(span, shift, cuts_[at(cut)]);
  of_[at(span)].push_back({.shift = shift, .cut = cut, .first = first});
  return first;
}

const SpanSets::Known* SpanSets::find(SpanId span, std::int64_t shift, std::int32_t cut) const {
  const std::vector<Known>& all = of_[at(span)];
  const auto known =
      std::find_if(all.rbegin(), all.rend(), [&](const Known& k) { return k.shift == shift && k.cut == cut; });
  return known == all.rend() ? nullptr : &*known;
}

std::vector<Range> SpanSets::shifted(SpanId span, std::int64_t shift) const {
  const auto ranges = schedule_.spans.ranges(span);
  std::vector<Range> moved(ranges.begin(), ranges.end());
  for (Range& range : moved) range.first += shift;
  return moved;
}

std::size_t SpanSets::add_whole(SpanId span, std::int64_t shift) {
  const Range hull = schedule_.spans.hull(span);
  if (schedule_.spans.count(span) == hull.count) return at(sets_.add({hull.first + shift, hull.count}));
  std::vector<Range> ranges = shifted(span, shift);
  return at(sets_.add(ranges));
}

std::size_t SpanSets::add_blocks(SpanId span, std::int64_t shift, const Cut& cut) {
  const std::size_t first = blocks_.size();
  blocks_.resize(first + cut.blocks.size() + 1, ElementSets::kEmpty);
  std::vector<Range> all;
  std::vector<Range> mine;
  const std::vector<Range> ranges = shifted(span, shift);
  std::size_t index = 0;
  std::int64_t before = 0;  // elements of the span before range `index`
  for (const std::size_t rank : cut.order) {
    const Range& block = cut.blocks[rank];
    mine.clear();
    for (std::int64_t position = block.first; position < block.end();) {
      while (before + ranges[index].count <= position) before += ranges[index++].count;
      const std::int64_t count = std::min(block.end(), before + ranges[index].count) - position;
      mine.push_back({ranges[index].first + position - before, count});
      position += count;
    }
    all.insert(all.end(), mine.begin(), mine.end());
    blocks_[first + rank] = mine.size() == 1 ? sets_.add(mine.front()) : sets_.add(mine);
  }
  blocks_.back() = sets_.add(all);
  return first;
}

}  // namespace muster::verifier
