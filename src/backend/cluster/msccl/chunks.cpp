// Chunks from the boundaries of all spans.
#include "backend/cluster/msccl/chunks.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "backend/cluster/msccl/algo.h"
#include "base/index.h"

namespace muster::msccl {
namespace {

void sort_once(std::vector<std::int64_t>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

/// Where spans begin and end.
std::vector<std::int64_t> boundaries(const Schedule& flat) {
  std::vector<std::int64_t> all{0, flat.contracts.front().count};
  std::vector<bool> is_known(at(flat.spans.size()), false);
  const auto add = [&](SpanId span) {
    if (is_known[at(span)]) return;
    is_known[at(span)] = true;
    for (const Range& r : flat.spans.ranges(span)) all.insert(all.end(), {r.first, r.end()});
  };
  for (const Stream& stream : flat.streams) add(stream.elements);
  for (const muster::Step& step : flat.steps) {
    add(step.elements);
    if (step.own != Buffer::none) add(step.own_elements);
    if (step.store != Buffer::none) add(step.store_elements);
    if (step.is_exchange()) add(step.sent_elements);
  }
  sort_once(all);
  return all;
}

}  // namespace

Outcome<ChunkGrid> ChunkGrid::of(const Schedule& flat, std::int64_t per_word) {
  const std::vector<std::int64_t> bounds = boundaries(flat);
  std::int64_t unit = 0, least = flat.contracts.front().count;
  std::int64_t before = 0, pieces = 0;
  for (const std::int64_t bound : bounds) {
    unit = std::gcd(unit, bound);
    if (bound > before) least = std::min(least, bound - before);
    pieces += bound > before && bound <= flat.contracts.front().count ? 1 : 0;
    before = bound;
  }
  const std::int64_t count = flat.contracts.front().count;
  if (pieces > kMostChunks) {
    return Refusal{fmt::format("the vector of {} elements is cut into {} pieces; MSCCL allows {}; use fewer chunks",
                               count * per_word, pieces, kMostChunks)};
  }
  if (unit < least || count / unit > kMostChunks) {
    return Refusal{
        fmt::format("the vector of {} elements is cut into {} pieces whose sizes are not multiples of the smallest, as "
                    "MSCCL needs; use another count or fewer chunks",
                    count * per_word, pieces)};
  }
  ChunkGrid grid(flat, unit);
  grid.cut(flat);
  return grid;
}

void ChunkGrid::cut(const Schedule& flat) {
  std::vector<std::vector<std::int64_t>> cuts(at(flat.spans.size()));  // of each span: positions, in chunks
  std::vector<SpanId> last(at(flat.spans.size()),
                           -1);  // of each span: the span that was added last, often the only one
  const auto add = [&](SpanId elements, SpanId mapped) {
    if (std::exchange(last[at(elements)], mapped) == mapped) return;
    std::int64_t position = 0;
    for (const Range& r : flat.spans.ranges(mapped)) cuts[at(elements)].push_back(position += chunks(r.count));
  };
  for (const Stream& stream : flat.streams) add(stream.elements, stream.elements);
  for (const muster::Step& step : flat.steps) {
    if (step.own != Buffer::none) add(step.elements, step.own_elements);
    if (step.store != Buffer::none) add(step.elements, step.store_elements);
    if (step.is_exchange()) {
      for (const StreamId out : flat.outputs_of(step)) add(flat.streams[at(out)].elements, step.sent_elements);
    }
    add(step.elements, step.elements);
  }
  pieces_.resize(cuts.size());
  for (std::size_t span = 0; span < cuts.size(); ++span) {
    sort_once(cuts[span]);
    std::int64_t first = 0;
    for (const std::int64_t end : cuts[span]) {
      for (; first < end; first += kMostChunksPerStep) {
        pieces_[span].push_back(
            {first, static_cast<std::int32_t>(std::min<std::int64_t>(kMostChunksPerStep, end - first))});
      }
      first = end;
    }
  }
}

const std::vector<Piece>& ChunkGrid::pieces(SpanId elements) const { return pieces_[at(elements)]; }

std::int32_t ChunkGrid::chunk(SpanId span, std::int64_t position) const {
  return static_cast<std::int32_t>(flat_->spans.element(span, position * words_) / words_);
}

}  // namespace muster::msccl
