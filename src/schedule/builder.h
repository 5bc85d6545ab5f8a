// Writing schedules. An algorithm reads like its description:
//
//   ScheduleBuilder b({.nodes = 3, .count = 8});
//   const SpanId all = b.span({0, 8});
//   const StreamId s = b.stream(2, 1, all), t = b.stream(1, 0, all);
//   b.step(2, all).own(Buffer::input).push(s);                            // PE 2 sends its vector
//   b.step(1, all).take(s).own(Buffer::input).push(t);                    // PE 1 adds its own and forwards
//   b.step(0, all).take(t).own(Buffer::input).store(Buffer::output);      // PE 0 keeps the sum
//   b.contract({.collective = Collective::reduce, .ranks = {0, 1, 2}, .root = 0, .count = 8});
//   Schedule schedule = std::move(b).finish();
//
// Operands combine in the order of take(), own() and term(). Steps of a node run in the order in which they were written,
// within their lane.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "schedule/phase.h"
#include "schedule/schedule.h"

namespace muster {

class ScheduleBuilder {
 public:
  struct Size {
    NodeId nodes = 0;
    std::int64_t count = 0;    ///< elements of input and of output
    std::int64_t scratch = 0;  ///< elements of scratch
    std::int64_t output = -1;  ///< elements of output, if they differ
    std::int64_t model = 0;    ///< elements of model
    std::int64_t series = 0;   ///< of a page
    std::int64_t record = 0;   ///< likewise
  };
  explicit ScheduleBuilder(Size size);

  /// How much will be written, for schedules of millions of steps: saves moving them as they grow.
  struct Expected {
    std::size_t streams = 0;
    std::size_t sinks = 0;
    std::size_t steps = 0;
    std::size_t operands = 0;
    std::size_t outputs = 0;
  };
  void expect(const Expected& more);

  SpanId span(Range range) { return schedule_.spans.add(range); }
  SpanId span(std::span<const Range> ranges) { return schedule_.spans.add(ranges); }
  [[nodiscard]] const SpanTable& spans() const { return schedule_.spans; }

  StreamId stream(NodeId source, NodeId sink, SpanId elements) { return multicast(source, {&sink, 1}, elements); }
  StreamId multicast(NodeId source, std::span<const NodeId> sinks, SpanId elements);
  /// Gives a stream a route of its own: a tree of hops from its source.
  void route(StreamId stream, std::vector<Hop> hops);

  /// Continues the newest step; using it after another step was begun is a bug.
  class StepWriter {
   public:
    StepWriter& take(StreamId stream);
    StepWriter& own(Buffer buffer) { return own(buffer, elements()); }
    StepWriter& own(Buffer buffer, SpanId at);
    /// Elements of a buffer as an operand, of which a step may have any number.
    StepWriter& term(Buffer buffer, SpanId at);
    /// Multiplies the operand before it with a coefficient.
    StepWriter& times(std::int32_t coefficient);
    StepWriter& store(Buffer buffer) { return store(buffer, elements()); }
    StepWriter& store(Buffer buffer, SpanId at);
    StepWriter& push(StreamId stream);
    /// Makes this an exchange: push() sends the old elements `what` of `buffer`.
    StepWriter& send_old(Buffer buffer, SpanId what);
    /// Waits until `earlier`, a step of another lane of this node, has finished.
    StepWriter& after(const StepWriter& earlier) { return after(earlier.id_); }
    StepWriter& after(StepId earlier);
    /// For after(): the number of this step in the order of writing.
    [[nodiscard]] StepId id() const { return id_; }

   private:
    friend class ScheduleBuilder;
    StepWriter(ScheduleBuilder& builder, StepId id) : builder_(&builder), id_(id) {}
    Step& step();
    SpanId elements();
    ScheduleBuilder* builder_;
    StepId id_;
  };
  StepWriter step(NodeId node, SpanId elements, std::int32_t lane = 0);

  /// The number of a coefficient for times(); equal ones have equal numbers. Throws InputError if the name stands for another.
  std::int32_t coefficient(Coefficient coefficient);

  void contract(Contract contract);

  /// Phases instead of steps (phase.h).
  std::int32_t part(Schedule schedule);
  /// Equal sets have equal numbers.
  std::int32_t groups(std::vector<Group> groups);
  std::int32_t phase(Phase phase);

  /// Groups the steps by node and lane. The builder is spent.
  Schedule finish() &&;

 private:
  friend class StepWriter;
  void sort_steps();
  Schedule schedule_;
  std::vector<NodeId> step_node_;
  std::vector<std::int32_t> step_lane_;
  std::unordered_map<std::uint64_t, std::int32_t> terms_;            ///< by buffer and span
  std::unordered_multimap<std::uint64_t, std::int32_t> group_sets_;  ///< by hash
};

}  // namespace muster
