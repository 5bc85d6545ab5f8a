// First stage: nothing later may trip over an index. Schedules come from files that strangers wrote, so no number is
// trusted and nothing is allocated by one.
#include <algorithm>

#include "machine/routing.h"
#include "schedule/verifier/verify_stages.h"

namespace muster::verifier {
namespace {

template <class... Args>
Finding malformed(const Location& where, fmt::format_string<Args...> format, Args&&... args) {
  return found(Kind::malformed, where, format, std::forward<Args>(args)...);
}

/// Hands out slices of a pool: each inside it, none touching another, so that together they are no larger than it.
class PoolCheck {
 public:
  explicit PoolCheck(std::size_t size) : size_(size) {}
  bool hand_out(Slice slice) {
    const auto size = static_cast<std::int64_t>(size_);
    if (slice.first < 0 || slice.count < 0 || std::int64_t{slice.first} + slice.count > size) return false;
    if (used_.empty() && slice.first == next_) {
      next_ += slice.count;
      return true;
    }
    if (used_.empty()) {
      used_.resize(size_);
      std::fill_n(used_.begin(), next_, true);
    }
    for (std::int32_t i = 0; i < slice.count; ++i) {
      if (used_[at(slice.first + i)]) return false;
      used_[at(slice.first + i)] = true;
    }
    return true;
  }

 private:
  std::size_t size_;
  std::int64_t next_ = 0;   ///< while slices follow each other: what is before it is handed out, the rest is not
  std::vector<bool> used_;  ///< from then on
};

bool overlap(const SpanTable& spans, SpanId a, SpanId b) {
  std::vector<Range> ranges(spans.ranges(a).begin(), spans.ranges(a).end());
  ranges.insert(ranges.end(), spans.ranges(b).begin(), spans.ranges(b).end());
  std::sort(ranges.begin(), ranges.end());
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    if (ranges[i].first < ranges[i - 1].end()) return true;
  }
  return false;
}

class FormCheck {
 public:
  explicit FormCheck(const Subject& subject)
      : subject_(subject),
        schedule_(subject.schedule),
        operands_(schedule_.operands.size()),
        outputs_(schedule_.outputs.size()),
        waits_(schedule_.waits.size()),
        sinks_(schedule_.sinks.size()) {}

  Finding run() {
    if (Finding wrong = sizes()) return wrong;
    for (StreamId id = 0; id < static_cast<StreamId>(schedule_.streams.size()); ++id) {
      if (Finding wrong = stream(id)) return wrong;
    }
    if (Finding wrong = lanes()) return wrong;
    for (NodeId node = 0; node < schedule_.node_count; ++node) {
      if (Finding wrong = steps_of(node)) return wrong;
    }
    return check_contracts(subject_);
  }

 private:
  Finding sizes() const {
    if (schedule_.node_count <= 0) return malformed({}, "the schedule has {} nodes", schedule_.node_count);
    if (!subject_.is_part && schedule_.node_count > node_count(subject_.machine)) {
      return malformed({}, "the schedule has {} nodes, the machine {}; use a larger machine or grid",
                       schedule_.node_count, node_count(subject_.machine));
    }
    for (const std::int64_t extent : schedule_.extent) {
      if (extent < 0 || extent > kMostElements) return malformed({}, "a buffer of {} elements", extent);
    }
    if (schedule_.record_every != 1)
      return malformed({}, "{} phases share a page of record in a schedule of steps; leave that out",
                       schedule_.record_every);
    if (schedule_.repeat != 1)
      return malformed({}, "a schedule of steps is repeated {} times; repeat phases", schedule_.repeat);
    if (Finding wrong = check_coefficients(subject_)) return wrong;
    if (!schedule_.phases.empty()) return malformed({}, "a schedule with phases has no steps of its own");
    return std::nullopt;
  }

  [[nodiscard]] bool is_node(NodeId node) const { return node >= 0 && node < schedule_.node_count; }
  [[nodiscard]] bool is_span(SpanId id) const { return id >= 0 && id < schedule_.spans.size(); }

