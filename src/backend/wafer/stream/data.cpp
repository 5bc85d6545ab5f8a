// The data of a trace.
#include "backend/wafer/stream/data.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "backend/wafer/stream/data_order.h"
#include "base/index.h"

namespace muster::wafer {
namespace {

using Words = std::vector<Word>;

class DataRun {
 public:
  DataRun(const Cells& cells, const Trace& trace, const DataContract& contract, const DataOptions& options)
      : cells_(cells),
        program_(cells.program()),
        trace_(trace),
        contract_(contract),
        options_(options),
        payload_of_(trace.messages.size(), kNone),
        takers_(trace.messages.size()),
        memory_of_(program_.class_of.size(), {kNone, kNone, kNone}),
        outputs_(at(options.calls), std::vector<Words>(program_.class_of.size())) {
    for (std::size_t m = 0; m < takers_.size(); ++m) takers_[m] = trace.messages[m].takers;
  }

  Data run() {
    std::vector<std::int32_t> lanes_left(memory_of_.size());
    for (NodeId node = 0; node < static_cast<NodeId>(memory_of_.size()); ++node) {
      lanes_left[at(node)] = cells_.shape(node).lanes();
      for (std::int32_t call = 0; call < options_.calls && lanes_left[at(node)] == 0; ++call) end_call(node, call);
    }
    for (const std::int32_t id : order()) {
      const Execution& execution = trace_.executions[at(id)];
      execute(execution);
      if (!execution.last_of_call || --lanes_left[at(execution.node)] > 0) continue;
      end_call(execution.node, execution.call);
      lanes_left[at(execution.node)] = cells_.shape(execution.node).lanes();
    }
    return {std::move(outputs_), most_words_};
  }

 private:
  [[nodiscard]] std::vector<std::int32_t> order() const {
    if (!options_.in_trace_order) return executions_on_demand(cells_, trace_, contract_);
    std::vector<std::int32_t> all(trace_.executions.size());
    std::iota(all.begin(), all.end(), 0);
    return all;
  }

  void execute(const Execution& execution) {
    const OperationShape& shape = cells_.shape(execution.node).operations[at(execution.operation)];
    const Operation& o = *shape.operation;
    if (execution.kind == Execution::Kind::send) {
      if (shape.sent_count == 0) return;
      read(execution, o.sent, o.sent_elements, result_);
      send(execution);
      return;
    }
    if (shape.count == 0) return;
    combine(execution, o);
    if (o.store != Buffer::none) store(execution, o.store, o.store_elements);
    if (execution.kind == Execution::Kind::work) send(execution);
  }

  /// The operands, left to right, into result_.
  void combine(const Execution& execution, const Operation& o) {
    bool first = true;
    std::int32_t take = execution.first_take;
    for (const std::int8_t operand : o.operands) {
      if (operand == kOwnOperand) {
        read(execution, o.own, o.own_elements, first ? result_ : operand_);
      } else {
        take_payload(trace_.transits[at(trace_.takes[at(take++)])].message, first ? result_ : operand_);
      }
      if (!first) program_.arithmetic.combine(result_, operand_);
      first = false;
    }
    if (first) result_.assign(at(program_.spans.count(o.elements)), 0);
  }

  void take_payload(std::int32_t message, Words& words) {
    Words& payload = payloads_[at(payload_of_[at(message)])];
    if (--takers_[at(message)] > 0) {
      words.assign(payload.begin(), payload.end());
      return;
    }
    std::swap(words, payload);
    release(payload_of_[at(message)], words.size());
  }

  void send(const Execution& execution) {
    for (std::int32_t m = execution.first_message; m < execution.first_message + execution.message_count; ++m) {
      if (trace_.messages[at(m)].takers == 0) continue;
      const std::int32_t payload = acquire(result_.size());
      payload_of_[at(m)] = payload;
      if (m + 1 == execution.first_message + execution.message_count) {
        std::swap(payloads_[at(payload)], result_);
      } else {
        payloads_[at(payload)].assign(result_.begin(), result_.end());
      }
    }
  }

