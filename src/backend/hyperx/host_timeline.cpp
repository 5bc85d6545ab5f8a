// A step is up to three spans: software, network, memory.
#include "backend/hyperx/host_timeline.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "backend/hyperx/timeline.h"
#include "base/counted.h"
#include "base/index.h"

namespace muster::hyperx {
namespace {

std::string text_of(const HostStep& step) {
  if (step.from == step.core) return fmt::format("core {} copies or sends {} words", step.core, step.words);
  return fmt::format("core {} receives {} from core {}", step.core, counted(step.words, "word"), step.from);
}

/// The number of a core's track, of those that have one.
std::map<NodeId, std::int32_t> shown_cores(std::span<const HostStep> steps, std::span<const StepId> path) {
  std::vector<NodeId> order;
  std::set<NodeId> known;
  for (std::size_t i = path.size(); i-- > 0;) {
    const NodeId core = steps[at(path[i])].core;
    if (known.insert(core).second) order.push_back(core);
  }
  order = both_ends(order, kMostTracks);
  std::set<NodeId> all;
  for (const HostStep& step : steps) all.insert(step.core);
  for (const NodeId core : all) {
    if (order.size() < kMostTracks && !known.contains(core)) order.push_back(core);
  }
  std::map<NodeId, std::int32_t> tracks;
  for (const NodeId core : order) tracks.emplace(core, static_cast<std::int32_t>(tracks.size()));
  return tracks;
}

void add_spans(const HostStep& step, std::int32_t track, Timeline& timeline) {
  std::int64_t begin = step.begin;
  std::int32_t kind = 0;
  for (const std::int64_t time : {step.parts.overhead, step.parts.network, step.parts.memory}) {
    if (time > 0) {
      timeline.spans.push_back(
          {.track = track, .begin = Ticks(begin), .end = Ticks(begin + time), .label = text_of(step), .kind = kind});
    }
    begin += time;
    ++kind;
  }
}

std::vector<PathPart> parts_of(const std::vector<PathLine>& path, const HostStep::Parts& sum) {
  const Ticks end = path.empty() ? Ticks(0) : path.back().end;
  return {{.name = "latency", .time = Ticks(sum.network), .meaning = "of the links on the path"},
          {.name = "memory", .time = Ticks(sum.memory), .meaning = "reads and writes of a core's memory"},
          {.name = "software",
           .time = end - Ticks(sum.network + sum.memory),
           .meaning = "overhead of rounds, and late cores"}};
}

}  // namespace

Timeline timeline_of_hosts(std::span<const HostStep> steps, std::span<const StepId> path) {
  Timeline timeline{.in_picoseconds = true, .kinds = {"software", "network", "memory"}, .tracks = {}, .spans = {}};
  const std::map<NodeId, std::int32_t> tracks = shown_cores(steps, path);
  timeline.tracks.resize(tracks.size());
  for (const auto& [core, track] : tracks) {
    timeline.tracks[at(track)] = {.group = "core", .name = fmt::format("core {}", core)};
  }
  for (const HostStep& step : steps) {
    if (const auto found = tracks.find(step.core); found != tracks.end()) add_spans(step, found->second, timeline);
  }
  sort_spans(timeline);
  HostStep::Parts sum;
  for (std::size_t i = path.size(); i-- > 0;) {
    const HostStep& step = steps[at(path[i])];
    sum.overhead += step.parts.overhead;
    sum.network += step.parts.network;
    sum.memory += step.parts.memory;
    if (step.parts.sum() == 0) continue;
    timeline.path.push_back(
        {.begin = Ticks(step.begin), .end = Ticks(step.begin + step.parts.sum()), .what = text_of(step)});
  }
  timeline.path_parts = parts_of(timeline.path, sum);
  return timeline;
}

}  // namespace muster::hyperx
