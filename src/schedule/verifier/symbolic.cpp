// Symbolic execution: every step runs once, over all its elements at the same time. A stream carries segments, runs of
// elements whose contributions are the same, so the cost does not grow with the element count.
#include <algorithm>
#include <optional>

#include "schedule/verifier/segments.h"
#include "schedule/verifier/settle.h"
#include "schedule/verifier/verify_stages.h"

namespace muster::verifier {
namespace {

/// How many coefficients are multiplied along a path of steps at most, for the degree of polynomials.
class FactorCount {
 public:
  FactorCount(const Schedule& schedule, const ScheduleIndex& index)
      : schedule_(schedule),
        index_(index),
        of_stream_(schedule.streams.size()),
        of_buffer_(at(schedule.node_count) * (1 + kBuffers)) {}

  void send_old(StepId id) { push(id, buffer(id, schedule_.steps[at(id)].sent)); }

  /// The number for the result of a step.
  std::int64_t run(StepId id) {
    const Step& step = schedule_.steps[at(id)];
    const auto operands = schedule_.operands_of(step);
    std::int32_t most = 0;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const std::int32_t before = is_stream(operands[i]) ? of_stream_[at(operands[i])]
                                  : is_term(operands[i]) ? buffer(id, schedule_.term_of(operands[i]).buffer)
                                                         : buffer(id, step.own);
      most = std::max(most, before + (schedule_.factor_of(step, i) == kOne ? 0 : 1));
    }
    std::int32_t& stored = buffer(id, step.store);
    stored = std::max(stored, most);
    if (!step.is_exchange()) push(id, most);
    return most;
  }

 private:
  std::int32_t& buffer(StepId id, Buffer buffer) {
    return of_buffer_[at(index_.node_of[at(id)]) * (1 + kBuffers) + static_cast<std::size_t>(buffer)];
  }
  void push(StepId id, std::int32_t factors) {
    for (const StreamId output : schedule_.outputs_of(schedule_.steps[at(id)])) of_stream_[at(output)] = factors;
  }

  const Schedule& schedule_;
  const ScheduleIndex& index_;
  std::vector<std::int32_t> of_stream_;
  std::vector<std::int32_t> of_buffer_;  ///< of each node
};

class Execution {
 public:
  Execution(const Subject& subject, const ScheduleIndex& index, const Dependencies& dependencies,
            const std::vector<Vertex>& order, Contributions contributions)
      : subject_(subject),
        schedule_(subject.schedule),
        index_(index),
        dependencies_(dependencies),
        order_(order),
        holdings_(schedule_),
        contributions_(std::move(contributions)),
        memories_(schedule_, holdings_, contributions_),
        block_of_(schedule_.streams.size(), kNotPushed) {
    if (contributions_.linear()) factors_.emplace(schedule_, index_);
  }

  Settled run() {
    for (moment_ = 0; moment_ < order_.size(); ++moment_) {
      const Vertex vertex = order_[moment_];
      const StepId id = dependencies_.step_of(vertex);
      if (Finding wrong = dependencies_.is_sender(vertex) ? send_old(id) : combine(id))
        return {.verdict = {.counterexample = wrong}};
    }
    if (contributions_.linear()) return {.verdict = settled_linear()};
    const Trace trace = [&](NodeId node, Buffer buffer, std::int64_t element) {
      return Tracer(subject_, index_, dependencies_, order_).of_memory(node, buffer, element);
    };
    return settle(subject_, memories_, contributions_, all_elements(), trace);
  }

 private:
  Verdict settled_linear() {
    const ProductTrace trace = [&](NodeId node, Buffer buffer, std::int64_t element) {
      return Tracer(subject_, index_, dependencies_, order_).products_of_memory(node, buffer, element);
    };
    return settle_linear(subject_, memories_, contributions_, trace);
  }

  static constexpr std::int32_t kNotPushed = -1;
  /// What the first step stored that did nothing else with what it took: others do the same.
  struct FirstStored {
    SpanId elements = -1;
    SpanId store_elements = -1;
    Memories::Contents before = Memories::kAsHeld;
    Memories::Contents after = Memories::kAsHeld;
  };
  /// What a step pushed, until it has been taken everywhere.
  struct Block {
    Segments segments;
    std::int64_t takers_left = 0;
    FirstStored first_stored;
  };

