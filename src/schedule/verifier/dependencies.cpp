// What waits for what, as a graph of steps and sending halves of exchanges. Its size does not depend on element counts.
#include <algorithm>

#include "machine/routing.h"
#include "schedule/verifier/verify_stages.h"

namespace muster::verifier {
namespace {

using Why = Dependencies::Why;
constexpr Vertex kNone = -1;

class Builder {
 public:
  Builder(const Subject& subject, const ScheduleIndex& index)
      : schedule_(subject.schedule), index_(index), depth_(std::max<std::int64_t>(1, stream_buffer(subject.machine))) {
    graph_.steps = static_cast<StepId>(schedule_.steps.size());
    for (StepId id = 0; id < graph_.steps; ++id) {
      if (!schedule_.steps[at(id)].is_exchange()) continue;
      if (sender_of_.empty()) sender_of_.assign(schedule_.steps.size(), kNone);
      sender_of_[at(id)] = graph_.vertices();
      graph_.sender_step.push_back(id);
    }
  }

  Dependencies build() && {
    graph_.first.reserve(at(graph_.vertices()) + 1);
    graph_.edges.reserve(2 * schedule_.operands.size());
    for (Vertex v = 0; v < graph_.vertices(); ++v) {
      graph_.first.push_back(static_cast<std::int32_t>(graph_.edges.size()));
      const StepId id = graph_.step_of(v);
      const bool sends = graph_.is_sender(v) || sender(id) == kNone;
      const bool takes = !graph_.is_sender(v);
      if (takes) add_data(id);
      if (sends) add_credits(id);
      if (takes && sender(id) != kNone) add(sender(id), overwrites_sent(id) ? Why::old : Why::after_send);
      if (const StepId before = index_.before(id); before != kNoStep) add_both(before, Why::lane);
      for (const StepId awaited : schedule_.waits_of(schedule_.steps[at(id)])) add_both(awaited, Why::wait);
    }
    graph_.first.push_back(static_cast<std::int32_t>(graph_.edges.size()));
    return std::move(graph_);
  }

 private:
  [[nodiscard]] Vertex sender(StepId id) const { return sender_of_.empty() ? kNone : sender_of_[at(id)]; }
  void add(Vertex to, Why why) { graph_.edges.push_back({to, why}); }
  void add_both(StepId step, Why why) {
    add(step, why);
    if (sender(step) != kNone) add(sender(step), why);
  }

  /// A stream of no elements makes no step wait.
  void add_data(StepId id) {
    for (const StreamId operand : schedule_.operands_of(schedule_.steps[at(id)])) {
      if (!is_stream(operand) || !carries_data(schedule_, operand)) continue;
      const StepId producer = index_.producer[at(operand)];
      add(sender(producer) == kNone ? producer : sender(producer), Why::data);
    }
  }

  /// A producer waits for its consumers only if the stream does not fit its buffer.
  void add_credits(StepId id) {
    for (const StreamId output : schedule_.outputs_of(schedule_.steps[at(id)])) {
      const Stream& stream = schedule_.streams[at(output)];
      if (schedule_.spans.count(stream.elements) <= depth_) continue;
      for (const StepId taker : index_.takers.of(output)) add(taker, Why::credit);
    }
  }

  /// The form check has seen that what is sent and what is stored in one buffer is the same span or lies apart.
  [[nodiscard]] bool overwrites_sent(StepId id) const {
    const Step& step = schedule_.steps[at(id)];
    return step.store == step.sent && step.store_elements == step.sent_elements;
  }

  const Schedule& schedule_;
  const ScheduleIndex& index_;
  std::int64_t depth_;
  std::vector<Vertex> sender_of_;  ///< exchange step → its sending half; empty if there is no exchange
  Dependencies graph_;
};

}  // namespace

Dependencies dependencies_of(const Subject& subject, const ScheduleIndex& index) {
  return Builder(subject, index).build();
}

}  // namespace muster::verifier