  Finding stream(StreamId id) {
    const Stream& stream = schedule_.streams[at(id)];
    const Location here{.stream = id};
    if (!is_node(stream.source)) {
      return malformed(here, "stream {} starts at node {} of {}", id, stream.source, schedule_.node_count);
    }
    if (!sinks_.hand_out(stream.sinks)) {
      return malformed(here, "stream {} has its sinks outside the list or shares them with another", id);
    }
    if (stream.sinks.count == 0) return malformed(here, "stream {} has no sink", id);
    if (!is_span(stream.elements)) return malformed(here, "stream {} has unknown span {}", id, stream.elements);
    for (const NodeId sink : schedule_.sinks_of(stream)) {
      if (!is_node(sink)) return malformed(here, "stream {} ends at node {} of {}", id, sink, schedule_.node_count);
      if (sink == stream.source && stream.sinks.count == 1) {
        return malformed(here, "stream {} runs from {} to itself; use a wait between lanes", id, subject_.node(sink));
      }
    }
    if (stream.route != kDefaultRoute && (stream.route < 0 || at(stream.route) >= schedule_.routes.size())) {
      return malformed(here, "stream {} has unknown route {}", id, stream.route);
    }
    return std::nullopt;
  }

  /// Lanes are grouped by node and cover the steps from the first to the last.
  [[nodiscard]] Finding lanes() const {
    const auto& first_lane = schedule_.first_lane;
    if (first_lane.size() != at(schedule_.node_count) + 1 || first_lane.front() != 0 ||
        at(first_lane.back()) != schedule_.lanes.size()) {
      return malformed({}, "the table of lanes does not fit {} nodes and {} lanes", schedule_.node_count,
                       schedule_.lanes.size());
    }
    std::int64_t next = 0;
    for (NodeId node = 0; node < schedule_.node_count; ++node) {
      const std::int32_t first = first_lane[at(node)];
      const std::int32_t end = first_lane[at(node) + 1];
      if (first > end || at(end) > schedule_.lanes.size())
        return malformed({.node = node}, "lanes of {} are out of order", subject_.node(node));
      for (std::int32_t i = first; i < end; ++i) {
        const Lane& lane = schedule_.lanes[at(i)];
        if (lane.node != node || lane.first != next || lane.count < 0) {
          return malformed({.node = node}, "lane {} does not follow the one before it", i);
        }
        next += lane.count;
      }
    }
    if (next != static_cast<std::int64_t>(schedule_.steps.size())) {
      return malformed({}, "lanes hold {} steps, the schedule {}", next, schedule_.steps.size());
    }
    return std::nullopt;
  }

  Finding steps_of(NodeId node) {
    const auto lanes = schedule_.lanes_of(node);
    for (const Lane& lane : lanes) {
      for (StepId id = lane.first; id < lane.first + lane.count; ++id) {
        if (Finding wrong = step(id, node)) return wrong;
        if (Finding wrong = waits_of(id, lane, lanes)) return wrong;
      }
    }
    const bool has_steps = !lanes.empty() && lanes.back().first + lanes.back().count > lanes.front().first;
    if (!has_steps || subject_.is_part || can_combine(subject_.machine, node)) return std::nullopt;
    if (!can_store(subject_.machine, node)) {
      return malformed({.node = node, .step = lanes.front().first}, "{} only routes: it cannot run {}",
                       subject_.node(node), subject_.step(lanes.front().first, node));
    }
    for (StepId id = lanes.front().first; id < lanes.back().first + lanes.back().count; ++id) {
      const std::int32_t operands = schedule_.steps[at(id)].operands.count;
      if (operands > 1) {
        return malformed({.node = node, .step = id}, "{} stores and sends, but cannot combine: {} has {} operands",
                         subject_.node(node), subject_.step(id, node), operands);
      }
      if (schedule_.factor_of(schedule_.steps[at(id)], 0) != kOne) {
        return malformed({.node = node, .step = id}, "{} stores and sends, but cannot combine: {} has a factor",
                         subject_.node(node), subject_.step(id, node));
      }
    }
    return std::nullopt;
  }

