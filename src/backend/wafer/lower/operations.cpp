// Lowering, last stage: what every processor runs, and which processors are alike.
#include <algorithm>
#include <unordered_map>

#include "backend/wafer/lower/lower.h"
#include "base/index.h"

namespace muster::wafer {
namespace {

class OperationWriter {
 public:
  OperationWriter(const Lowered& lowered, SpanId nothing)
      : lowered_(lowered),
        nothing_(nothing),
        operation_of_(lowered.schedule.steps.size(), -1),
        awaited_(lowered.schedule.steps.size(), false) {
    for (const StepId s : lowered.schedule.waits) awaited_[at(s)] = true;
  }

  /// The operations of a node; `resets` are its own.
  std::vector<Operation> write(NodeId node, std::span<const ResetSender> resets) {
    std::vector<Operation> operations;
    const auto lanes = lowered_.schedule.lanes_of(node);
    for (std::size_t l = 0; l < lanes.size(); ++l) {
      StepId before = -1;
      for (StepId s = lanes[l].first; s < lanes[l].first + lanes[l].count; ++s) {
        Operation operation = from_step(s, static_cast<std::int32_t>(l));
        if (before >= 0 && may_merge(before, s) && same_but_times(operations.back(), operation)) {
          ++operations.back().times;
        } else {
          operations.push_back(std::move(operation));
        }
        operation_of_[at(s)] = static_cast<std::int32_t>(operations.size()) - 1;
        before = append_resets(s, resets, operations) ? -1 : s;
      }
    }
    add_waits(lanes, operations);
    return operations;
  }

 private:
  [[nodiscard]] Operation from_step(StepId id, std::int32_t lane) const {
    const Schedule& schedule = lowered_.schedule;
    const Step& step = schedule.steps[at(id)];
    Operation operation{.lane = lane,
                        .times = 1,
                        .elements = step.elements,
                        .operands = {},
                        .outputs = {},
                        .own = step.own,
                        .store = step.store,
                        .sent = step.sent,
                        .own_elements = step.own_elements,
                        .store_elements = step.store_elements,
                        .sent_elements = step.sent_elements,
                        .after = {}};
    for (const StreamId s : schedule.operands_of(step)) {
      if (s == kOwn) {
        operation.operands.push_back(kOwnOperand);
      } else if (carries_data(s)) {
        operation.operands.push_back(lowered_.coloring.color[at(s)]);
      }
    }
    for (const StreamId s : schedule.outputs_of(step)) {
      if (!carries_data(s)) continue;
      operation.outputs.push_back({lowered_.coloring.color[at(s)], lowered_.switching.endings[at(s)]});
    }
    return operation;
  }

  [[nodiscard]] bool carries_data(StreamId stream) const {
    return lowered_.schedule.spans.count(lowered_.schedule.streams[at(stream)].elements) > 0;
  }

  /// A step that waits, or that others wait for, keeps an operation of its own.
  [[nodiscard]] bool may_merge(StepId before, StepId step) const {
    return !awaited_[at(before)] && !awaited_[at(step)] && lowered_.schedule.steps[at(before)].waits.count == 0 &&
           lowered_.schedule.steps[at(step)].waits.count == 0;
  }

  static bool same_but_times(const Operation& a, Operation b) {
    b.times = a.times;
    return a == b;
  }

  bool append_resets(StepId step, std::span<const ResetSender> resets, std::vector<Operation>& operations) const {
    bool any = false;
    for (const ResetSender& reset : resets) {
      if (lowered_.order.producer[at(reset.last)] != step) continue;
      Operation& operation = operations.emplace_back();
      operation.lane = operations[operations.size() - 2].lane;
      operation.elements = operation.own_elements = operation.store_elements = operation.sent_elements = nothing_;
      operation.outputs.push_back({reset.color, Ending::reset});
      any = true;
    }
    return any;
  }

  void add_waits(std::span<const Lane> lanes, std::vector<Operation>& operations) const {
    for (const Lane& lane : lanes) {
      for (StepId s = lane.first; s < lane.first + lane.count; ++s) {
        for (const StepId w : lowered_.schedule.waits_of(lowered_.schedule.steps[at(s)])) {
          operations[at(operation_of_[at(s)])].after.push_back(operation_of_[at(w)]);
        }
      }
    }
  }

  const Lowered& lowered_;
  SpanId nothing_;
  std::vector<std::int32_t> operation_of_;  ///< of each step, within its node
  std::vector<bool> awaited_;
};

/// FNV-1a over the numbers that make up a class.
class Hash {
 public:
  template <class T>
  Hash& add(T value) {
    value_ = (value_ ^ static_cast<std::uint64_t>(value)) * 0x100000001b3ULL;
    return *this;
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325ULL;
};

std::uint64_t hash_of(const ProcessorClass& c) {
  Hash hash;
  for (const ColorRoute& r : c.routes) {
    hash.add(r.color).add(r.count);
    for (const Position& p : r.positions) hash.add(p.from).add(p.to);
  }
  for (const Operation& o : c.operations) {
    hash.add(o.lane).add(o.times).add(o.elements).add(o.own).add(o.store).add(o.sent);
    hash.add(o.own_elements).add(o.store_elements).add(o.sent_elements);
    for (const std::int8_t color : o.operands) hash.add(color);
    for (const Output& out : o.outputs) hash.add(out.color).add(out.ending);
    for (const std::int32_t other : o.after) hash.add(other);
  }
  return hash.value();
}

class ClassTable {
 public:
  explicit ClassTable(std::vector<ProcessorClass>& classes) : classes_(classes) {}
  std::int32_t add(ProcessorClass c) {
    auto& bucket = ids_[hash_of(c)];
    for (const std::int32_t id : bucket) {
      if (classes_[at(id)] == c) return id;
    }
    bucket.push_back(static_cast<std::int32_t>(classes_.size()));
    classes_.push_back(std::move(c));
    return bucket.back();
  }

 private:
  std::vector<ProcessorClass>& classes_;
  std::unordered_map<std::uint64_t, std::vector<std::int32_t>> ids_;
};

}  // namespace

void write_classes(const Lowered& lowered, WaferProgram& program) {
  const SpanId nothing = program.spans.add(Range{});
  OperationWriter writer(lowered, nothing);
  ClassTable table(program.classes);
  auto reset = lowered.resets.begin();
  for (NodeId node = 0; node < lowered.schedule.node_count; ++node) {
    const auto first = reset;
    while (reset != lowered.resets.end() && reset->node == node) ++reset;
    const auto routes = lowered.switching.at(node);
    program.class_of.push_back(table.add(
        {.routes = {routes.begin(), routes.end()}, .operations = writer.write(node, std::span(first, reset))}));
  }
}

}  // namespace muster::wafer
