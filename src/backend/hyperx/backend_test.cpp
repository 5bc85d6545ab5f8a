#include <gtest/gtest.h>

#include "backend/hyperx/hyperx.h"
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
  return make_backend()->lower(schedule, two_cores(), {}).value();
}

void expect_simulated(const Schedule& schedule, const std::string& engine, std::int64_t words) {
  const Result result = make_backend()->simulate(*lowered(schedule), {});
  EXPECT_EQ(result.engine, engine);
  ASSERT_EQ(result.outputs.size(), 1U);
  const Comparison comparison = compare_outputs(schedule, interpret(schedule, {}, 1), result.outputs[0], {});
  EXPECT_EQ(comparison.difference.value_or(""), "");
  EXPECT_EQ(comparison.compared, words);
}

TEST(HyperXBackend, RunsSwitchesByRegistersAndCoresInRounds) {
  expect_simulated(pair_of_switches(), "lines", 2 * 4);
  expect_simulated(exchange_of_two(4), "rounds", 2 * 4);
}

TEST(HyperXBackend, ReadsBackWhatItWrites) {
  const auto backend = make_backend();
  const auto program = lowered(pair_of_switches());
  const auto files = backend->emit(*program, {.target = "registers"});
  ASSERT_TRUE(files.ok());
  const auto read = backend->read({files.value().front()}, two_cores(), {});
  ASSERT_TRUE(read.ok()) << read.reason();
  EXPECT_EQ(backend->difference(*program, *read.value()), std::nullopt);
  EXPECT_FALSE(backend->check(*read.value()).fault);
  EXPECT_TRUE(verify(backend->lift({files.value().front()}, two_cores()).value().schedule, two_cores()).verified());
  EXPECT_EQ(backend->read(files.value(), two_cores(), {}).reason(), "registers are one JSON file, not 2 files");
}

TEST(HyperXBackend, HasNoRegistersForCores) {
  const auto emitted = make_backend()->emit(*lowered(exchange_of_two(4)), {.target = "registers"});
  ASSERT_FALSE(emitted.ok());
  EXPECT_NE(emitted.reason().find("no switch needs registers"), std::string::npos) << emitted.reason();
}

TEST(HyperXBackend, SaysWhatIsWrongWithRegisters) {
  auto program = lowered(pair_of_switches());
  auto& registers = dynamic_cast<HyperXProgram&>(*program).registers;
  registers.rows.pop_back();  // the loop leads nowhere
  const auto fault = make_backend()->check(*program).fault;
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->kind, "not fed");
}

}  // namespace
}  // namespace muster::hyperx