  std::int32_t acquire(std::size_t words) {
    words_ += static_cast<std::int64_t>(words);
    most_words_ = std::max(most_words_, words_);
    if (free_.empty()) {
      payloads_.emplace_back();
      return static_cast<std::int32_t>(payloads_.size()) - 1;
    }
    const std::int32_t id = free_.back();
    free_.pop_back();
    return id;
  }
  void release(std::int32_t payload, std::size_t words) {
    words_ -= static_cast<std::int64_t>(words);
    free_.push_back(payload);
  }

  [[nodiscard]] std::uint64_t seed(std::int32_t call) const { return options_.seed + static_cast<std::uint64_t>(call); }

  void read(const Execution& execution, Buffer buffer, SpanId span, Words& words) {
    words.resize(at(program_.spans.count(span)));
    const std::int32_t memory = memory_of_[at(execution.node)][static_cast<std::size_t>(buffer) - 1];
    const bool held = memory == kNone && contract_.holds(execution.node, buffer);
    std::size_t done = 0;
    for (const Range& range : program_.spans.ranges(span)) {
      const std::span<Word> part(words.data() + done, at(range.count));
      if (memory != kNone) {
        std::copy_n(payloads_[at(memory)].begin() + range.first, range.count, part.begin());
      } else if (held) {
        program_.arithmetic.inputs(execution.node, range.first, seed(execution.call), part);
      } else {
        std::fill(part.begin(), part.end(), Word{0});
      }
      done += part.size();
    }
  }

  void store(const Execution& execution, Buffer buffer, SpanId span) {
    const std::size_t b = static_cast<std::size_t>(buffer) - 1;
    std::int32_t& memory = memory_of_[at(execution.node)][b];
    if (memory == kNone) {
      memory = acquire(at(program_.extent[b]));
      begin_memory(execution.node, buffer, execution.call, payloads_[at(memory)]);
    }
    std::size_t done = 0;
    for (const Range& range : program_.spans.ranges(span)) {
      std::copy_n(result_.begin() + static_cast<std::ptrdiff_t>(done), range.count,
                  payloads_[at(memory)].begin() + range.first);
      done += at(range.count);
    }
  }

  void begin_memory(NodeId node, Buffer buffer, std::int32_t call, Words& words) const {
    words.assign(at(program_.extent[static_cast<std::size_t>(buffer) - 1]), 0);
    if (contract_.holds(node, buffer)) program_.arithmetic.inputs(node, 0, seed(call), words);
  }

  /// Keeps what is owed and forgets the rest.
  void end_call(NodeId node, std::int32_t call) {
    const Buffer output = contract_.output(node);
    if (output != Buffer::none && contract_.owes(node)) {
      std::int32_t& memory = memory_of_[at(node)][static_cast<std::size_t>(output) - 1];
      Words& words = outputs_[at(call)][at(node)];
      if (memory != kNone) {
        std::swap(words, payloads_[at(memory)]);
      } else if (contract_.holds(node, output)) {
        begin_memory(node, output, call, words);
      }
    }
    for (std::size_t b = 0; b < memory_of_[at(node)].size(); ++b) {
      std::int32_t& memory = memory_of_[at(node)][b];
      if (memory != kNone) release(memory, at(program_.extent[b]));
      memory = kNone;
    }
  }

  const Cells& cells_;
  const WaferProgram& program_;
  const Trace& trace_;
  const DataContract& contract_;
  DataOptions options_;
  std::vector<Words> payloads_;                         ///< vectors on their way, and memories
  std::vector<std::int32_t> free_;                      ///< those not in use
  std::vector<std::int32_t> payload_of_;                ///< of each message
  std::vector<std::int32_t> takers_;                    ///< of each message: those who have not taken it yet
  std::vector<std::array<std::int32_t, 3>> memory_of_;  ///< of each node and buffer: a payload
  std::vector<std::vector<Words>> outputs_;
  Words result_, operand_;
  std::int64_t words_ = 0;  ///< in payloads that are in use
  std::int64_t most_words_ = 0;
};

}  // namespace

Data compute_data(const Cells& cells, const Trace& trace, const DataContract& contract, const DataOptions& options) {
  return DataRun(cells, trace, contract, options).run();
}

}  // namespace muster::wafer
