// The reference interpreter: steps run whole, in any order that their dependences allow. A stream's words exist from its
// push to its last take, a node's buffers until its last step unless it owes them.
#include "schedule/interpret.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <utility>

#include "base/error.h"
#include "schedule/phase.h"

namespace muster {

namespace {

/// A buffer into which something was stored.
struct Memory {
  std::vector<Word> words;
  bool is_whole = false;     ///< all words exist
  std::vector<Range> exist;  ///< otherwise: sorted, apart

  void add(const Range& range) {
    if (range.count == 0 || is_whole) return;
    if (range.count == static_cast<std::int64_t>(words.size())) {
      is_whole = true;
      return;
    }
    Range sum = range;
    const auto touches = [&](const Range& r) { return r.first <= sum.end() && sum.first <= r.end(); };
    auto next = std::find_if(exist.begin(), exist.end(), [&](const Range& r) { return r.end() >= sum.first; });
    while (next != exist.end() && touches(*next)) {
      const std::int64_t end = std::max(sum.end(), next->end());
      sum.first = std::min(sum.first, next->first);
      sum.count = end - sum.first;
      next = exist.erase(next);
    }
    exist.insert(next, sum);
  }
  /// The first element of a range that does not exist; its end if all do.
  [[nodiscard]] std::int64_t first_missing(const Range& range) const {
    const Range whole{0, static_cast<std::int64_t>(words.size())};
    return is_whole ? first_gap(std::span(&whole, 1), range) : first_gap(exist, range);
  }

  /// Of sorted ranges.
  template <class Ranges>
  static std::int64_t first_gap(const Ranges& ranges, const Range& wanted) {
    std::int64_t next = wanted.first;
    for (const Range& r : ranges) {
      if (r.first <= next && next < r.end()) next = r.end();
    }
    return std::min(next, wanted.end());
  }
};

class Interpreter {
 public:
  Interpreter(const Schedule& flat, const Arithmetic& arithmetic, std::uint64_t seed, const InitialData& initial)
      : flat_(flat),
        arithmetic_(arithmetic),
        seed_(seed),
        initial_(initial),
        holdings_(flat),
        index_(checked_index(flat)),
        owes_(nodes_that_owe(flat)) {
    if (!flat.factors.empty() && !arithmetic.takes_coefficients()) {
      reject("the schedule has coefficients, which are for sums of f32, not for {} of {}", operator_name(arithmetic.op),
             type_name(arithmetic.type));
    }
    memory_of_.resize(static_cast<std::size_t>(flat.node_count) * kStoredBuffers, kNoMemory);
    slot_of_.assign(flat.streams.size(), -1);
    steps_left_.assign(static_cast<std::size_t>(flat.node_count), 0);
    for (const NodeId node : index_.node_of) ++steps_left_[at(node)];
  }

  void run(RunOrder order) {
    visit_run_order(flat_, index_, order, [&](const RunEvent& event) {
      step_ = event.step;
      const Step& step = flat_.steps[at(step_)];
      if (event.sends_old) {
        std::vector<Word> words = fresh(flat_.spans.count(step.sent_elements));
        read(step.sent, step.sent_elements, words);
        push(step, std::move(words));
      } else {
        run_step(step);
        const auto n = static_cast<std::size_t>(node());
        if (!owes_[n] && --steps_left_[n] == 0) forget_memories();
      }
    });
    step_ = -1;
  }

  [[nodiscard]] std::int64_t most_words() const { return most_; }

  Outputs take_outputs() {
    Outputs outputs(static_cast<std::size_t>(flat_.node_count));
    std::vector<bool> done(outputs.size());
    for (const Contract& contract : flat_.contracts) {
      for (const NodeId node : contract.ranks) {
        const auto n = static_cast<std::size_t>(node);
        if (done[n] || !owes_[n]) continue;
        done[n] = true;
        if (holds_any(node, contract.to)) outputs[n] = std::move(memory(node, contract.to).words);
      }
      for (const StencilPoints& receiver : contract.receivers) {
        const NodeId node = contract.ranks[static_cast<std::size_t>(receiver.rank)];
        const std::vector<Word> words = std::exchange(memory(node, Buffer::record).words, {});
        auto& output = outputs[static_cast<std::size_t>(node)];
        output.insert(output.end(), words.begin(), words.end());
      }
    }
    return outputs;
  }

