// The reference interpreter: steps run whole, in any order that their dependences allow.
#include "schedule/interpret.h"

#include <algorithm>
#include <memory>

#include "base/error.h"
#include "schedule/holdings.h"
#include "schedule/phase.h"
#include "schedule/run_order.h"

namespace muster {

namespace {

/// A buffer into which something was stored.
struct Memory {
  std::vector<Word> words;
  std::vector<bool> exists;
};

class Interpreter {
 public:
  Interpreter(const Schedule& flat, const Arithmetic& arithmetic, std::uint64_t seed)
      : flat_(flat), arithmetic_(arithmetic), seed_(seed), holdings_(flat), node_(step_nodes(flat)) {
    memory_.resize(static_cast<std::size_t>(flat.node_count) * 3);
    streams_.resize(flat.streams.size());
    takers_left_.reserve(flat.streams.size());
    for (const Stream& stream : flat.streams) takers_left_.push_back(stream.sinks.count);
  }

  void run() {
    for (const RunEvent& event : run_order(flat_)) {
      step_ = event.step;
      const Step& step = flat_.steps[static_cast<std::size_t>(step_)];
      if (event.sends_old) {
        push(step, read(step.sent, step.sent_elements));
      } else {
        run_step(step);
      }
    }
  }

  Outputs take_outputs() {
    Outputs outputs(static_cast<std::size_t>(flat_.node_count));
    std::vector<bool> done(outputs.size());
    for (const Contract& contract : flat_.contracts) {
      for (const NodeId node : contract.ranks) {
        const auto n = static_cast<std::size_t>(node);
        if (done[n]) continue;
        done[n] = true;
        if (holds_any(node, contract.to)) outputs[n] = std::move(memory(node, contract.to).words);
      }
    }
    return outputs;
  }

 private:
  void run_step(const Step& step) {
    std::vector<Word> result;
    bool first = true;
    for (const StreamId operand : flat_.operands_of(step)) {
      std::vector<Word> words = operand == kOwn ? read(step.own, step.own_elements) : take(operand);
      require_length(words.size(), step.elements, "an operand");
      if (first) {
        result = std::move(words);
      } else {
        for (std::size_t k = 0; k < result.size(); ++k) result[k] = arithmetic_.combine(result[k], words[k]);
        charge(-static_cast<std::int64_t>(words.size()));
      }
      first = false;
    }
    if (first) reject("{}has no operand", place());
    if (step.store != Buffer::none) store(step.store, step.store_elements, result);
    if (step.is_exchange()) {
      charge(-static_cast<std::int64_t>(result.size()));
    } else {
      push(step, result);
    }
  }

  std::vector<Word> take(StreamId id) {
    const auto s = static_cast<std::size_t>(id);
    if (--takers_left_[s] > 0) {
      charge(static_cast<std::int64_t>(streams_[s].size()));
      return streams_[s];
    }
    return std::move(streams_[s]);
  }

  /// Pushes the words on all outputs of the step; the caller's copy is given up.
  void push(const Step& step, const std::vector<Word>& words) {
    for (const StreamId id : flat_.outputs_of(step)) {
      const auto s = static_cast<std::size_t>(id);
      require_length(words.size(), flat_.streams[s].elements, fmt::format("stream {}", id));
      charge(static_cast<std::int64_t>(words.size()));
      streams_[s] = words;
    }
    charge(-static_cast<std::int64_t>(words.size()));
  }

  std::vector<Word> read(Buffer buffer, SpanId span) {
    std::vector<Word> words;
    charge(flat_.spans.count(span));
    words.reserve(static_cast<std::size_t>(flat_.spans.count(span)));
    const NodeId node = node_[static_cast<std::size_t>(step_)];
    const Memory* stored = buffer == Buffer::none ? nullptr : memory_[slot(node, buffer)].get();
    for (const Range& range : flat_.spans.ranges(span)) {
      for (std::int64_t e = range.first; e < range.end(); ++e) {
        const auto i = static_cast<std::size_t>(e);
        const bool exists =
            stored != nullptr ? i < stored->exists.size() && stored->exists[i] : holdings_.holds(node, buffer, e);
        if (!exists) reject("{}reads element {} of {}, which does not exist", place(), e, buffer_name(buffer));
        words.push_back(stored != nullptr ? stored->words[i] : arithmetic_.input(node, e, seed_));
      }
    }
    return words;
  }

