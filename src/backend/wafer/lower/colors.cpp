// Lowering, third stage: colors, chosen greedily from the last consumer upstream. In a reduction tree, colors then
// alternate with the depth: a processor receives on the color that it does not send on.
#include <algorithm>

#include "backend/wafer/lower/lower.h"
#include "base/index.h"

namespace muster::wafer {
namespace {

constexpr StreamId kNoStream = -1;

/// What one color already does at one router. Streams get their colors in reverse order of passing, so each field holds
/// the earliest stream so far.
struct Use {
  StreamId begins = kNoStream;  ///< a stream that comes from the ramp
  StreamId ends = kNoStream;    ///< a stream that goes to the ramp
  std::int32_t group = -1;
};

class Colorist {
 public:
  Colorist(const Schedule& schedule, const StreamRoutes& routes, const StreamOrder& order)
      : schedule_(schedule), routes_(routes), order_(order) {}

  [[nodiscard]] std::optional<int> lowest_color(StreamId stream, std::uint64_t forbidden) const {
    for (int color = 0; color < kMaxColors; ++color) {
      if (((forbidden >> color) & 1U) != 0) continue;
      if (color >= static_cast<int>(uses_.size()) || may_have(stream, color)) return color;
    }
    return {};
  }

  void assign(StreamId stream, int color) {
    if (color >= static_cast<int>(uses_.size())) uses_.resize(at(color) + 1);
    auto& uses = uses_[at(color)];
    if (uses.empty()) uses.resize(static_cast<std::size_t>(schedule_.node_count));
    for (const Visit& v : routes_.of(stream)) {
      Use& use = uses[at(v.router)];
      if (has(v.position.from, Direction::ramp)) use.begins = stream;
      if (has(v.position.to, Direction::ramp)) use.ends = stream;
      use.group = order_.group[at(stream)];
    }
  }

 private:
  [[nodiscard]] bool may_have(StreamId stream, int color) const {
    const auto& uses = uses_[at(color)];
    if (uses.empty()) return true;
    const auto visits = routes_.of(stream);
    return std::all_of(visits.begin(), visits.end(),
                       [&](const Visit& v) { return may_pass(stream, v, uses[at(v.router)]); });
  }

  [[nodiscard]] bool may_pass(StreamId stream, const Visit& v, const Use& use) const {
    if (use.group == order_.group[at(stream)]) return false;
    if (has(v.position.from, Direction::ramp)) {
      if (use.ends != kNoStream) return false;
      if (use.begins != kNoStream && !runs_before(order_.producer[at(stream)], order_.producer[at(use.begins)]))
        return false;
    }
    if (has(v.position.to, Direction::ramp)) {
      if (use.begins != kNoStream) return false;
      if (use.ends != kNoStream && !runs_before(order_.taker(stream, v.router), order_.taker(use.ends, v.router))) {
        return false;
      }
    }
    return true;
  }

  /// Whether step `a` surely ends before step `b` of the same node begins: by their lane, or by one wait.
  [[nodiscard]] bool runs_before(StepId a, StepId b) const {
    const std::int32_t lane_a = order_.step_lane[at(a)], lane_b = order_.step_lane[at(b)];
    if (lane_a == lane_b) return a < b;
    for (StepId s = schedule_.lanes[at(lane_b)].first; s <= b; ++s) {
      for (const StepId wait : schedule_.waits_of(schedule_.steps[at(s)])) {
        if (order_.step_lane[at(wait)] == lane_a && wait >= a) return true;
      }
    }
    return false;
  }

  const Schedule& schedule_;
  const StreamRoutes& routes_;
  const StreamOrder& order_;
  std::vector<std::vector<Use>> uses_;  ///< by color, by router
};

}  // namespace

bool choose_colors(const Schedule& schedule, const StreamRoutes& routes, const StreamOrder& order, Coloring& coloring) {
  coloring.color.assign(schedule.streams.size(), 0);
  coloring.forbidden.resize(schedule.streams.size(), 0);
  coloring.count = 0;
  Colorist colorist(schedule, routes, order);
  for (auto s = order.sequence.rbegin(); s != order.sequence.rend(); ++s) {
    if (routes.of(*s).empty()) continue;  // without elements: nothing is sent
    const auto color = colorist.lowest_color(*s, coloring.forbidden[at(*s)]);
    if (!color) return false;
    colorist.assign(*s, *color);
    coloring.color[at(*s)] = static_cast<std::int8_t>(*color);
    coloring.count = std::max(coloring.count, *color + 1);
  }
  return true;
}

}  // namespace muster::wafer
