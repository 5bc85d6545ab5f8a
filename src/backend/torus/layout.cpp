#include "backend/torus/layout.h"

#include <algorithm>
#include <set>

#include "base/index.h"

namespace muster::torus {
namespace {

using CutSet = std::set<std::int64_t>;

/// Elements of a buffer, or labels, that a step treats together with others of the same position.
struct Track {
  Buffer buffer = Buffer::none;
  SpanId span = 0;
  auto operator<=>(const Track&) const = default;
};

/// Every set of tracks that some step treats together, once.
std::set<std::vector<Track>> relations_of(const Schedule& flat) {
  std::set<std::vector<Track>> relations;
  for (const Step& step : flat.steps) {
    std::vector<Track> together{{Buffer::none, step.elements}};
    if (step.own != Buffer::none) together.push_back({step.own, step.own_elements});
    if (step.store != Buffer::none) together.push_back({step.store, step.store_elements});
    relations.insert(std::move(together));
    if (!step.is_exchange()) continue;
    std::vector<Track> sent{{step.sent, step.sent_elements}};
    for (const StreamId stream : flat.outputs_of(step))
      sent.push_back({Buffer::none, flat.streams[at(stream)].elements});
    relations.insert(std::move(sent));
  }
  return relations;
}

class Cutter {
 public:
  explicit Cutter(const Schedule& flat) : flat_(flat) {
    const auto relations = relations_of(flat);
    for (std::size_t before = 1, now = 0; before != now;) {
      before = now;
      for (const auto& relation : relations) cut_alike(relation);
      now = 0;
      for (const CutSet& set : cuts_) now += set.size();
    }
  }
  [[nodiscard]] const CutSet& of(std::size_t buffer) const { return cuts_[buffer]; }

 private:
  void cut_alike(const std::vector<Track>& relation) {
    CutSet positions;
    for (const Track& track : relation) {
      const CutSet& cuts = cuts_[static_cast<std::size_t>(track.buffer)];
      std::int64_t position = 0;
      for (const Range& range : flat_.spans.ranges(track.span)) {
        positions.insert({position, position + range.count});
        for (auto cut = cuts.upper_bound(range.first); cut != cuts.end() && *cut < range.end(); ++cut) {
          positions.insert(position + *cut - range.first);
        }
        position += range.count;
      }
    }
    for (const Track& track : relation) {
      CutSet& cuts = cuts_[static_cast<std::size_t>(track.buffer)];
      std::int64_t position = 0;
      for (const Range& range : flat_.spans.ranges(track.span)) {
        for (auto at = positions.lower_bound(position); at != positions.end() && *at <= position + range.count; ++at) {
          cuts.insert(range.first + *at - position);
        }
        position += range.count;
      }
    }
  }

  const Schedule& flat_;
  std::array<CutSet, 4> cuts_;
};

}  // namespace

Pieces::Pieces(const Schedule& flat) {
  const Cutter cutter(flat);
  for (std::size_t buffer = 0; buffer < pieces_.size(); ++buffer) {
    const CutSet& cuts = cutter.of(buffer);
    if (cuts.empty()) continue;
    for (auto cut = cuts.begin(); std::next(cut) != cuts.end(); ++cut) {
      pieces_[buffer].push_back({.first = *cut, .count = *std::next(cut) - *cut});
    }
  }
}

std::vector<std::int32_t> Pieces::in(const Schedule& flat, Buffer buffer, SpanId span) const {
  const std::vector<Piece>& all = of(buffer);
  std::vector<std::int32_t> found;
  for (const Range& range : flat.spans.ranges(span)) {
    auto piece = std::lower_bound(all.begin(), all.end(), range.first,
                                  [](const Piece& p, std::int64_t first) { return p.first < first; });
    for (; piece != all.end() && piece->first < range.end(); ++piece) {
      found.push_back(static_cast<std::int32_t>(piece - all.begin()));
    }
  }
  return found;
}

}  // namespace muster::torus
