// Operations with coefficients and several operands in memory: their numbers, and the cycles that they take.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "backend/wafer/lower/lower.h"
#include "backend/wafer/test_problem.h"
#include "backend/wafer/test_programs.h"
#include "base/index.h"

namespace muster::wafer {
namespace {

constexpr std::int64_t kWords = 10;

/// A PE that holds its input and has a result of so many words.
WaferProgram lone_processor() {
  WaferProgram program = test::HandMade(1, 3 * kWords).program();
  program.contracts = {{.collective = Collective::allreduce, .ranks = {0}, .count = 3 * kWords}};
  program.coefficients = {{"half", 0.5F}, {"third", 1.0F / 3}, {"-1", -1.0F}, {"cells", 0, Buffer::input}};
  return program;
}

Operation& add_sum(WaferProgram& program, const std::vector<std::int64_t>& first,
                   std::vector<std::int16_t> coefficients) {
  Operation& o = program.classes[0].operations.emplace_back();
  o.elements = o.store_elements = program.spans.add(Range{kWords, kWords});
  o.store = Buffer::output;
  o.own = Buffer::input;
  o.own_elements = program.spans.add(Range{first[0], kWords});
  for (std::size_t i = 0; i < first.size(); ++i) {
    o.operands.push_back(kOwnOperand);
    if (i > 0) o.more_own.push_back({Buffer::input, program.spans.add(Range{first[i], kWords})});
  }
  o.coefficients = std::move(coefficients);
  return o;
}

float input(std::int64_t element) { return std::bit_cast<float>(Arithmetic{}.input(0, element, 1)); }

std::int64_t cycles_of(const WaferProgram& program) {
  EXPECT_EQ(over_budget(program, 0).value_or(""), "");
  const Result result = simulate(program, {.seed = 1});
  EXPECT_EQ(test::fault_text(result), "");
  return result.node_times[0][0].owed.value();
}

TEST(Weights, MultiplyTheFirstOperandAndAddTheOthersWithOneRounding) {
  WaferProgram program = lone_processor();
  add_sum(program, {0, 3, 7, 20}, {1, kNoCoefficient, 0, 2});
  const Result result = simulate(program, {.seed = 1});
  for (std::int64_t k = 0; k < kWords; ++k) {
    float sum = (1.0F / 3) * input(k);
    sum = sum + input(3 + k);
    sum = std::fma(0.5F, input(7 + k), sum);
    sum = sum - input(20 + k);
    EXPECT_EQ(std::bit_cast<float>(result.outputs[0][0][at(kWords + k)]), sum) << k;
  }
}

TEST(Weights, OfAnArrayAreThoseOfTheOperationsElements) {
  WaferProgram program = lone_processor();
  add_sum(program, {0, 4}, {3, 3});
  const Result result = simulate(program, {.seed = 1});
  for (std::int64_t k = 0; k < kWords; ++k) {
    const float c = input(kWords + k);
    const float sum = std::fma(c, input(4 + k), c * input(k));
    EXPECT_EQ(std::bit_cast<float>(result.outputs[0][0][at(kWords + k)]), sum) << k;
  }
}

/// Cycles of one operation on memory, by its operands.
std::int64_t cycles_of_sum(std::size_t operands, bool multiplies_first, std::int64_t local_interval) {
  WaferProgram program = lone_processor();
  test::mesh_of(program.machine).local_interval = Cycles(local_interval);
  std::vector<std::int16_t> coefficients(operands, 0);
  if (!multiplies_first) coefficients[0] = kNoCoefficient;
  add_sum(program, std::vector<std::int64_t>(operands, 5), coefficients);
  return cycles_of(program);
}

TEST(Weights, CostACycleOfTheDatapathPerElementAndInstruction) {
  EXPECT_EQ(cycles_of_sum(1, false, 1), kWords) << "a copy";
  EXPECT_EQ(cycles_of_sum(1, true, 1), kWords) << "a product";
  EXPECT_EQ(cycles_of_sum(2, false, 1), kWords) << "a multiply-add";
  EXPECT_EQ(cycles_of_sum(2, true, 1), 2 * kWords) << "a product and a multiply-add";
  EXPECT_EQ(cycles_of_sum(7, false, 1), 6 * kWords);
  EXPECT_EQ(cycles_of_sum(7, false, 3), 3 * 6 * kWords);
}

TEST(Weights, OfStreamsCostNothing) {
  const auto cycles = [](bool multiplies) {
    test::HandMade row(2, kWords);
    row.routes(0, test::route({test::from_to(Direction::ramp, Direction::east)}));
    row.routes(1, test::route({test::from_to(Direction::west, Direction::ramp)}));
    row.sends(0).takes(1);
    WaferProgram program = row.program();
    program.contracts = {{.collective = Collective::broadcast, .ranks = {0, 1}, .count = kWords}};
    program.coefficients = {{"half", 0.5F}};
    if (multiplies) program.classes[1].operations[0].coefficients = {0};
    const Result result = simulate(program, {.seed = 1});
    for (std::int64_t k = 0; k < kWords; ++k) {
      EXPECT_EQ(std::bit_cast<float>(result.outputs[0][1][at(k)]), (multiplies ? 0.5F : 1.0F) * input(k));
    }
    return result.node_times[0][1].owed;
  };
  EXPECT_EQ(cycles(true), cycles(false));
}

}  // namespace
}  // namespace muster::wafer
