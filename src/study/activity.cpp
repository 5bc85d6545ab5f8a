// Spans are dealt to the windows that they reach into.
#include "study/activity.h"

#include <algorithm>

#include "base/index.h"
#include "machine/machine.h"
#include "result/time_base.h"

namespace muster {

std::vector<Curve> activity_curves(const Timeline& timeline, Seconds window) {
  constexpr double kMicrosecondsPerMillisecond = 1e3;
  const auto width = static_cast<std::int64_t>(window.value() * kPicoseconds.ticks_per_second);
  std::int64_t end = 0;
  for (const TimelineSpan& span : timeline.spans) end = std::max(end, span.end.value());
  std::vector<std::vector<std::int64_t>> busy(timeline.tracks.size(),
                                              std::vector<std::int64_t>(at((end + width - 1) / width)));
  for (const TimelineSpan& span : timeline.spans) {
    for (std::int64_t w = span.begin.value() / width; w * width < span.end.value(); ++w) {
      const std::int64_t from = std::max(span.begin.value(), w * width);
      busy[at(span.track)][at(w)] += std::min(span.end.value(), (w + 1) * width) - from;
    }
  }
  std::vector<Curve> curves;
  for (std::size_t t = 0; t < busy.size(); ++t) {
    Curve curve{.name = timeline.tracks[t].name, .basis = Curve::Basis::simulated, .points = {}};
    for (std::size_t w = 0; w < busy[t].size(); ++w) {
      const std::int64_t from = static_cast<std::int64_t>(w) * width;
      const std::int64_t to = std::min(from + width, end);
      curve.points.emplace_back(to_microseconds(Ticks(from + to), kPicoseconds) / 2 / kMicrosecondsPerMillisecond,
                                100 * static_cast<double>(busy[t][w]) / static_cast<double>(to - from));
    }
    curves.push_back(std::move(curve));
  }
  return curves;
}

}  // namespace muster