 private:
  void run_step(const Step& step) {
    const auto operands = flat_.operands_of(step);
    if (operands.empty()) reject("{}has no operand", location());
    std::vector<Word> result = operand_words(step, operands.front());
    if (const auto factor = flat_.factor_of(step, 0); factor != kOne) {
      Arithmetic::multiply(result, factor_words(step, factor));
    }
    for (std::size_t i = 1; i < operands.size(); ++i) {
      std::vector<Word> words = operand_words(step, operands[i]);
      const std::int32_t factor = flat_.factor_of(step, i);
      if (factor == kOne) {
        arithmetic_.combine(result, words);
      } else {
        Arithmetic::multiply_add(result, factor_words(step, factor), words);
      }
      give_up(std::move(words));
    }
    if (step.store != Buffer::none) store(step.store, step.store_elements, result);
    if (step.is_exchange()) {
      give_up(std::move(result));
    } else {
      push(step, std::move(result));
    }
  }

  std::vector<Word> operand_words(const Step& step, StreamId operand) {
    std::vector<Word> words;
    if (is_stream(operand)) {
      words = take(operand);
    } else {
      const Term own = is_term(operand) ? flat_.term_of(operand) : Term{step.own, step.own_elements};
      words = fresh(flat_.spans.count(own.elements));
      read(own.buffer, own.elements, words);
    }
    require_length(words.size(), step.elements, "an operand");
    return words;
  }

  /// A coefficient as Arithmetic takes it: one word, or one for each of the step's elements.
  std::span<const Word> factor_words(const Step& step, std::int32_t factor) {
    const Coefficient& coefficient = flat_.coefficients.at(at(factor));
    factor_.assign(coefficient.is_array() ? at(flat_.spans.count(step.elements)) : 1,
                   std::bit_cast<Word>(coefficient.value));
    if (coefficient.is_array()) read_array(coefficient, step.elements);
    return factor_;
  }

  std::vector<Word> take(StreamId id) {
    const auto s = static_cast<std::size_t>(id);
    if (slot_of_[s] < 0) return {};  // a stream without elements is not waited for
    OnTheWay& pushed = slots_[at(slot_of_[s])];
    if (--pushed.takers_left > 0) return copy(pushed.words);
    free_slots_.push_back(slot_of_[s]);
    return std::move(pushed.words);
  }

  void fill(StreamId id, std::vector<Word> words) {
    if (free_slots_.empty()) {
      free_slots_.push_back(static_cast<std::int32_t>(slots_.size()));
      slots_.emplace_back();
    }
    slot_of_[at(id)] = free_slots_.back();
    slots_[at(free_slots_.back())] = {std::move(words), flat_.streams[at(id)].sinks.count};
    free_slots_.pop_back();
  }

  /// Pushes the words on all outputs of the step.
  void push(const Step& step, std::vector<Word> words) {
    const auto outputs = flat_.outputs_of(step);
    for (const StreamId id : outputs) {
      const auto s = static_cast<std::size_t>(id);
      const SpanId elements = flat_.streams[s].elements;
      if (!has_length(words.size(), elements)) require_length(words.size(), elements, fmt::format("stream {}", id));
      if (id != outputs.back()) fill(id, copy(words));
    }
    if (outputs.empty()) {
      give_up(std::move(words));
    } else {
      fill(outputs.back(), std::move(words));
    }
  }

  void read_array(const Coefficient& coefficient, SpanId elements) {
    auto next = factor_.begin();
    for (Range range : flat_.spans.ranges(elements)) {
      range.first += coefficient.first;
      const std::int64_t missing = range.first < 0 ? range.first : first_not_held(node(), coefficient.array, range);
      if (missing < range.end()) {
        reject("{}multiplies with element {} of {}, which does not exist", location(), missing,
               buffer_name(coefficient.array));
      }
      fill_held(node(), coefficient.array, range, {&*next, static_cast<std::size_t>(range.count)});
      next += range.count;
    }
  }

