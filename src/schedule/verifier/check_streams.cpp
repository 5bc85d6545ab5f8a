// Every stream is pushed by exactly one step of its source and taken by exactly one step of each sink, over its span.
// Spans are interned, so equal spans are equal numbers. Only where something is wrong, streams are looked at one by one.
#include <algorithm>
#include <numeric>

#include "schedule/stream_ends.h"
#include "schedule/verifier/verify_stages.h"

namespace muster::verifier {
namespace {

constexpr StepId kNobody = -1;

/// The steps that take each stream, grouped by stream.
struct Takers {
  std::vector<std::int32_t> first;
  std::vector<StepId> steps;

  explicit Takers(const Schedule& schedule) : first(schedule.streams.size() + 1) {
    for_each_taken(schedule, [&](StreamId stream, StepId) { ++first[at(stream) + 1]; });
    std::partial_sum(first.begin(), first.end(), first.begin());
    steps.resize(at(first.back()));
    std::vector<std::int32_t> next(first.begin(), first.end() - 1);
    for_each_taken(schedule, [&](StreamId stream, StepId step) { steps[at(next[at(stream)]++)] = step; });
  }
  [[nodiscard]] std::span<const StepId> of(StreamId stream) const {
    return {steps.data() + first[at(stream)], steps.data() + first[at(stream) + 1]};
  }

 private:
  template <class Visit>
  static void for_each_taken(const Schedule& schedule, Visit visit) {
    for (StepId id = 0; id < static_cast<StepId>(schedule.steps.size()); ++id) {
      for (const StreamId operand : schedule.operands_of(schedule.steps[at(id)])) {
        if (operand != kOwn) visit(operand, id);
      }
    }
  }
};

class StreamCheck {
 public:
  StreamCheck(const Subject& subject, Ends& ends) : subject_(subject), schedule_(subject.schedule), ends_(ends) {
    ends_.node_of = step_nodes(schedule_);
    ends_.producer.assign(schedule_.streams.size(), kNobody);
  }

  Finding run() {
    for (StepId id = 0; id < static_cast<StepId>(schedule_.steps.size()); ++id) {
      for (const StreamId stream : schedule_.outputs_of(schedule_.steps[at(id)])) {
        if (Finding wrong = push(id, stream)) return wrong;
      }
    }
    if (all_pushed() && all_taken()) return std::nullopt;
    ends_.consumer.assign(schedule_.sinks.size(), kNobody);
    const Takers takers(schedule_);
    slot_of_.assign(at(schedule_.node_count), -1);
    for (StreamId id = 0; id < static_cast<StreamId>(schedule_.streams.size()); ++id) {
      if (ends_.producer[at(id)] == kNobody) {
        const NodeId source = schedule_.streams[at(id)].source;
        return found(Kind::mismatch, {.node = source, .stream = id}, "{}: no step of {} pushes it", subject_.stream(id),
                     subject_.node(source));
      }
      if (Finding wrong = taken(id, takers.of(id))) return wrong;
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] std::string step(StepId id) const { return subject_.step(id, ends_.node_of[at(id)]); }

  [[nodiscard]] bool all_pushed() const {
    return std::find(ends_.producer.begin(), ends_.producer.end(), kNobody) == ends_.producer.end();
  }

  bool all_taken() {
    auto consumers = stream_consumers(schedule_, ends_.node_of);
    if (!consumers) return false;
    ends_.consumer = *std::move(consumers);
    return true;
  }

  Finding push(StepId id, StreamId stream_id) {
    const Step& pusher = schedule_.steps[at(id)];
    const Stream& stream = schedule_.streams[at(stream_id)];
    const Place here{.node = ends_.node_of[at(id)], .step = id, .stream = stream_id};
    if (stream.source != *here.node) {
      return found(Kind::mismatch, here, "{}: {} pushes it, but it starts at {}", subject_.stream(stream_id), step(id),
                   subject_.node(stream.source));
    }
    StepId& producer = ends_.producer[at(stream_id)];
    if (producer != kNobody) {
      return found(Kind::mismatch, here, "{}: pushed twice, by step {} and by {}", subject_.stream(stream_id), producer,
                   step(id));
    }
    producer = id;
    const SpanId pushed = pusher.is_exchange() ? pusher.sent_elements : pusher.elements;
    return pushed == stream.elements ? std::nullopt : other_span(here, "pushes", pushed);
  }

  [[nodiscard]] Finding other_span(const Place& here, const char* verb, SpanId actual) const {
    const SpanTable& spans = schedule_.spans;
    return found(Kind::mismatch, here, "{}: it carries elements {}, but {} {} {}", subject_.stream(*here.stream),
                 ranges_text(spans.ranges(schedule_.streams[at(*here.stream)].elements)), step(*here.step), verb,
                 ranges_text(spans.ranges(actual)));
  }

  Finding taken(StreamId id, std::span<const StepId> takers) {
    const Stream& stream = schedule_.streams[at(id)];
    if (Finding wrong = mark_sinks(id)) return wrong;
    for (const StepId taker : takers) {
      if (Finding wrong = take(id, taker)) return wrong;
    }
    for (std::int32_t slot = stream.sinks.first; slot < stream.sinks.first + stream.sinks.count; ++slot) {
      const NodeId sink = schedule_.sinks[at(slot)];
      if (ends_.consumer[at(slot)] == kNobody) {
        return found(Kind::mismatch, {.node = sink, .stream = id}, "{}: no step of {} takes it", subject_.stream(id),
                     subject_.node(sink));
      }
      slot_of_[at(sink)] = -1;
    }
    return std::nullopt;
  }

  Finding mark_sinks(StreamId id) {
    const Stream& stream = schedule_.streams[at(id)];
    for (std::int32_t slot = stream.sinks.first; slot < stream.sinks.first + stream.sinks.count; ++slot) {
      const NodeId sink = schedule_.sinks[at(slot)];
      if (slot_of_[at(sink)] >= 0) {
        return found(Kind::mismatch, {.node = sink, .stream = id}, "{}: {} is its sink twice", subject_.stream(id),
                     subject_.node(sink));
      }
      slot_of_[at(sink)] = slot;
    }
    return std::nullopt;
  }

  Finding take(StreamId id, StepId taker) {
    const Place here{.node = ends_.node_of[at(taker)], .step = taker, .stream = id};
    const std::int32_t slot = slot_of_[at(*here.node)];
    if (slot < 0) {
      return found(Kind::mismatch, here, "{}: {} takes it, but it does not end there", subject_.stream(id),
                   step(taker));
    }
    StepId& consumer = ends_.consumer[at(slot)];
    if (consumer != kNobody) {
      return found(Kind::mismatch, here, "{}: taken twice at its sink, by step {} and by {}", subject_.stream(id),
                   consumer, step(taker));
    }
    consumer = taker;
    const SpanId elements = schedule_.steps[at(taker)].elements;
    return elements == schedule_.streams[at(id)].elements ? std::nullopt : other_span(here, "takes", elements);
  }

  const Subject& subject_;
  const Schedule& schedule_;
  Ends& ends_;
  std::vector<std::int32_t> slot_of_;  ///< node → its slot among the sinks of the stream at hand
};

}  // namespace

Finding check_streams(const Subject& subject, Ends& ends) { return StreamCheck(subject, ends).run(); }

}  // namespace muster::verifier
