#include "backend/hyperx/lower.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "backend/hyperx/files/difference.h"
#include "backend/hyperx/files/lift.h"
#include "backend/hyperx/test_schedules.h"
#include "backend/hyperx/test_trees.h"
#include "machine/hyperx.h"

namespace muster::hyperx {
namespace {

std::vector<std::string> texts(const HyperXProgram& program) {
  const Ports ports(program.network());
  const auto names = [&](std::span<const Port> list) {
    std::vector<std::string> all;
    for (const Port port : list) all.push_back(ports.text(port));
    return fmt::format("{}", fmt::join(all, ", "));
  };
  std::vector<std::string> rows;
  for (const Row& row : program.registers.rows) {
    rows.push_back(fmt::format("{} {} {}: {} to {}", row.at, row.id, channel_name(row.channel),
                               names(program.registers.inputs_of(row)), names(program.registers.outputs_of(row))));
  }
  return rows;
}

TEST(Lower, TurnsAtTheRootByTwoRowsThatTheLoopJoins) {
  ScheduleBuilder b({.nodes = 4, .count = 8});
  add_pair(b, b.span({0, 8}));
  b.contract(allreduce_of_two(8));
  const auto program = lower(std::move(b).finish(), two_cores(), {.arithmetic = {.op = Operator::max}});
  ASSERT_TRUE(program.ok()) << program.reason();
  EXPECT_EQ(texts(*program.value()), (std::vector<std::string>{
                                         "2 0 request: memory to east",
                                         "2 0 response: east to memory",
                                         "3 0 request: west, memory to loop",
                                         "3 0 response: loop to west, memory",
                                     }));
  EXPECT_EQ(program.value()->registers.op, Operator::max);
  EXPECT_EQ(program.value()->contracts, std::vector{allreduce_of_two(8)});
}

RC_GTEST_PROP(Lower, GivesTheRegistersBackThatAScheduleWasLiftedFrom, ()) {
  const HyperX network = any_network();
  const NodeId ranks = rank_count(network);
  RC_PRE(ranks >= 2);
  const HyperXProgram program =
      program_of(network, {whole_tree(network, ranks + any(0, ranks - 1))}, {{.elements = {0, any(1, 100)}}});
  const LiftedFiles lifted = lift_registers(program, "registers.json");
  const auto lowered = lower(lifted.schedule, program.machine, {.arithmetic = program.arithmetic});
  RC_ASSERT(lowered.ok());
  RC_ASSERT(difference(program, *lowered.value()).value_or("") == "");
}

TEST(Lower, RefusesInputsInAnotherOrderThanThatOfPorts) {
  ScheduleBuilder b({.nodes = 4, .count = 8});
  const SpanId all = b.span({0, 8});
  const StreamId from_0 = b.stream(0, 2, all), from_1 = b.stream(1, 3, all), up = b.stream(2, 3, all),
                 to_1 = b.stream(3, 1, all);
  b.step(0, all).own(Buffer::input).push(from_0);
  b.step(1, all).own(Buffer::input).push(from_1);
  b.step(1, all, 1).take(to_1).store(Buffer::output);
  b.step(2, all).take(from_0).push(up);
  b.step(3, all).take(from_1).take(up).push(to_1);
  EXPECT_EQ(lower(std::move(b).finish(), two_cores(), {}).reason(),
            "the switch of core 1 does not combine its inputs in port order");
}

TEST(Lower, RefusesAPortThatAStepUsesTwice) {
  ScheduleBuilder b({.nodes = 4, .count = 8});
  const SpanId all = b.span({0, 8});
  const StreamId once = b.stream(0, 2, all), again = b.stream(0, 2, all), to_0 = b.stream(2, 0, all);
  b.step(0, all).own(Buffer::input).push(once).push(again);
  b.step(0, all, 1).take(to_0).store(Buffer::output);
  b.step(2, all).take(once).take(again).push(to_0);
  EXPECT_EQ(lower(std::move(b).finish(), two_cores(), {}).reason(),
            "the switch of core 0 uses one port twice in one step");
}

}  // namespace
}  // namespace muster::hyperx
