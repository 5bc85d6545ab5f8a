#include "collective/torus/span_sizes.h"

#include <algorithm>

#include "schedule/arithmetic.h"

namespace muster {
namespace {

std::int64_t rounded_up(std::int64_t value, std::int64_t unit) { return (value + unit - 1) / unit * unit; }

/// Where some span begins or ends, sorted.
std::vector<std::int64_t> cuts_of(const SpanTable& spans) {
  std::vector<std::int64_t> cuts;
  for (SpanId id = 0; id < spans.size(); ++id) {
    for (const Range& range : spans.ranges(id)) {
      cuts.push_back(range.first);
      cuts.push_back(range.end());
    }
  }
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  return cuts;
}

/// Adds a call that sends so many bytes.
void add_call(std::int64_t bytes, const Torus& torus, SpanSize& size) {
  size.bytes += bytes;
  size.packets += rounded_up(bytes, torus.packet.value()) / torus.packet.value();
}

}  // namespace

SpanSizes::SpanSizes(const Schedule& flat, const Torus& torus, std::int64_t tile_words)
    : sizes_(static_cast<std::size_t>(flat.spans.size())) {
  constexpr auto kWordBytes = static_cast<std::int64_t>(sizeof(Word));
  const std::vector<std::int64_t> cuts = cuts_of(flat.spans);
  const std::int64_t tile_bytes = tile_words * kWordBytes;
  for (SpanId id = 0; id < flat.spans.size(); ++id) {
    SpanSize& size = sizes_[static_cast<std::size_t>(id)];
    for (const Range& range : flat.spans.ranges(id)) {
      ++size.ranges;
      std::int64_t call = 0;  // bytes of the call so far
      auto cut = std::upper_bound(cuts.begin(), cuts.end(), range.first);
      for (std::int64_t first = range.first; first < range.end(); first = *cut++) {
        const std::int64_t bytes = (*cut - first) * kWordBytes;
        size.tiles += rounded_up(bytes, tile_bytes) / tile_bytes;
        const std::int64_t padded = rounded_up(call, tile_bytes);
        if (padded - call > kMostPadding) {
          add_call(call, torus, size);
          call = bytes;
        } else {
          call = padded + bytes;
        }
      }
      if (call > 0) add_call(call, torus, size);
    }
  }
}

}  // namespace muster