  Finding step(StepId id, NodeId node) {
    const Step& step = schedule_.steps[at(id)];
    const Location here{.node = node, .step = id};
    if (!is_span(step.elements)) {
      return malformed(here, "{} has unknown span {}", subject_.step(id, node), step.elements);
    }
    if (!operands_.hand_out(step.operands) || !outputs_.hand_out(step.outputs) || !waits_.hand_out(step.waits)) {
      return malformed(here, "{} has operands, outputs or waits outside the lists, or shared with another step",
                       subject_.step(id, node));
    }
    if (Finding wrong = operands(id, node)) return wrong;
    for (const StreamId output : schedule_.outputs_of(step)) {
      if (!is_stream(output)) return malformed(here, "{} pushes unknown stream {}", subject_.step(id, node), output);
    }
    if (Finding wrong = access(here, "reads", step.own, step.own_elements, step.elements)) return wrong;
    if (Finding wrong = terms(here, step)) return wrong;
    if (step.store == Buffer::model || step.store == Buffer::series) {
      return malformed(here, "{} stores in {}, which is for constants; use scratch", subject_.step(id, node),
                       buffer_name(step.store));
    }
    if (Finding wrong = access(here, "stores", step.store, step.store_elements, step.elements)) return wrong;
    if (Finding wrong = access(here, "sends", step.sent, step.sent_elements, step.sent_elements)) return wrong;
    return aliases(id, node);
  }

  [[nodiscard]] bool is_stream(StreamId id) const { return id >= 0 && at(id) < schedule_.streams.size(); }

  [[nodiscard]] Finding operands(StepId id, NodeId node) const {
    const Step& step = schedule_.steps[at(id)];
    const Location here{.node = node, .step = id};
    int own = 0;
    for (const StreamId operand : schedule_.operands_of(step)) {
      if (operand == kOwn) ++own;
      if (is_term(operand) && at(term_index(operand)) >= schedule_.terms.size()) {
        return malformed(here, "{} has unknown term {}", subject_.step(id, node), term_index(operand));
      }
      if (muster::is_stream(operand) && !is_stream(operand)) {
        return malformed(here, "{} takes unknown stream {}", subject_.step(id, node), operand);
      }
    }
    if (own > 1)
      return malformed(here, "{} names its own element {} times; once is allowed", subject_.step(id, node), own);
    if ((own == 1) != (step.own != Buffer::none)) {
      return malformed(here, "{} {}", subject_.step(id, node),
                       own == 1 ? "combines its own element but names no buffer for it"
                                : "names a buffer of its own but does not combine it");
    }
    if (step.operands.count == 0) {
      return malformed(here, "{} has no operand; give it a stream or an element of its own", subject_.step(id, node));
    }
    if (step.is_exchange() && step.outputs.count == 0) {
      return malformed(here, "{} is an exchange that sends to no one", subject_.step(id, node));
    }
    return std::nullopt;
  }

  /// The step's terms, and the arrays that it multiplies with.
  [[nodiscard]] Finding terms(const Location& here, const Step& step) const {
    const auto operands = schedule_.operands_of(step);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (is_term(operands[i])) {
        const Term& term = schedule_.term_of(operands[i]);
        if (term.buffer == Buffer::none)
          return malformed(here, "{} has a term of no buffer", subject_.step(*here.step, *here.node));
        if (Finding wrong = access(here, "reads", term.buffer, term.elements, step.elements)) return wrong;
      }
      const std::int32_t factor = schedule_.factor_of(step, i);
      if (factor < kOne || (factor != kOne && at(factor) >= schedule_.coefficients.size())) {
        return malformed(here, "{} has unknown coefficient {}", subject_.step(*here.step, *here.node), factor);
      }
      if (factor == kOne || !schedule_.coefficients[at(factor)].is_array()) continue;
      if (Finding wrong = array(here, step, schedule_.coefficients[at(factor)])) return wrong;
    }
    return std::nullopt;
  }

  /// The elements of an array that a step multiplies with.
  [[nodiscard]] Finding array(const Location& here, const Step& step, const Coefficient& coefficient) const {
    const Range hull = schedule_.spans.hull(step.elements);
    const std::int64_t extent = schedule_.extent_of(coefficient.array);
    const std::int64_t first = coefficient.first + hull.first;
    const std::int64_t last = coefficient.first + hull.end() - 1;
    if (hull.count == 0 || (first >= 0 && last < extent)) return std::nullopt;
    Location where = here;
    where.element = first < 0 ? first : last;
    return malformed(where, "{} multiplies with element {} of {}, which has {}", subject_.step(*here.step, *here.node),
                     *where.element, buffer_name(coefficient.array), extent);
  }

