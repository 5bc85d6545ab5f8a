// Operations as the vector instructions that they are: one destination, at most two vectors and a number each.
//
// A sum of n operands is n - 1 instructions; a product of the first operand is one more; a control wavelet after the data is one, too.
// All but the last keep what they have in the memory where the operation stores, which is why no later operand may lie there.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "backend/wafer/program.h"
#include "schedule/schedule.h"

namespace muster::wafer {

/// Words of the processor's own memory, in their order.
struct MemoryWords {
  Buffer buffer = Buffer::none;
  Range words{};
  auto operator<=>(const MemoryWords&) const = default;
};

/// A vector: words of memory, or a stream.
struct VectorEnd {
  std::int8_t color = kOwnOperand;
  MemoryWords memory;
  [[nodiscard]] bool is_stream() const { return color != kOwnOperand; }
  auto operator<=>(const VectorEnd&) const = default;
};

struct VectorInstruction {
  enum class Kind : std::uint8_t {
    move,          ///< to <- left
    multiply,      ///< to <- number * left
    times_array,   ///< to <- right * left, the array of a coefficient on the right
    add,           ///< to <- left + right
    multiply_add,  ///< to <- left + number * right, rounded once
    control,       ///< a control wavelet -> to
  };
  Kind kind = Kind::move;
  VectorEnd to, left, right;
  std::int64_t length = 0;
  float number = 0;
  bool advances = false;             ///< the last wavelet advances the sender's own router
  Ending control = Ending::nothing;  ///< of Kind::control: which
  CommandList commands = 0;          ///< of Ending::commands; NOPs at the end are left out, but for the first
  bool operator==(const VectorInstruction&) const = default;
};

/// The instructions of an operation, once; or why there are none: "stores what a later operand reads".
Outcome<std::vector<VectorInstruction>> vector_instructions(const WaferProgram& program, const Operation& operation);

/// Which operations of each lane must be done before an operation begins.
class OperationClock {
 public:
  explicit OperationClock(const ProcessorClass& processor);
  /// How many operations of `lane` (counted from 0, in the order of their numbers) are done before operation `o`, at least.
  [[nodiscard]] std::int32_t before(std::size_t o, std::size_t lane) const { return clocks_[o][lane]; }
  [[nodiscard]] std::size_t lanes() const { return lanes_; }
  [[nodiscard]] std::size_t lane_of(std::size_t o) const { return lane_of_[o]; }
  /// The place of an operation in its lane.
  [[nodiscard]] std::int32_t place_of(std::size_t o) const { return place_of_[o]; }
  /// The operations that `o` has to wait for, one of a lane at most, and none that another one or the lane's order waits for already.
  [[nodiscard]] std::vector<std::int32_t> waits(std::size_t o) const;

 private:
  void find(std::size_t o);

  const ProcessorClass& processor_;
  std::size_t lanes_ = 0;
  std::vector<std::size_t> lane_of_;
  std::vector<std::int32_t> place_of_;
  std::vector<std::int32_t> previous_;              ///< in the lane; -1: none
  std::vector<std::vector<std::int32_t>> in_lane_;  ///< operations by lane and place
  std::vector<std::vector<std::int32_t>> clocks_;   ///< by operation and lane; empty: not known yet
};

}  // namespace muster::wafer
