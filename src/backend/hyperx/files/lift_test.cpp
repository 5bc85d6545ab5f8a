#include "backend/hyperx/files/lift.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "backend/hyperx/data.h"
#include "backend/hyperx/files/test_programs.h"
#include "machine/hyperx.h"
#include "schedule/verify.h"

namespace muster::hyperx {
namespace {

/// Every core takes part in one tree; an allreduce.
HyperXProgram any_allreduce(Segment segment) {
  const HyperX network = any_network();
  const NodeId ranks = rank_count(network);
  return program_of(network, {whole_tree(network, ranks + any(0, ranks - 1))}, {segment});
}

Verdict verdict_of(const HyperXProgram& program) {
  const LiftedFiles lifted = lift_registers(program, "registers.json");
  return verify(lifted.schedule, lifted.machine);
}

std::string refusal_of(const HyperXProgram& program) {
  try {
    const Verdict verdict = verdict_of(program);
    return verdict.verified() ? "accepted" : std::string(kind_name(verdict.counterexample->kind));
  } catch (const InputError& error) {
    return error.what();
  }
}

void erase_port(HyperXProgram& program, Slice Row::*list, std::size_t row, std::int32_t index) {
  Registers& registers = program.registers;
  Slice& slice = registers.rows[row].*list;
  for (std::int32_t i = index; i + 1 < slice.count; ++i) {
    registers.ports[at(slice.first + i)] = registers.ports[at(slice.first + i + 1)];
  }
  --slice.count;
}

RC_GTEST_PROP(LiftRegisters, ATreeAndItsInverseAreAnAllreduce, ()) {
  const std::int64_t count = any(1, 1000);
  const HyperXProgram program = any_allreduce({.elements = {0, count}});
  RC_ASSERT(refusal_of(program) == "accepted");
}

RC_GTEST_PROP(LiftRegisters, ATreeAndItsInverseMayWorkInPlace, ()) {
  HyperXProgram program = any_allreduce({.elements = {0, any(1, 1000)}, .to = Buffer::input});
  program.contracts.front().to = Buffer::input;
  RC_ASSERT(refusal_of(program) == "accepted");
}

/// Pieces of the vector, an id and a tree each; and a second allreduce of what the first one left, in place.
RC_GTEST_PROP(LiftRegisters, IdsRunOneAfterAnother, ()) {
  const HyperX network = any_network();
  const NodeId ranks = rank_count(network);
  const std::int64_t cut = any(1, 50);
  std::vector<TestTree> trees;
  for (std::int16_t id = 0; id < 3; ++id) {
    trees.push_back(whole_tree(network, ranks + any(0, ranks - 1)));
    trees.back().id = id;
  }
  const std::vector<Segment> segments{{.elements = {0, cut}},
                                      {.elements = {cut, 50}},
                                      {.elements = {0, cut + 50}, .from = Buffer::output, .to = Buffer::output}};
  HyperXProgram program = program_of(network, {trees[0], trees[1]}, {segments[0], segments[1]});
  RC_ASSERT(refusal_of(program) == "accepted");
  program = program_of(network, trees, segments);
  RC_ASSERT(refusal_of(program) == (ranks == 1 ? "accepted" : "doubled"));
}

RC_GTEST_PROP(LiftRegisters, APortLessIsRefused, ()) {
  HyperXProgram program = any_allreduce({.elements = {0, 8}});
  const auto row = at(any(0, static_cast<std::int32_t>(program.registers.rows.size()) - 1));
  const bool is_input = any(0, 1) == 0;
  const auto list = is_input ? &Row::inputs : &Row::outputs;
  const Slice slice = program.registers.rows[row].*list;
  const std::int32_t index = any(0, slice.count - 1);
  const Ports ports(program.network());
  const Port port = program.registers.ports[at(slice.first + index)];
  const std::string name = Wiring(program).text(program.registers.rows[row]);
  erase_port(program, list, row, index);
  const std::string message = refusal_of(program);
  if (slice.count == 1) {
    RC_ASSERT(message == "registers.json: " + name + (is_input ? ": a row needs an input" : ": a row needs an output"));
  } else if (port == ports.memory()) {
    RC_ASSERT(message == "missing");
  } else {
    RC_ASSERT(message.find(is_input ? "no row at the other end of this output receives it"
                                    : "no row at the other end of this input sends to it") != std::string::npos);
  }
}

/// What the schedule computes is what the switches compute, bit for bit, where ways part, meet and turn at random.
RC_GTEST_PROP(LiftRegisters, TheScheduleComputesWhatTheSwitchesDo, ()) {
  HyperXProgram program = any_program();
  program.contracts.clear();
  Contract contract{.collective = Collective::allreduce, .count = 1};
  for (NodeId rank = 0; rank < rank_count(program.machine); ++rank) contract.ranks.push_back(rank);
  for (Segment& segment : program.registers.segments) {
    segment.elements.count = std::max<std::int64_t>(segment.elements.count, 1);
    contract.count = std::max(contract.count, segment.elements.end());
    segment.from = Buffer::input;
    segment.to = Buffer::output;
  }
  program.contracts.push_back(contract);
  const Wiring wiring(program);
  const Outputs expected = compute_data(wiring, order_of(wiring), 3);
  const Schedule schedule = lift_registers(program, "registers.json").schedule;
  Outputs computed = interpret(schedule, program.arithmetic, 3);
  computed.resize(expected.size());  // behind the ranks are the switches, which owe nothing
  RC_ASSERT(expected == computed);
}

TEST(LiftRegisters, OperandsCombineInTheOrderOfPorts) {
  const HyperX network = piuma({2}, 2, 3, 2);
  const HyperXProgram program = program_of(network, {whole_tree(network, 24 + 1)}, {{.elements = {0, 4}}});
  const Schedule schedule = lift_registers(program, "r.json").schedule;
  // The root, core 1, has core 0 in the west, core 2 in the east, core 4 in the south, socket 1, and its memory. Core 0 has the
  // way to the other node.
  const std::string other_node =
      "((((((x17 + x14) + x16) + (((((x23 + x20) + x22) + x19) + x21) + x18)) + x13) + x15) + x12)";
  const std::string expected =
      "((((((x3 + " + other_node + ") + x0) + (x5 + x2)) + x4) + (((((x11 + x8) + x10) + x7) + x9) + x6)) + x1)";
  for (NodeId rank = 0; rank < 24; ++rank) EXPECT_EQ(order_of_additions(schedule, rank, 3), expected);
}

/// The loop's row combines what comes through it with its own memory.
TEST(LiftRegisters, ALoopMayBeCombinedWithMore) {
  const HyperX network = piuma({}, 1, 2, 1);
  const Ports ports(network);
  TestRows rows;
  rows[{2, 0, Channel::request}] = {.inputs = {ports.from_text("east").value()}, .outputs = {ports.loop()}};
  rows[{2, 0, Channel::response}] = {.inputs = {ports.loop(), ports.memory()}, .outputs = {ports.memory()}};
  rows[{3, 0, Channel::request}] = {.inputs = {ports.memory()}, .outputs = {ports.from_text("west").value()}};
  HyperXProgram program = program_of(network, registers_of(rows, {{.elements = {0, 500}}}));
  program.contracts = {{.collective = Collective::reduce, .ranks = {0, 1}, .root = 0, .count = 500}};
  EXPECT_EQ(refusal_of(program), "accepted");
  EXPECT_EQ(order_of_additions(lift_registers(program, "r.json").schedule, 0, 7), "(x1 + x0)");
}

/// A core that gives to one group and takes from another one: its words may be overwritten before they are sent.
TEST(LiftRegisters, InPlaceARaceBetweenGroupsIsFound) {
  const HyperX network = piuma({}, 1, 3, 1);
  const Ports ports(network);
  const Port west = ports.from_text("west").value();
  const Port east = ports.from_text("east").value();
  TestRows rows;
  rows[{3, 0, Channel::request}] = {.inputs = {ports.memory()}, .outputs = {east}};
  rows[{4, 0, Channel::request}] = {.inputs = {west}, .outputs = {ports.memory()}};
  rows[{4, 0, Channel::response}] = {.inputs = {ports.memory()}, .outputs = {east}};
  rows[{5, 0, Channel::response}] = {.inputs = {west}, .outputs = {ports.memory()}};
  HyperXProgram program = program_of(network, registers_of(rows, {{.elements = {0, 500}, .to = Buffer::input}}));
  program.contracts = {{.collective = Collective::broadcast, .ranks = {0, 1}, .count = 500, .to = Buffer::input},
                       {.collective = Collective::broadcast, .ranks = {1, 2}, .count = 500, .to = Buffer::input}};
  EXPECT_EQ(refusal_of(program), "race");
}

/// Where a link between nodes has failed, registers that use it have no way.
TEST(LiftRegisters, AFailedLinkIsNoWay) {
  HyperX network = piuma({2}, 1, 2, 1);
  HyperXProgram program = program_of(network, {whole_tree(network, 4)}, {{.elements = {0, 4}}});
  EXPECT_EQ(refusal_of(program), "accepted");
  network.failed_links = {{0, 1}};
  program.machine = machine_of(network);
  EXPECT_EQ(refusal_of(program), "no-route");
}

}  // namespace
}  // namespace muster::hyperx
