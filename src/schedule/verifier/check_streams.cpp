// Every stream is pushed by exactly one step of its source and taken by exactly one step of each sink, over its span.
// Spans are interned, so equal spans are equal numbers. The steps that take a stream are looked at one by one only where
// something is wrong.
#include <algorithm>
#include <map>

#include "schedule/verifier/verify_stages.h"

namespace muster::verifier {
namespace {

class StreamCheck {
 public:
  StreamCheck(const Subject& subject, const ScheduleIndex& index)
      : subject_(subject), schedule_(subject.schedule), index_(index), pushed_(schedule_.streams.size()) {}

  Finding run() {
    for (StepId id = 0; id < static_cast<StepId>(schedule_.steps.size()); ++id) {
      for (const StreamId stream : schedule_.outputs_of(schedule_.steps[at(id)])) {
        if (Finding wrong = push(id, stream)) return wrong;
      }
    }
    for (StreamId id = 0; id < static_cast<StreamId>(schedule_.streams.size()); ++id) {
      if (!pushed_[at(id)]) {
        const NodeId source = schedule_.streams[at(id)].source;
        return found(Kind::mismatch, {.node = source, .stream = id}, "{}: no step of {} pushes it", subject_.stream(id),
                     subject_.node(source));
      }
      if (is_taken(id)) continue;
      if (Finding wrong = wrong_sinks(id)) return wrong;
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] std::string step(StepId id) const { return subject_.step(id, index_.node_of[at(id)]); }

  Finding push(StepId id, StreamId stream_id) {
    const Step& pusher = schedule_.steps[at(id)];
    const Stream& stream = schedule_.streams[at(stream_id)];
    const Location here{.node = index_.node_of[at(id)], .step = id, .stream = stream_id};
    if (stream.source != *here.node) {
      return found(Kind::mismatch, here, "{}: {} pushes it, but it starts at {}", subject_.stream(stream_id), step(id),
                   subject_.node(stream.source));
    }
    if (pushed_[at(stream_id)]) {
      return found(Kind::mismatch, here, "{}: pushed twice, by step {} and by {}", subject_.stream(stream_id),
                   index_.producer[at(stream_id)], step(id));
    }
    pushed_[at(stream_id)] = true;
    const SpanId pushed = pusher.is_exchange() ? pusher.sent_elements : pusher.elements;
    return pushed == stream.elements ? std::nullopt : other_span(here, "pushes", pushed);
  }

  [[nodiscard]] Finding other_span(const Location& here, const char* verb, SpanId actual) const {
    const SpanTable& spans = schedule_.spans;
    return found(Kind::mismatch, here, "{}: it carries elements {}, but {} {} {}", subject_.stream(*here.stream),
                 ranges_text(spans.ranges(schedule_.streams[at(*here.stream)].elements)), step(*here.step), verb,
                 ranges_text(spans.ranges(actual)));
  }

  [[nodiscard]] bool is_taken(StreamId id) const {
    const auto takers = index_.takers.of(id);
    const auto over_its_span = [&](StepId taker) {
      return schedule_.steps[at(taker)].elements == schedule_.streams[at(id)].elements;
    };
    return index_.each_sink_takes(schedule_, id) && std::all_of(takers.begin(), takers.end(), over_its_span);
  }

  /// What is wrong with a stream that is not taken once by each of its sinks.
  [[nodiscard]] Finding wrong_sinks(StreamId id) const {
    std::map<NodeId, StepId> taker_at;  // of each sink
    for (const NodeId sink : schedule_.sinks_of(schedule_.streams[at(id)])) {
      if (taker_at.try_emplace(sink, kNoStep).second) continue;
      return found(Kind::mismatch, {.node = sink, .stream = id}, "{}: {} is its sink twice", subject_.stream(id),
                   subject_.node(sink));
    }
    for (const StepId taker : index_.takers.of(id)) {
      const Location here{.node = index_.node_of[at(taker)], .step = taker, .stream = id};
      const auto sink = taker_at.find(*here.node);
      if (sink == taker_at.end()) {
        return found(Kind::mismatch, here, "{}: {} takes it, but it does not end there", subject_.stream(id),
                     step(taker));
      }
      if (sink->second != kNoStep) {
        return found(Kind::mismatch, here, "{}: taken twice at its sink, by step {} and by {}", subject_.stream(id),
                     sink->second, step(taker));
      }
      sink->second = taker;
      const SpanId elements = schedule_.steps[at(taker)].elements;
      if (elements != schedule_.streams[at(id)].elements) return other_span(here, "takes", elements);
    }
    return not_taken(id, taker_at);
  }

  [[nodiscard]] Finding not_taken(StreamId id, const std::map<NodeId, StepId>& taker_at) const {
    for (const NodeId sink : schedule_.sinks_of(schedule_.streams[at(id)])) {
      if (taker_at.at(sink) != kNoStep) continue;
      return found(Kind::mismatch, {.node = sink, .stream = id}, "{}: no step of {} takes it", subject_.stream(id),
                   subject_.node(sink));
    }
    MUSTER_ASSERT(false, "nothing is wrong with stream {}", id);
    return std::nullopt;
  }

  const Subject& subject_;
  const Schedule& schedule_;
  const ScheduleIndex& index_;
  std::vector<bool> pushed_;  ///< of each stream
};

}  // namespace

Finding check_streams(const Subject& subject, const ScheduleIndex& index) { return StreamCheck(subject, index).run(); }

}  // namespace muster::verifier