  void read(Buffer buffer, SpanId span, std::vector<Word>& words) {
    const Memory* stored = can_be_stored(buffer) ? find_memory(slot(node(), buffer)) : nullptr;
    auto next = words.begin();
    for (const Range& range : flat_.spans.ranges(span)) {
      const std::int64_t missing =
          stored != nullptr ? stored->first_missing(range) : first_not_held(node(), buffer, range);
      if (missing < range.end()) {
        reject("{}reads element {} of {}, which does not exist", location(), missing, buffer_name(buffer));
      }
      if (stored != nullptr) {
        std::copy_n(stored->words.begin() + range.first, range.count, next);
      } else {
        fill_held(node(), buffer, range, {&*next, static_cast<std::size_t>(range.count)});
      }
      next += range.count;
    }
  }

  /// The elements of a range that the node holds at the start, into words[k] for element range.first + k.
  void fill_held(NodeId node, Buffer buffer, const Range& range, std::span<Word> words) const {
    for (const Holdings::Held& held : holdings_.of(node)) {
      const std::int64_t first = std::max(range.first, held.range.first);
      const std::int64_t end = std::min(range.end(), held.range.end());
      if (held.buffer != buffer || first >= end) continue;
      const auto part = words.subspan(at(first - range.first), at(end - first));
      if (held.is_zero) {
        std::fill(part.begin(), part.end(), Word{0});
      } else if (initial_) {
        initial_(node, buffer, first, part);
      } else {
        arithmetic_.fill_inputs(held.input_key(node, seed_), first, part);
      }
    }
  }

  /// The first element of a range that the node does not hold at the start; its end if it holds all.
  [[nodiscard]] std::int64_t first_not_held(NodeId node, Buffer buffer, const Range& range) const {
    const auto held = holdings_.of(node);
    if (held.size() == 1 && held[0].buffer == buffer) return Memory::first_gap(std::span(&held[0].range, 1), range);
    std::int64_t next = range.first;
    while (next < range.end() && holdings_.holds(node, buffer, next)) ++next;
    return next;
  }

  void store(Buffer buffer, SpanId span, const std::vector<Word>& words) {
    if (!can_be_stored(buffer)) reject("{}stores in {}, which is for constants", location(), buffer_name(buffer));
    require_length(words.size(), span, "the destination");
    Memory& to = memory(node(), buffer);
    auto next = words.begin();
    for (const Range& range : flat_.spans.ranges(span)) {
      if (range.end() > static_cast<std::int64_t>(to.words.size())) {
        reject("{}stores element {} of {}, which has {}", location(), range.end() - 1, buffer_name(buffer),
               to.words.size());
      }
      std::copy_n(next, range.count, to.words.begin() + range.first);
      to.add(range);
      next += range.count;
    }
  }

  /// A vector of `count` words that counts as kept until it is given up. Old ones are used again.
  std::vector<Word> fresh(std::int64_t count) {
    charge(count);
    std::vector<Word> words;
    if (!spare_.empty()) {
      words = std::move(spare_.back());
      spare_.pop_back();
    }
    words.resize(static_cast<std::size_t>(count));
    return words;
  }

  std::vector<Word> copy(const std::vector<Word>& words) {
    std::vector<Word> other = fresh(static_cast<std::int64_t>(words.size()));
    std::copy(words.begin(), words.end(), other.begin());
    return other;
  }

  void give_up(std::vector<Word> words) {
    constexpr std::size_t kMostSpare = 16;
    charge(-static_cast<std::int64_t>(words.size()));
    if (spare_.size() < kMostSpare) spare_.push_back(std::move(words));
  }

  /// A node's buffer, made and filled with what it holds at the start when it is first needed.
  Memory& memory(NodeId node, Buffer buffer) {
    const std::size_t index = slot(node, buffer);
    if (Memory* known = find_memory(index)) return *known;
    memory_of_[index] = static_cast<std::int32_t>(memories_.size());
    Memory& memory = memories_.emplace_back();
    memory.words = fresh(flat_.extent_of(buffer));
    std::fill(memory.words.begin(), memory.words.end(), Word{0});
    for (const auto& held : holdings_.of(node)) {
      if (held.buffer != buffer) continue;
      fill_held(node, buffer, held.range, std::span(memory.words).subspan(at(held.range.first), at(held.range.count)));
      memory.add(held.range);
    }
    return memory;
  }

