#include "backend/hyperx/capabilities.h"

#include <gtest/gtest.h>

#include "backend/hyperx/program.h"
#include "backend/hyperx/test_schedules.h"
#include "schedule/interpret.h"
#include "schedule/verify.h"

namespace muster::hyperx {
namespace {

Schedule pair_of_switches() {
  ScheduleBuilder b({.nodes = 4, .count = 4});
  add_pair(b, b.span({0, 4}));
  b.contract(allreduce_of_two(4));
  return std::move(b).finish();
}

std::unique_ptr<Program> lowered(const Schedule& schedule) {
  return lowering().lower(schedule, two_cores(), {}).value();
}

void expect_simulated(const Schedule& schedule, const std::string& engine, std::int64_t words) {
  const Result result = line_simulator().simulate(*lowered(schedule), {});
  EXPECT_EQ(result.engine, engine);
  ASSERT_EQ(result.outputs.size(), 1U);
  const Comparison comparison = compare_outputs(schedule, interpret(schedule, {}, 1), result.outputs[0], {});
  EXPECT_EQ(comparison.difference.value_or(""), "");
  EXPECT_EQ(comparison.compared, words);
}

TEST(HyperXCapabilities, RunsSwitchesByRegistersAndCoresInRounds) {
  expect_simulated(pair_of_switches(), "lines", 2 * 4);
  expect_simulated(exchange_of_two(4), "rounds", 2 * 4);
}

TEST(HyperXCapabilities, ReadsBackWhatItWrites) {
  const auto program = lowered(pair_of_switches());
  const auto files = register_emitter().emit(*program, {.target = "registers"});
  ASSERT_TRUE(files.ok());
  const Machine machine = two_cores();
  const FileContents read = register_reader().read({files.value().front()}, &machine, {});
  EXPECT_EQ(register_reader().difference(*program, *read.program), std::nullopt);
  EXPECT_FALSE(checker().check(*read.program).fault);
  EXPECT_TRUE(verify(read.lifted->schedule, machine).verified());
  EXPECT_THROW((void)register_reader().read(files.value(), &machine, {}), InputError);  // the JSON file alone
}

TEST(HyperXCapabilities, HasNoRegistersForCores) {
  const auto emitted = register_emitter().emit(*lowered(exchange_of_two(4)), {.target = "registers"});
  ASSERT_FALSE(emitted.ok());
  EXPECT_NE(emitted.reason().find("switches need no registers"), std::string::npos) << emitted.reason();
}

TEST(HyperXCapabilities, SaysWhatIsWrongWithRegisters) {
  auto program = lowered(pair_of_switches());
  auto& registers = dynamic_cast<HyperXProgram&>(*program).registers;
  registers.rows.pop_back();  // the loop leads nowhere
  const auto fault = checker().check(*program).fault;
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->kind, "not fed");
}

}  // namespace
}  // namespace muster::hyperx
