// Tracks are chosen first; then every row records its activity on its own tracks.
#include "backend/hyperx/timeline.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "backend/hyperx/path_lines.h"
#include "backend/hyperx/wait_chain.h"
#include "machine/routing.h"

namespace muster::hyperx {
namespace {

/// A port of a switch, as far as packets leave by it; or its core's memory, as it reads or as it writes.
struct Track {
  NodeId at = 0;
  Port port = 0;
  bool reads = false;
  auto operator<=>(const Track&) const = default;
};

/// What a row did on one track.
struct Stretch {
  Track track;
  Time begin = 0;
  Time end = 0;
  Time each = 0;  ///< that a packet takes of it
};

class Drawing {
 public:
  Drawing(const Wiring& wiring, const Timing& timing, std::span<const RowTimes> times)
      : wiring_(wiring),
        registers_(wiring.registers()),
        timing_(timing),
        times_(times),
        ranks_(rank_count(wiring.program().machine)) {}

  Timeline draw(std::span<const Wait> chain) {
    const std::vector<Track> tracks = shown(chain);
    std::map<Track, std::int32_t> number;
    for (const Track& track : tracks) {
      number[track] = static_cast<std::int32_t>(timeline_.tracks.size());
      timeline_.tracks.push_back({.group = is_memory(track) ? "core" : "link", .name = name_of(track)});
    }
    for (std::int32_t row = 0; row < rows(); ++row) {
      for (const Stretch& stretch : stretches_of(row)) {
        if (const auto found = number.find(stretch.track); found != number.end()) add(row, found->second, stretch);
      }
    }
    sort_spans(timeline_);
    return std::move(timeline_);
  }

 private:
  [[nodiscard]] std::int32_t rows() const { return static_cast<std::int32_t>(registers_.rows.size()); }
  [[nodiscard]] bool is_memory(const Track& track) const { return track.port == wiring_.ports().memory(); }

  [[nodiscard]] std::string name_of(const Track& track) const {
    const NodeId core = track.at - ranks_;
    if (is_memory(track)) return fmt::format("core {} {}", core, track.reads ? "reads" : "writes");
    return fmt::format("link {} to {}", core, wiring_.ports().end(track.at, track.port).value().at - ranks_);
  }

  [[nodiscard]] std::vector<Track> shown(std::span<const Wait> chain) const {
    std::set<Track> all;
    for (std::int32_t row = 0; row < rows() && all.size() <= kMostTracks; ++row) {
      for (const Stretch& stretch : stretches_of(row)) all.insert(stretch.track);
    }
    if (all.size() <= kMostTracks) return {all.begin(), all.end()};
    std::vector<Track> on_path;
    for (const Wait& wait : chain) {
      const std::optional<Track> track = track_of(wait);
      if (track && std::find(on_path.begin(), on_path.end(), *track) == on_path.end()) on_path.push_back(*track);
    }
    return both_ends(on_path, kMostTracks);
  }

  [[nodiscard]] std::optional<Track> track_of(const Wait& wait) const {
    const NodeId own = registers_.rows[at(wait.row)].at;
    const Port memory = wiring_.ports().memory();
    if (wait.kind == Wait::Kind::reads) return Track{.at = own, .port = memory, .reads = true};
    if (wait.kind == Wait::Kind::writes) return Track{.at = own, .port = memory};
    if (wait.kind != Wait::Kind::latency || !wiring_.ports().is_link(registers_.ports[at(wait.input)])) return {};
    const NodeId sender = registers_.rows[at(wiring_.row(wait.input))].at;
    return Track{.at = sender, .port = registers_.ports[at(wiring_.peer(wait.input))]};
  }

  [[nodiscard]] std::vector<Stretch> stretches_of(std::int32_t number) const {
    const Row& row = registers_.rows[at(number)];
    const RowTimes& times = times_[at(number)];
    const MemoryUse use = wiring_.memory(number);
    const Port memory = wiring_.ports().memory();
    std::vector<Stretch> stretches;
    if (timing_.packets(row.id) == 0) return stretches;
    if (use.reads) {
      stretches.push_back({.track = {.at = row.at, .port = memory, .reads = true},
                           .begin = begin_of_id(wiring_, timing_, times_, number),
                           .end = times.last,
                           .each = timing_.memory_time(row, use)});
    }
    if (use.writes) {
      stretches.push_back({.track = {.at = row.at, .port = memory},
                           .begin = times.first,
                           .end = times.written,
                           .each = timing_.memory_time(row, use)});
    }
    for (const Port port : registers_.outputs_of(row)) {
      if (!wiring_.ports().is_link(port)) continue;
      stretches.push_back({.track = {.at = row.at, .port = port},
                           .begin = times.first,
                           .end = times.last + timing_.packet_time(),
                           .each = timing_.packet_time()});
    }
    return stretches;
  }

  void add(std::int32_t number, std::int32_t track, const Stretch& stretch) {
    const Row& row = registers_.rows[at(number)];
    const std::int64_t packets = timing_.packets(row.id);
    timeline_.spans.push_back({.track = track,
                               .begin = Ticks(stretch.begin),
                               .end = Ticks(stretch.end),
                               .label = fmt::format("{} of id {}, {} packet{}", channel_name(row.channel), row.id,
                                                    packets, packets == 1 ? "" : "s"),
                               .mark = registers_.segments.size() > 1 ? std::to_string(row.id) : "",
                               .kind = static_cast<std::int32_t>(row.channel),
                               .busy = Ticks(packets * stretch.each)});
  }

  const Wiring& wiring_;
  const Registers& registers_;
  const Timing& timing_;
  std::span<const RowTimes> times_;
  NodeId ranks_ = 0;
  Timeline timeline_{
      .in_picoseconds = true,
      .kinds = {std::string(channel_name(Channel::request)), std::string(channel_name(Channel::response))},
      .tracks = {},
      .spans = {}};
};

}  // namespace

void sort_spans(Timeline& timeline) {
  std::stable_sort(timeline.spans.begin(), timeline.spans.end(), [](const TimelineSpan& a, const TimelineSpan& b) {
    return std::tuple(a.track, a.begin) < std::tuple(b.track, b.begin);
  });
}

Timeline timeline_of(const Wiring& wiring, const Timing& timing, std::span<const RowTimes> times, Time end) {
  const std::vector<Wait> chain = wait_chain(wiring, timing, times, end);
  Timeline timeline = Drawing(wiring, timing, times).draw(chain);
  timeline.path = path_lines(wiring, chain);
  timeline.path_parts = path_parts(chain);
  return timeline;
}

}  // namespace muster::hyperx
