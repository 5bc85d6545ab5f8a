#include "backend/cluster/timeline.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "backend/cluster/operation_names.h"
#include "base/index.h"
#include "machine/cluster.h"

namespace muster::cluster {

namespace {

void sort_spans(Timeline& timeline) {
  std::stable_sort(timeline.spans.begin(), timeline.spans.end(), [](const TimelineSpan& a, const TimelineSpan& b) {
    return std::tie(a.track, a.begin) < std::tie(b.track, b.begin);
  });
}

}  // namespace

Timeline timeline_of_all(const ClusterProgram& program, const std::vector<Ticks>& begins) {
  const OperationNames names(program);
  Timeline timeline{.in_picoseconds = true, .kinds = names.kinds(), .done_to = "a chunk"};
  for (std::size_t d = 0; d < program.cluster().dimensions.size(); ++d) {
    timeline.tracks.push_back({.group = "dimension", .name = fmt::format("dimension {}", d + 1)});
  }
  for (std::size_t i = 0; i < begins.size(); ++i) {
    const Operation& o = program.operations[i];
    timeline.spans.push_back(names.span(o, {.track = o.dimension, .begin = begins[i], .end = begins[i] + o.sending}));
  }
  sort_spans(timeline);
  return timeline;
}

Timeline timeline_of_npus(const ClusterProgram& program, const std::set<NodeId>& shown,
                          const std::vector<SentByGroup>& sent) {
  const OperationNames names(program);
  Timeline timeline{.in_picoseconds = true, .kinds = names.kinds(), .done_to = "a chunk"};
  std::map<NodeId, std::int32_t> first_track;
  for (const NodeId npu : shown) {
    first_track[npu] = static_cast<std::int32_t>(timeline.tracks.size());
    for (std::size_t d = 0; d < program.cluster().dimensions.size(); ++d) {
      timeline.tracks.push_back({.group = "NPU", .name = fmt::format("NPU {}, dimension {}", npu, d + 1)});
    }
  }
  for (const SentByGroup& sent_by_group : sent) {
    const Operation& o = program.operations[at(sent_by_group.operation)];
    for (const NodeId member : sent_by_group.members) {
      const auto found = first_track.find(member);
      if (found == first_track.end()) continue;
      timeline.spans.push_back(names.span(
          o, {.track = found->second + o.dimension, .begin = sent_by_group.begin, .end = sent_by_group.end}));
    }
  }
  sort_spans(timeline);
  return timeline;
}

}  // namespace muster::cluster