  void store(Buffer buffer, SpanId span, const std::vector<Word>& words) {
    require_length(words.size(), span, "the place of the result");
    Memory& to = memory(node_[static_cast<std::size_t>(step_)], buffer);
    std::size_t k = 0;
    for (const Range& range : flat_.spans.ranges(span)) {
      if (range.end() > static_cast<std::int64_t>(to.words.size())) {
        reject("{}stores element {} of {}, which has {}", place(), range.end() - 1, buffer_name(buffer),
               to.words.size());
      }
      for (std::int64_t e = range.first; e < range.end(); ++e) {
        to.words[static_cast<std::size_t>(e)] = words[k++];
        to.exists[static_cast<std::size_t>(e)] = true;
      }
    }
  }

  /// A node's buffer, made and filled with what it holds at the start when it is first needed.
  Memory& memory(NodeId node, Buffer buffer) {
    auto& memory = memory_[slot(node, buffer)];
    if (memory) return *memory;
    const auto extent = flat_.extent_of(buffer);
    charge(extent);
    memory = std::make_unique<Memory>();
    memory->words.resize(static_cast<std::size_t>(extent));
    memory->exists.resize(static_cast<std::size_t>(extent));
    for (const auto& held : holdings_.of(node)) {
      if (held.buffer != buffer) continue;
      for (std::int64_t e = held.range.first; e < held.range.end(); ++e) {
        memory->words[static_cast<std::size_t>(e)] = arithmetic_.input(node, e, seed_);
        memory->exists[static_cast<std::size_t>(e)] = true;
      }
    }
    return *memory;
  }

  [[nodiscard]] bool holds_any(NodeId node, Buffer buffer) const {
    const auto held = holdings_.of(node);
    return memory_[slot(node, buffer)] ||
           std::any_of(held.begin(), held.end(), [=](const auto& one) { return one.buffer == buffer; });
  }

  static std::size_t slot(NodeId node, Buffer buffer) {
    return static_cast<std::size_t>(node) * 3 + static_cast<std::size_t>(buffer) - 1;
  }

  void charge(std::int64_t words) {
    kept_ += words;
    if (words > kMostInterpretedWords || kept_ > kMostInterpretedWords) {
      reject("{}the reference interpreter would keep more than {} words; use fewer nodes or elements", place(),
             kMostInterpretedWords);
    }
  }

  void require_length(std::size_t length, SpanId span, std::string_view what) const {
    if (static_cast<std::int64_t>(length) == flat_.spans.count(span)) return;
    reject("{}{} has {} elements instead of {}", place(), what, length, flat_.spans.count(span));
  }

  [[nodiscard]] std::string place() const {
    if (step_ < 0 || flat_.steps.empty()) return "";
    return fmt::format("node {}, step {}: ", node_[static_cast<std::size_t>(step_)], step_);
  }

  const Schedule& flat_;
  const Arithmetic arithmetic_;
  const std::uint64_t seed_;
  const Holdings holdings_;
  const std::vector<NodeId> node_;
  std::vector<std::unique_ptr<Memory>> memory_;
  std::vector<std::vector<Word>> streams_;
  std::vector<std::int32_t> takers_left_;
  std::int64_t kept_ = 0;
  StepId step_ = -1;
};

}  // namespace

Outputs interpret(const Schedule& schedule, const Arithmetic& arithmetic, std::uint64_t seed) {
  if (!schedule.is_flat()) return interpret(expand(schedule), arithmetic, seed);
  Interpreter interpreter(schedule, arithmetic, seed);
  interpreter.run();
  return interpreter.take_outputs();
}

}  // namespace muster
