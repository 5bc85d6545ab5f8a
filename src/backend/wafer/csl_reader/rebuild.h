// From the instructions of a processor back to the operations of a wafer program.
//
// An instruction is an operation, but for two forms:
//   - a control wavelet ADVANCE behind data on the same color is the ending of that data's operation;
//   - a send that starts beside an instruction that receives is an exchange.
// A copy that starts beside a send of the same elements is read as following it: the datapath does one after the other.
// Equal neighbours become one operation with `times`. Instructions that all follow each other are one lane; else each
// task is a lane, and what waits for another lane says so.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "backend/wafer/csl_reader/processor.h"
#include "backend/wafer/program.h"

namespace muster::wafer::csl {

/// Instructions that are one operation.
struct Group {
  std::vector<std::size_t> members;
  Operation operation;
  std::int32_t task = -1;
  Location location;
  bool waits = false;        ///< or is waited for
  bool beside_send = false;  ///< a copy that is read as following the send before it
};

/// The operations in their lanes, with what they wait for.
std::vector<Operation> in_lanes(const ProcessorTrace& trace, std::vector<Group> groups);

/// Whether an instruction starts only when an earlier one is done.
inline bool follows(const ProcessorTrace& trace, std::size_t later, std::size_t earlier) {
  return trace.after.empty() ? later > earlier : trace.after[later][earlier];
}

class Rebuilder {
 public:
  /// Fills the program's spans, buffer sizes and arithmetic as it goes.
  explicit Rebuilder(WaferProgram& program) : program_(program) {}
  /// `color_index` gives the program's number of a hardware color.
  std::vector<Operation> operations(const ProcessorTrace& trace, const std::map<int, std::int8_t>& color_index);
  /// After all processors: the maximum of negated values, negated, is a minimum.
  void settle_operator();

 private:
  struct Placement {
    Buffer buffer = Buffer::none;
    std::int64_t first = 0;  ///< in words
    std::int64_t words = 0;
  };

  Operation single(const Instruction& instruction, const std::map<int, std::int8_t>& color_index);
  void add_operands(Operation& operation, const Instruction& instruction, const std::map<int, std::int8_t>& color_index,
                    bool has_array);
  [[nodiscard]] std::size_t array_of(const Instruction& instruction) const;
  [[nodiscard]] bool multiplies_array(const Instruction& instruction) const;
  std::int16_t coefficient(const Coefficient& wanted);
  std::optional<Operation> pair(const Instruction& a, const Operation& sending, const Instruction& b,
                                const Operation& receiving) const;
  SpanId span_of(const MemoryWalk& walk, const Instruction& instruction);
  Buffer buffer_of(const MemoryWalk& walk) const;
  const Placement& placement(std::int32_t memory, const Location& location);
  std::int64_t words_of(const Instruction& instruction) const;
  void set_type(const Type& type, const Location& location);
  void set_operator(Operator op, const Location& location);
  void check_negations(const ProcessorTrace& trace);
  std::vector<Group> group(const ProcessorTrace& trace, const std::map<int, std::int8_t>& color_index);

  WaferProgram& program_;
  const ProcessorTrace* trace_ = nullptr;
  std::optional<ElementType> type_;
  std::optional<Operator> op_;  ///< of the instructions
  Location op_location_;        ///< of the first that combines
  std::optional<bool> negated_;
  std::map<std::string, Placement> placements_;
};

}  // namespace muster::wafer::csl