  [[nodiscard]] Finding access(const Location& here, const char* verb, Buffer buffer, SpanId elements,
                               SpanId like) const {
    if (buffer == Buffer::none) return std::nullopt;
    const auto name = [&] { return subject_.step(*here.step, *here.node); };
    if (buffer > Buffer::record) return malformed(here, "{} {} an unknown buffer", name(), verb);
    if (!is_span(elements)) return malformed(here, "{} {} unknown span {}", name(), verb, elements);
    const SpanTable& spans = schedule_.spans;
    if (spans.count(elements) != spans.count(like)) {
      return malformed(here, "{} runs over {} elements but {} {} of {}", name(), spans.count(like), verb,
                       spans.count(elements), buffer_name(buffer));
    }
    const std::int64_t end = schedule_.spans.hull(elements).end();
    if (end > schedule_.extent_of(buffer)) {
      Location where = here;
      where.element = end - 1;
      return malformed(where, "{} {} element {} of {}, which has {}", name(), verb, end - 1, buffer_name(buffer),
                       schedule_.extent_of(buffer));
    }
    return std::nullopt;
  }

  /// What a step reads and what it stores in one buffer is the same span, element by element, or lies apart: otherwise
  /// an early element of the step would change what a later one reads.
  [[nodiscard]] Finding aliases(StepId id, NodeId node) const {
    const Step& step = schedule_.steps[at(id)];
    if (step.store == Buffer::none) return std::nullopt;
    const auto alias = [&](Buffer buffer, SpanId read, const char* verb) -> Finding {
      if (buffer != step.store || read == step.store_elements) return std::nullopt;
      const Range a = schedule_.spans.hull(read);
      const Range b = schedule_.spans.hull(step.store_elements);
      if (a.end() <= b.first || b.end() <= a.first) return std::nullopt;
      if (!overlap(schedule_.spans, read, step.store_elements)) return std::nullopt;
      return malformed({.node = node, .step = id},
                       "{} {} elements {} and stores elements {} of {}; they must be identical or disjoint",
                       subject_.step(id, node), verb, ranges_text(schedule_.spans.ranges(read)),
                       ranges_text(schedule_.spans.ranges(step.store_elements)), buffer_name(buffer));
    };
    if (step.own != Buffer::none) {
      if (Finding wrong = alias(step.own, step.own_elements, "reads")) return wrong;
    }
    for (const StreamId operand : schedule_.operands_of(step)) {
      if (!is_term(operand)) continue;
      const Term& term = schedule_.term_of(operand);
      if (Finding wrong = alias(term.buffer, term.elements, "reads")) return wrong;
    }
    if (!step.is_exchange()) return std::nullopt;
    return alias(step.sent, step.sent_elements, "sends");
  }

  [[nodiscard]] Finding waits_of(StepId id, const Lane& lane, std::span<const Lane> lanes) const {
    for (const StepId awaited : schedule_.waits_of(schedule_.steps[at(id)])) {
      const Location here{.node = lane.node, .step = id};
      if (awaited < lanes.front().first || awaited >= lanes.back().first + lanes.back().count) {
        return malformed(here, "{} waits for step {}, which is not of that node", subject_.step(id, lane.node),
                         awaited);
      }
      if (awaited >= id && awaited < lane.first + lane.count) {
        return found(Kind::wait_cycle, here, "{} waits for {}, {} its own lane", subject_.step(id, lane.node),
                     awaited == id ? std::string("itself") : fmt::format("step {}", awaited),
                     awaited == id ? "in" : "which comes later in");
      }
    }
    return std::nullopt;
  }

  const Subject& subject_;
  const Schedule& schedule_;
  PoolCheck operands_;
  PoolCheck outputs_;
  PoolCheck waits_;
  PoolCheck sinks_;
};

}  // namespace

Finding check_form(const Subject& subject) { return FormCheck(subject).run(); }

}  // namespace muster::verifier
