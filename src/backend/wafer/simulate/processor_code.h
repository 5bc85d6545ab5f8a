// What the simulator prepares once per class of processors and per contract, so that a cycle is cheap.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "backend/wafer/program.h"
#include "backend/wafer/simulate/fabric.h"
#include "schedule/holdings.h"

namespace muster::wafer {

/// A span whose elements are found quickly: most are one range.
struct SpanView {
  const SpanTable* table = nullptr;
  SpanId id = 0;
  std::int64_t count = 0;
  std::int64_t first = -1;  ///< of the only range; -1: several ranges
  [[nodiscard]] std::int64_t element(std::int64_t k) const { return first >= 0 ? first + k : table->element(id, k); }
};

/// An operand of an operation with coefficients, or with several operands in memory.
struct TermCode {
  std::int32_t slot = kNoCell;   ///< of a color: the cell among those of the router
  Buffer buffer = Buffer::none;  ///< of one in memory
  SpanView elements;             ///< likewise
  bool has_coefficient = false;
  float coefficient = 0;
  Buffer array = Buffer::none;  ///< that has the coefficients instead, at the operation's elements
  std::int64_t first = 0;       ///< and so many further
};

struct OperationCode {
  const Operation* operation = nullptr;
  SpanView elements, own, store, sent;
  std::vector<std::int32_t> operand_slots;  ///< of Operation::operands: the cell among those of the router
  std::vector<std::int32_t> output_slots;   ///< of Operation::outputs
  std::vector<TermCode> terms;              ///< of Operation::operands, if it is weighted
  Tick cost = 0;                            ///< stream operands
  Tick slots = 1;                           ///< cycles of the datapath per element
  bool exchange = false;
  bool is_simple = false;   ///< see simple_operation.cpp
  bool overwrites = false;  ///< an exchange that stores where it sends from: it may not run ahead of its sending
  [[nodiscard]] bool takes() const { return cost > 0 && elements.count > 0; }
  [[nodiscard]] std::int64_t sends_old() const { return exchange ? sent.count : 0; }
};

struct LaneCode {
  std::vector<OperationCode> operations;
  std::int32_t first = 0;  ///< index of the first one in the class
};

struct ProcessorCode {
  std::vector<LaneCode> lanes;
  std::size_t operations = 0;
  bool has_waits = false;               ///< some operation waits for another
  std::array<bool, kBuffers> stored{};  ///< buffers that need memory
};

ProcessorCode prepare(const Fabric& fabric, std::int32_t class_id);

/// What nodes hold before and must hold after, from the contracts.
class DataContract {
 public:
  explicit DataContract(const WaferProgram& program);
  /// Whether the buffer holds generated data at the start: that of every rank does, also where the collective ignores it, so
  /// that a program which does not ignore it shows.
  [[nodiscard]] bool holds(NodeId node, Buffer buffer) const {
    return (held_[static_cast<std::size_t>(node)] >> static_cast<unsigned>(buffer) & 1U) != 0;
  }
  /// What every rank of a stencil holds; empty for other programs.
  [[nodiscard]] const std::vector<Holdings::Held>& stencil() const { return stencil_; }
  [[nodiscard]] bool owes(NodeId node) const { return !owed_by(node).empty(); }
  [[nodiscard]] bool owes(NodeId node, Buffer buffer) const;
  [[nodiscard]] bool owes(NodeId node, Buffer buffer, std::int64_t element) const;
  /// Whether the node's record follows its output.
  [[nodiscard]] bool records(NodeId node) const { return owes(node) && owes(node, Buffer::record); }
  enum class Owes : std::uint8_t { none, some, all };
  [[nodiscard]] Owes owes(NodeId node, Buffer buffer, Range elements) const;
  /// The buffer whose words are the node's output; none if it is not a rank.
  [[nodiscard]] Buffer output(NodeId node) const { return output_[static_cast<std::size_t>(node)]; }

 private:
  struct OwedRange {
    NodeId node = 0;
    Buffer buffer = Buffer::none;
    Range range;
  };
  static void add_owed(const Contract& contract, std::int32_t index, std::vector<OwedRange>& all);
  [[nodiscard]] std::span<const OwedRange> owed_by(NodeId node) const {
    const auto n = static_cast<std::size_t>(node);
    return {owed_.data() + first_owed_[n], owed_.data() + first_owed_[n + 1]};
  }
  std::vector<std::uint8_t> held_;
  std::vector<Holdings::Held> stencil_;
  std::vector<Buffer> output_;
  std::vector<OwedRange> owed_;          ///< by node
  std::vector<std::size_t> first_owed_;  ///< of node n: [first_owed_[n], first_owed_[n + 1])
};

/// What the processors of all strips share.
struct PreparedProgram {
  explicit PreparedProgram(const Fabric& fabric);
  std::vector<ProcessorCode> codes;  ///< of each class
  DataContract contract;
  /// Cycles per element and outputs: how long a processor, once begun, can be busy with one element.
  std::int64_t longest_element = 1;
};

}  // namespace muster::wafer