  /// Of the present step's node.
  void forget_memories() {
    for (const Buffer buffer : {Buffer::input, Buffer::output, Buffer::scratch, Buffer::record}) {
      const std::size_t index = slot(node(), buffer);
      if (Memory* memory = find_memory(index)) {
        give_up(std::move(memory->words));
        *memory = {};
      }
      memory_of_[index] = kNoMemory;
    }
  }

  [[nodiscard]] bool holds_any(NodeId node, Buffer buffer) const {
    const auto held = holdings_.of(node);
    return memory_of_[slot(node, buffer)] != kNoMemory ||
           std::any_of(held.begin(), held.end(), [=](const auto& vector) { return vector.buffer == buffer; });
  }

  /// What was pushed on a stream.
  struct OnTheWay {
    std::vector<Word> words;
    std::int32_t takers_left = 0;
  };

  static constexpr std::int32_t kNoMemory = -1;
  Memory* find_memory(std::size_t index) {
    return memory_of_[index] == kNoMemory ? nullptr : &memories_[at(memory_of_[index])];
  }
  static std::size_t slot(NodeId node, Buffer buffer) {
    return static_cast<std::size_t>(node) * kStoredBuffers + stored_index(buffer);
  }

  void charge(std::int64_t words) {
    kept_ += words;
    most_ = std::max(most_, kept_);
    if (words > kMostInterpretedWords || kept_ > kMostInterpretedWords) {
      reject("{}the reference interpreter would keep more than {} words; use fewer nodes or elements", location(),
             kMostInterpretedWords);
    }
  }

  [[nodiscard]] bool has_length(std::size_t length, SpanId span) const {
    return static_cast<std::int64_t>(length) == flat_.spans.count(span);
  }
  void require_length(std::size_t length, SpanId span, std::string_view what) const {
    if (has_length(length, span)) return;
    reject("{}{} has {} elements instead of {}", location(), what, length, flat_.spans.count(span));
  }

  /// The present step's.
  [[nodiscard]] NodeId node() const { return index_.node_of[at(step_)]; }

  [[nodiscard]] std::string location() const {
    if (step_ < 0 || flat_.steps.empty()) return "";
    return fmt::format("node {}, step {}: ", node(), step_);
  }

  const Schedule& flat_;
  const Arithmetic arithmetic_;
  const std::uint64_t seed_;
  const InitialData& initial_;
  const Holdings holdings_;
  const ScheduleIndex index_;
  const std::vector<bool> owes_;         ///< of each node
  std::vector<std::int32_t> memory_of_;  ///< of each node and buffer: its index in memories_, or kNoMemory
  std::deque<Memory> memories_;
  std::vector<std::int32_t> steps_left_;  ///< of each node
  std::vector<OnTheWay> slots_;
  std::vector<std::int32_t> free_slots_;
  std::vector<std::int32_t> slot_of_;  ///< of each stream; -1: not pushed yet
  std::vector<std::vector<Word>> spare_;
  std::vector<Word> factor_;  ///< of the operand at hand
  std::int64_t kept_ = 0;
  std::int64_t most_ = 0;
  StepId step_ = -1;
};

}  // namespace

Outputs interpret(const Schedule& schedule, const Arithmetic& arithmetic, std::uint64_t seed,
                  const InitialData& initial) {
  return interpret_in_order(schedule, arithmetic, seed, RunOrder::on_demand, initial).outputs;
}

Interpretation interpret_in_order(const Schedule& schedule, const Arithmetic& arithmetic, std::uint64_t seed,
                                  RunOrder order, const InitialData& initial) {
  if (!schedule.is_flat()) return interpret_in_order(expand(schedule), arithmetic, seed, order, initial);
  Interpreter interpreter(schedule, arithmetic, seed, initial);
  interpreter.run(order);
  return {interpreter.take_outputs(), interpreter.most_words()};
}

}  // namespace muster
