// Lane by lane: steps are copied, and those with several destinations written as their parts.
#include "schedule/one_destination.h"

#include <algorithm>

#include "base/error.h"
#include "base/index.h"

namespace muster {
namespace {

/// Whether a step does more than to pass on its own elements.
bool makes_a_result(const Schedule& schedule, const Step& step) {
  const auto operands = schedule.operands_of(step);
  return operands.size() != 1 || operands.front() != kOwn || schedule.factor_of(step, 0) != kOne;
}

/// Whether a step on its own elements copies them: not if they lie in place.
bool copies(const Step& step) {
  return step.store != Buffer::none && (step.store != step.own || step.store_elements != step.own_elements);
}

bool has_several_destinations(const Schedule& schedule, const Step& step) {
  if (step.is_exchange() || schedule.spans.count(step.elements) == 0) return false;
  const std::int32_t stores = step.store != Buffer::none ? 1 : 0;
  if (makes_a_result(schedule, step)) return stores > 0 && step.outputs.count > 0;
  return step.outputs.count + stores > 1;
}

class Splitter {
 public:
  explicit Splitter(const Schedule& schedule) : from_(schedule), to_(schedule) {
    to_.steps.clear();
    last_part_.reserve(schedule.steps.size());
  }

  Schedule split() {
    for (Lane& lane : to_.lanes) {
      const auto first = static_cast<StepId>(to_.steps.size());
      for (StepId s = lane.first; s < lane.first + lane.count; ++s) {
        write(from_.steps[at(s)]);
        last_part_.push_back(static_cast<StepId>(to_.steps.size()) - 1);
      }
      lane.first = first;
      lane.count = static_cast<std::int32_t>(to_.steps.size()) - first;
    }
    for (StepId& wait : to_.waits) wait = last_part_[at(wait)];
    return std::move(to_);
  }

 private:
  void write(const Step& step) {
    if (!has_several_destinations(from_, step)) {
      to_.steps.push_back(step);
      return;
    }
    const std::size_t first = to_.steps.size();
    if (makes_a_result(from_, step)) {
      to_.steps.push_back(step);
      to_.steps.back().outputs.count = 0;
      write_sends(step, step.store, step.store_elements);
    } else {
      write_sends(step, step.own, step.own_elements);
      if (copies(step)) {
        to_.steps.push_back(step);
        to_.steps.back().outputs.count = 0;
      }
    }
    for (std::size_t part = first + 1; part < to_.steps.size(); ++part) to_.steps[part].waits.count = 0;
  }

  /// One step per stream that sends those elements of a buffer.
  void write_sends(const Step& step, Buffer buffer, SpanId elements) {
    for (std::int32_t i = 0; i < step.outputs.count; ++i) {
      Step send = step;
      send.operands = {static_cast<std::int32_t>(to_.operands.size()), 1};
      to_.operands.push_back(kOwn);
      if (!to_.factors.empty()) to_.factors.push_back(kOne);
      send.outputs = {step.outputs.first + i, 1};
      send.own = buffer;
      send.own_elements = elements;
      send.store = Buffer::none;
      send.store_elements = step.elements;
      to_.steps.push_back(send);
    }
  }

  const Schedule& from_;
  Schedule to_;
  std::vector<StepId> last_part_;  ///< of each old step
};

}  // namespace

std::optional<Schedule> with_one_destination(const Schedule& schedule) {
  MUSTER_ASSERT(schedule.is_flat(), "a schedule with phases has no steps of its own");
  const bool split = std::any_of(schedule.steps.begin(), schedule.steps.end(),
                                 [&](const Step& step) { return has_several_destinations(schedule, step); });
  if (!split) return std::nullopt;
  return Splitter(schedule).split();
}

}  // namespace muster
