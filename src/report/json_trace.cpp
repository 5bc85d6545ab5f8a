// One event per line, so that a large trace can be searched and compared as text.
#include "report/json_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "result/time_base.h"

namespace muster {
namespace {

using Json = nlohmann::ordered_json;

/// The groups in the order in which they occur; a group's number is its process.
std::vector<std::string> groups_of(const Timeline& timeline) {
  std::vector<std::string> groups;
  for (const TimelineTrack& track : timeline.tracks) {
    if (std::find(groups.begin(), groups.end(), track.group) == groups.end()) groups.push_back(track.group);
  }
  return groups;
}

std::size_t process_of(const std::vector<std::string>& groups, const TimelineTrack& track) {
  return static_cast<std::size_t>(std::find(groups.begin(), groups.end(), track.group) - groups.begin()) + 1;
}

Json name_event(const char* kind, std::size_t process, std::size_t thread, const std::string& name) {
  return Json{{"ph", "M"}, {"pid", process}, {"tid", thread}, {"name", kind}, {"args", {{"name", name}}}};
}

/// Viewers count in microseconds. A cycle is shown as one of them, unless it is a picosecond.
Json time_of(const Timeline& timeline, Ticks ticks) {
  return timeline.in_picoseconds ? Json(to_microseconds(ticks, kPicoseconds)) : Json(ticks.value());
}

std::string line_of(const Json& json) { return json.dump(-1, ' ', false, nlohmann::detail::error_handler_t::replace); }

}  // namespace

std::string json_trace(const Timeline& timeline) {
  const std::vector<std::string> groups = groups_of(timeline);
  std::string text =
      fmt::format(R"({{"displayTimeUnit": "ms", "otherData": {{"clock": "1 us is 1 {}"}}, "traceEvents": [)",
                  timeline.in_picoseconds ? "us" : "cycle");
  bool first = true;
  const auto add = [&](const Json& event) {
    text += (first ? "\n" : ",\n") + line_of(event);
    first = false;
  };
  for (std::size_t g = 0; g < groups.size(); ++g) add(name_event("process_name", g + 1, 0, groups[g] + "s"));
  for (std::size_t t = 0; t < timeline.tracks.size(); ++t) {
    add(name_event("thread_name", process_of(groups, timeline.tracks[t]), t + 1, timeline.tracks[t].name));
  }
  for (const TimelineSpan& span : timeline.spans) {
    const auto track = static_cast<std::size_t>(span.track);
    Json event{{"ph", "X"},
               {"pid", process_of(groups, timeline.tracks[track])},
               {"tid", track + 1},
               {"ts", time_of(timeline, span.begin)},
               {"dur", time_of(timeline, span.end - span.begin)},
               {"name", span.label}};
    if (span.kind >= 0) event["cat"] = timeline.kinds[static_cast<std::size_t>(span.kind)];
    if (span.busy) event["args"] = Json{{"busy", time_of(timeline, *span.busy)}};
    add(event);
  }
  return text + "\n]}\n";
}

}  // namespace muster