  Finding send_old(StepId id) {
    const Step& step = schedule_.steps[at(id)];
    if (factors_) factors_->send_old(id);
    if (Finding wrong = read(id, step.sent, step.sent_elements, result_)) return wrong;
    push(step);
    return std::nullopt;
  }

  Finding combine(StepId id) {
    const Step& step = schedule_.steps[at(id)];
    const auto operands = schedule_.operands_of(step);
    result_.clear();
    for (std::size_t i = 0; i < operands.size(); ++i) {
      Segments& target = i == 0 ? result_ : operand_;
      if (Finding wrong = fetch(id, operands[i], target)) return wrong;
      if (Finding wrong = multiply(id, schedule_.factor_of(step, i), target)) return wrong;
      if (i == 0) continue;
      const auto crossing = add_segments(contributions_, result_, operand_, sum_);
      if (crossing) return crossed(id, i, *crossing);
      std::swap(result_, sum_);
    }
    if (factors_) contributions_.note_factors(factors_->run(id));
    if (step.store != Buffer::none) {
      const bool takes_only = operands.size() == 1 && is_stream(operands.front()) &&
                              schedule_.factor_of(step, 0) == kOne && carries_data(schedule_, operands.front());
      takes_only ? store_taken(id, blocks_[at(block_of_[at(operands.front())])]) : store(id);
    }
    if (!step.is_exchange()) push(step);
    return std::nullopt;
  }

  /// What is stored over the same elements, in equal contents, makes equal contents.
  void store_taken(StepId id, Block& block) {
    const Step& step = schedule_.steps[at(id)];
    const NodeId node = index_.node_of[at(id)];
    FirstStored& first = block.first_stored;
    const Memories::Contents before = memories_.contents(node, step.store);
    const bool is_first = first.elements < 0 && block.takers_left > 0 && before != Memories::kAsHeld;
    const bool is_known =
        first.elements == step.elements && first.store_elements == step.store_elements && first.before == before;
    if (is_known) {
      memories_.set(node, step.store, first.after);
    } else {
      if (is_first) memories_.keep(before);
      store(id);
      if (is_first) {
        first = {step.elements, step.store_elements, before, memories_.contents(node, step.store)};
        memories_.keep(first.after);
      }
    }
    if (block.takers_left == 0) forget(first);
  }

  void forget(FirstStored& first) {
    memories_.release(first.before);
    memories_.release(first.after);
    first = {};
  }

  /// An operand as segments over the step's elements.
  Finding fetch(StepId id, StreamId operand, Segments& segments) {
    const Step& step = schedule_.steps[at(id)];
    if (is_stream(operand)) {
      take(operand, segments);
      return std::nullopt;
    }
    const Term own = is_term(operand) ? schedule_.term_of(operand) : Term{step.own, step.own_elements};
    if (Finding wrong = read(id, own.buffer, own.elements, segments)) return wrong;
    if (own.elements != step.elements) {
      segments = seen_from(contributions_, segments, ranges(own.elements), ranges(step.elements));
    }
    return std::nullopt;
  }

  Finding multiply(StepId id, std::int32_t factor, Segments& segments) {
    if (factor == kOne) return std::nullopt;
    const Step& step = schedule_.steps[at(id)];
    const NodeId node = index_.node_of[at(id)];
    const Coefficient& coefficient = schedule_.coefficients[at(factor)];
    if (coefficient.is_array()) {
      if (Finding wrong = read_array(id, coefficient)) return wrong;
    }
    const auto position = scale_segments(contributions_, segments, factor, coefficient.is_array(), node);
    if (!position) return std::nullopt;
    const std::int64_t element = schedule_.spans.element(step.elements, *position);
    return found(
        Kind::malformed, {.node = node, .element = element, .step = id},
        "{} multiplies, as element {}, with array '{}' what has an array as a factor already; one is proven at most",
        subject_.step(id, node), element, coefficient.name);
  }

  /// A stream without elements may be taken before it is pushed.
  void take(StreamId stream, Segments& segments) {
    if (block_of_[at(stream)] == kNotPushed) return segments.clear();
    Block& block = blocks_[at(block_of_[at(stream)])];
    if (--block.takers_left > 0) {
      segments.assign(block.segments.begin(), block.segments.end());
      return;
    }
    std::swap(segments, block.segments);
    free_blocks_.push_back(block_of_[at(stream)]);
  }

