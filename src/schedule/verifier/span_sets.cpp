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

SetId SpanSets::whole(SpanId span) {
  SetId& whole = of_[at(span)].whole;
  if (whole >= 0) return whole;
  const auto ranges = schedule_.spans.ranges(span);
  const Range hull = schedule_.spans.hull(span);
  std::vector<Range> some(ranges.begin(), ranges.end());
  return whole = schedule_.spans.count(span) == hull.count ? sets_.add(hull) : sets_.add(some);
}

std::size_t SpanSets::blocks(SpanId span, std::int32_t cut) {
  std::vector<std::pair<std::int32_t, std::size_t>>& known = of_[at(span)].cuts;
  const auto same = std::find_if(known.begin(), known.end(), [&](const auto& entry) { return entry.first == cut; });
  if (same != known.end()) return same->second;
  known.emplace_back(cut, blocks_.size());
  const std::size_t first = blocks_.size();
  add_blocks(span, cuts_[at(cut)]);
  return first;
}

void SpanSets::add_blocks(SpanId span, const Cut& cut) {
  const std::size_t first = blocks_.size();
  blocks_.resize(first + cut.blocks.size() + 1, ElementSets::kEmpty);
  std::vector<Range> all;
  std::vector<Range> mine;
  const auto ranges = schedule_.spans.ranges(span);
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
}

}  // namespace muster::verifier
