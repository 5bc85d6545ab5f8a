// When memories, links and cores were busy, for pictures, and the critical path, for explanations.
#pragma once

#include <span>

#include "backend/hyperx/timing.h"
#include "result/timeline.h"

namespace muster::hyperx {

/// A picture has no more tracks than this.
inline constexpr std::size_t kMostTracks = 32;

/// Of the first call. A track per direction of a link, and one each for what a core's memory reads and writes: all of them if
/// they are no more than kMostTracks, in the order of cores; else those on the critical path, in its order, without
/// those in its middle if they are more. A row's packets are one span.
Timeline timeline_of(const Wiring& wiring, const Timing& timing, std::span<const RowTimes> times, Time end);

/// The first `most` / 2 of them and the last ones, all if they are no more than `most`.
template <class Item>
std::vector<Item> both_ends(const std::vector<Item>& all, std::size_t most) {
  if (all.size() <= most) return all;
  std::vector<Item> kept(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(most / 2));
  kept.insert(kept.end(), all.end() - static_cast<std::ptrdiff_t>(most - most / 2), all.end());
  return kept;
}

/// By track, then by time.
void sort_spans(Timeline& timeline);

}  // namespace muster::hyperx