  Finding read(StepId id, Buffer buffer, SpanId elements, Segments& segments) {
    const NodeId node = index_.node_of[at(id)];
    const std::optional<std::int64_t> absent = read_segments(memories_, node, buffer, ranges(elements), segments);
    if (!absent) return std::nullopt;
    return found(Kind::too_early, {.node = node, .element = *absent, .step = id},
                 "{} reads element {} of {}, where nothing has been stored before", subject_.step(id, node), *absent,
                 buffer_name(buffer));
  }

  /// Whether all elements of an array exist that the step multiplies with.
  Finding read_array(StepId id, const Coefficient& coefficient) {
    std::vector<Range> elements;
    for (const Range& range : ranges(schedule_.steps[at(id)].elements)) {
      elements.push_back({range.first + coefficient.first, range.count});
    }
    const NodeId node = index_.node_of[at(id)];
    Segments ignored;
    const std::optional<std::int64_t> absent = read_segments(memories_, node, coefficient.array, elements, ignored);
    if (!absent) return std::nullopt;
    return found(Kind::too_early, {.node = node, .element = *absent, .step = id},
                 "{} multiplies with element {} of {}, which nobody holds", subject_.step(id, node), *absent,
                 buffer_name(coefficient.array));
  }

  [[nodiscard]] std::span<const Range> ranges(SpanId id) const { return schedule_.spans.ranges(id); }

  /// Two different elements of the vector were about to be combined.
  Finding crossed(StepId id, std::size_t operand, std::int64_t position) const {
    const NodeId node = index_.node_of[at(id)];
    const auto text = [&](std::size_t which) {
      const Origins origins = Tracer(subject_, index_, dependencies_, order_).of_operand(moment_, which, position);
      const Origin& origin = origins.begin()->first;
      return fmt::format("element {} of {} of {}", origin.element, buffer_name(origin.buffer),
                         subject_.node(origin.node));
    };
    const StreamId stream = schedule_.operands_of(schedule_.steps[at(id)])[operand];
    const std::int64_t element = schedule_.spans.element(schedule_.steps[at(id)].elements, position);
    return found(Kind::foreign,
                 {.node = node,
                  .element = element,
                  .step = id,
                  .stream = is_stream(stream) ? std::optional(stream) : std::nullopt},
                 "{} combines, as element {}, {} with {}", subject_.step(id, node), element, text(0), text(operand));
  }

  void store(StepId id) {
    const Step& step = schedule_.steps[at(id)];
    if (step.store_elements != step.elements) {
      operand_ = seen_from(contributions_, result_, ranges(step.elements), ranges(step.store_elements));
    }
    const Segments& segments = step.store_elements != step.elements ? operand_ : result_;
    Intervals<Content>& memory = memories_.writable(index_.node_of[at(id)], step.store);
    store_segments(contributions_, memory, ranges(step.store_elements), segments);
  }

  void push(const Step& step) {
    if (step.outputs.count == 0) return;
    if (free_blocks_.empty()) {
      free_blocks_.push_back(static_cast<std::int32_t>(blocks_.size()));
      blocks_.emplace_back();
    }
    const std::int32_t number = free_blocks_.back();
    free_blocks_.pop_back();
    Block& block = blocks_[at(number)];
    forget(block.first_stored);
    block.segments.assign(result_.begin(), result_.end());
    block.takers_left = 0;
    for (const StreamId output : schedule_.outputs_of(step)) {
      block_of_[at(output)] = number;
      block.takers_left += schedule_.streams[at(output)].sinks.count;
    }
  }

  const Subject& subject_;
  const Schedule& schedule_;
  const ScheduleIndex& index_;
  const Dependencies& dependencies_;
  const std::vector<Vertex>& order_;
  Holdings holdings_;
  Contributions contributions_;
  Memories memories_;
  std::vector<std::int32_t> block_of_;  ///< by stream
  std::vector<Block> blocks_;
  std::vector<std::int32_t> free_blocks_;
  std::optional<FactorCount> factors_;  ///< in linear combinations
  std::size_t moment_ = 0;
  Segments result_;   ///< of the step at hand
  Segments operand_;  ///< its next operand
  Segments sum_;
};

}  // namespace

Verdict execute(const Subject& subject, const ScheduleIndex& index, const Dependencies& dependencies,
                const std::vector<Vertex>& order, const VerifyOptions& options) {
  return prove(subject.schedule, options, static_cast<std::int64_t>(order.size()), [&](Contributions contributions) {
    return Execution(subject, index, dependencies, order, std::move(contributions)).run();
  });
}

}  // namespace muster::verifier
