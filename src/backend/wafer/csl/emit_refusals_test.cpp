// What is not written, with the reason, and what is said about what is.
#include <gtest/gtest.h>

#include "backend/wafer/capabilities.h"
#include "backend/wafer/csl/emit_test_support.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

using samples::program_of;

TEST(EmitCsl, RefusesAnArchitectureThatIsNoName) {
  for (const char* text : {"", "wse 2", "wse2;ls", "WSE2"}) {
    auto program = program_of("wse2", "chain", 3);
    as<Mesh>(program->machine)->architecture = text;
    EXPECT_EQ(
        reason_of(*program),
        fmt::format("csl: the machine's architecture '{}' is not a name that cslc --arch accepts; use e.g. 'wse2'",
                    text));
  }
}

TEST(EmitCsl, RefusesAnOffsetThatDoesNotFit) {
  const auto program = program_of("wse2", "chain", 4);
  EXPECT_EQ(reason_of(*program, {.options = MeshOptions{.offset_x = -1}}),
            "csl: the offset -1,0 is negative; use 0 or more");
  EXPECT_EQ(reason_of(*program, {.options = MeshOptions{.offset_x = 750}}),
            "csl: 4 x 1 PEs at 750,0 do not fit into 750 x 994");
}

TEST(EmitCsl, RefusesNumbersThatDoNotFitTheirTypes) {
  Machine machine = samples::row_of("wse2", 3);
  as<Mesh>(machine)->memory = Bytes(1 << 20);
  const auto chain = [&](std::int64_t count, ElementType type) {
    return samples::lowered(samples::schedule_of("chain", 3, count), machine, {type, Operator::sum});
  };
  EXPECT_EQ(reason_of(*chain(32767, ElementType::f32)), "");
  EXPECT_EQ(reason_of(*chain(32768, ElementType::f32)),
            "csl: PE (0,0) works on elements up to 32768; descriptors count to 32767; use a shorter vector");
  EXPECT_EQ(reason_of(*chain(16384, ElementType::f16)),
            "csl: PE (0,0) works on elements up to 32768; descriptors count to 32767; use a shorter vector");
  auto often = chain(4, ElementType::f32);
  often->classes[static_cast<std::size_t>(often->class_of[1])].operations.front().times = 40000;
  EXPECT_EQ(reason_of(*often),
            "csl: PE (1,0) repeats an operation 40000 times; at most 32767 are counted; use fewer PEs");
}

TEST(EmitCsl, RefusesWhatAnInstructionCannotDoAndNamesTheProcessor) {
  auto program = program_of("wse2", "chain", 4);
  const auto second = static_cast<std::size_t>(program->class_of[1]);
  auto& operations = program->classes[second].operations;
  const auto original = operations;

  operations.push_back(operations.front());
  operations.back().lane = 1;
  EXPECT_EQ(reason_of(*program), "csl: PE (1,0) runs two lanes; only one is supported");

  operations = original;
  operations.front().sent = operations.front().store = Buffer::output;
  operations.front().sent_elements = operations.front().elements;
  EXPECT_EQ(reason_of(*program), "csl: PE (1,0) stores where it sends from; the two CSL instructions would race");

  operations = original;
  operations.front().operands = {0};
  operations.front().outputs.push_back({.color = 1});
  EXPECT_EQ(reason_of(*program), "csl: PE (1,0) sends on 2 colors at once; an instruction has one destination");

  operations = original;
  operations.front().operands.push_back(0);
  EXPECT_EQ(reason_of(*program), "csl: PE (1,0) combines 2 streams at once; an instruction takes one");
}

TEST(EmitCsl, RefusesSwitchesThatTheMachineDoesNotHave) {
  auto program = program_of("wse2", "chain", 4);
  auto& route = program->classes[static_cast<std::size_t>(program->class_of[0])].routes.front();
  route.count = 2;
  route.positions[1] = {.from = set_of(Direction::west), .to = set_of(Direction::east)};
  EXPECT_EQ(reason_of(*program),
            fmt::format("csl: PE (0,0) color {}: position 1 changes both sides, which this machine's switches cannot",
                        program->colors[static_cast<std::size_t>(route.color)]));
}

TEST(EmitCsl, RefusesAContractThatTheHostScriptCannotCheck) {
  auto program = program_of("wse2", "chain", 4);
  program->contracts.front().collective = Collective::neighbours;
  EXPECT_EQ(reason_of(*program), "csl: the host script cannot check neighbours");
}

TEST(EmitCsl, RefusesListsThatTheMemoryDoesNotHold) {
  auto program = scrambled("wse2", 53);
  as<Mesh>(program->machine)->memory = Bytes(500);
  EXPECT_EQ(reason_of(*program),
            "csl: a PE's 27 operations take 504 B beside buffers of 424 B, of its 500 B; use fewer PEs");
}

TEST(EmitCsl, RefusesSeveralDestinationsAndScatteredElements) {
  auto program = program_of("wse2", "chain", 4);
  auto& operations = program->classes[static_cast<std::size_t>(program->class_of[1])].operations;
  const auto original = operations;
  operations.front().store = Buffer::output;
  EXPECT_EQ(reason_of(*program), "csl: PE (1,0) stores and sends at once; an instruction has one destination");

  operations = original;
  const std::vector<Range> apart{{0, 4}, {8, 4}};
  operations.front().own_elements = program->spans.add(apart);
  operations.front().elements = program->spans.add({4, 8});
  EXPECT_EQ(reason_of(*program), "csl: PE (1,0) works on scattered elements; an instruction takes contiguous ones");
}

TEST(EmitCsl, SaysWhereElementsAreCombinedOneByOneOrNegated) {
  const auto remark = [](Arithmetic arithmetic, const std::string& words) {
    const auto program = program_of("wse2", "chain", 4, 16, arithmetic);
    const auto files = emitted(*program);
    const bool told = files.at("pe.csl").find(words) != std::string::npos;
    EXPECT_EQ(csl_emitter().remarks(*program, {}).size(), told ? 1U : 0U);
    for (const auto& [name, text] : files)
      EXPECT_EQ(text.find(" There is no vector instruction for the ") != std::string::npos, told) << name;
    return told;
  };
  EXPECT_TRUE(remark({ElementType::i32, Operator::sum}, "(@map)"));
  EXPECT_TRUE(remark({ElementType::f32, Operator::min}, "maximum of negated"));
  EXPECT_TRUE(remark({ElementType::f16, Operator::min}, "maximum of negated"));
  EXPECT_FALSE(remark({ElementType::f32, Operator::sum}, "There is no"));
  // What is only moved needs no function.
  EXPECT_TRUE(
      csl_emitter().remarks(*program_of("wse2", "flood", 4, 16, {ElementType::i32, Operator::min}), {}).empty());
}

}  // namespace
}  // namespace muster::wafer
