#include "backend/wafer/vector_instructions.h"

#include <gtest/gtest.h>

namespace muster::wafer {
namespace {

using Kind = VectorInstruction::Kind;

/// Two coefficients, 2 and -1, and an operation on four elements that stores.
struct Sample {
  WaferProgram program;
  Operation operation;
  Sample() {
    program.coefficients = {{"two", 2.0F}, {"minus_one", -1.0F}, {"array", 1.0F, Buffer::model}};
    operation.elements = operation.own_elements = operation.store_elements = program.spans.add(Range{4, 4});
    operation.store = Buffer::scratch;
  }
  void add(Buffer buffer, std::int64_t first, std::int16_t coefficient = kNoCoefficient) {
    const SpanId elements = program.spans.add(Range{first, 4});
    if (operation.operands.empty()) {
      operation.own = buffer;
      operation.own_elements = elements;
    } else {
      operation.more_own.push_back({buffer, elements});
    }
    operation.operands.push_back(kOwnOperand);
    operation.coefficients.push_back(coefficient);
  }
  std::vector<Kind> kinds() const {
    std::vector<Kind> kinds;
    const auto instructions = vector_instructions(program, operation);
    for (const VectorInstruction& i : instructions.value()) kinds.push_back(i.kind);
    return kinds;
  }
};

TEST(VectorInstructions, AreOneLessThanOperandsAndOneMoreForAProductOfTheFirst) {
  Sample plain;
  plain.add(Buffer::input, 4);
  EXPECT_EQ(plain.kinds(), std::vector{Kind::move});
  plain.add(Buffer::input, 3);
  plain.add(Buffer::input, 5, 0);
  EXPECT_EQ(plain.kinds(), (std::vector{Kind::add, Kind::multiply_add}));
  Sample scaled;
  scaled.add(Buffer::input, 4, 0);
  scaled.add(Buffer::input, 5, 1);
  EXPECT_EQ(scaled.kinds(), (std::vector{Kind::multiply, Kind::multiply_add}));
  Sample array;
  array.add(Buffer::input, 0, 2);
  EXPECT_EQ(array.kinds(), std::vector{Kind::times_array});
  EXPECT_EQ(vector_instructions(array.program, array.operation).value()[0].right.memory.words, (Range{4, 4}));
}

TEST(VectorInstructions, AreNoneWhereALaterOperandLiesWhereTheFirstOnesAreStored) {
  Sample sample;
  sample.operation.store = Buffer::output;
  sample.add(Buffer::input, 4);
  sample.add(Buffer::output, 4);
  EXPECT_TRUE(vector_instructions(sample.program, sample.operation).ok());
  sample.add(Buffer::output, 6);
  EXPECT_EQ(vector_instructions(sample.program, sample.operation).reason(),
            "stores where a later operand lies; use a step of its own for it");
}

TEST(OperationClock, LeavesOutWaitsThatFollowFromOthers) {
  ProcessorClass c;
  for (const std::int32_t lane : {0, 0, 1, 2}) c.operations.emplace_back().lane = lane;
  c.operations[2].after = {1};
  c.operations[3].after = {0, 1, 2};
  const OperationClock clock(c);
  EXPECT_EQ(clock.waits(2), std::vector<std::int32_t>{1});
  EXPECT_EQ(clock.waits(3), std::vector<std::int32_t>{2});
  EXPECT_EQ(clock.before(3, 0), 2);
}

}  // namespace
}  // namespace muster::wafer
