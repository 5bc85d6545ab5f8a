#include "backend/wafer/csl_reader/read_csl.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "backend/wafer/csl/samples.h"
#include "backend/wafer/csl_reader/compare.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

using samples::fused_allreduce;
using samples::program_of;
using samples::ring;

CslSource emitted(const WaferProgram& program, const EmitOptions& options = {}) {
  const auto files = emit_csl(program, options);
  if (!files) throw std::runtime_error(files.reason());
  CslSource source;
  for (const EmittedFile& file : files.value()) source.files[file.name] = file.text;
  return source;
}

/// What is wrong with the program that its own text describes: nothing, if all is well.
std::string lost(const WaferProgram& program, const EmitOptions& options = {}) {
  const auto read = read_csl(emitted(program, options), program.machine);
  return difference(program, *read,
                    {options.options.of<MeshOptions>().offset_x, options.options.of<MeshOptions>().offset_y})
      .value_or("");
}

TEST(ReadCsl, RebuildsEveryShapeOnBothMachines) {
  for (const std::string machine : {"wse2", "wse3"}) {
    for (const std::string& shape : samples::shapes()) {
      for (const std::int32_t size : {2, 3, 5, 8, 13, 64, 100}) {
        EXPECT_EQ(lost(*program_of(machine, shape, size)), "") << machine << " " << shape << " " << size;
      }
    }
  }
}

TEST(ReadCsl, RebuildsEveryTypeAndOperatorThatIsEmitted) {
  for (const std::string machine : {"wse2", "wse3"}) {
    for (const ElementType type : {ElementType::f32, ElementType::f16}) {
      for (const Operator op : {Operator::sum, Operator::max, Operator::min, Operator::prod}) {
        for (const std::string shape : {"chain", "tree", "two-phase", "flood"}) {
          EXPECT_EQ(lost(*program_of(machine, shape, 9, 16, {type, op})), "") << shape << " " << operator_name(op);
        }
        EXPECT_EQ(lost(*ring(machine, 3, 12, {type, op})), "");
      }
    }
    EXPECT_EQ(lost(*program_of(machine, "flood", 9, 16, {ElementType::i32, Operator::sum})), "");
  }
}

TEST(ReadCsl, RebuildsWhatIsWrittenWithAFunctionForLackOfAnInstruction) {
  for (const Operator op : {Operator::sum, Operator::max, Operator::min, Operator::prod}) {
    EXPECT_EQ(lost(*program_of("wse2", "tree", 9, 16, {ElementType::i32, op})), "") << operator_name(op);
  }
  EXPECT_EQ(lost(*ring("wse2", 3, 12, {ElementType::i32, Operator::min})), "");
}

TEST(ReadCsl, RebuildsAStepThatStoresAndSendsAsTwo) {
  for (const std::string machine : {"wse2", "wse3"}) {
    for (const std::int32_t size : {2, 3, 7}) EXPECT_EQ(lost(*fused_allreduce(machine, size)), "");
  }
}

TEST(ReadCsl, RebuildsExchanges) {
  for (const std::string machine : {"wse2", "wse3"}) {
    for (const std::int32_t size : {2, 3, 4}) EXPECT_EQ(lost(*ring(machine, size, 18)), "") << machine << size;
    EXPECT_EQ(lost(*ring(machine, 3, 18, {ElementType::f16, Operator::max})), "");
  }
}

TEST(ReadCsl, RebuildsReducesOfGrids) {
  for (const std::string machine : {"wse2", "wse3"}) {
    for (const std::string shape : {"chain", "star", "tree", "two-phase"}) {
      const auto program = samples::grid_program_of(machine, shape, 12, 9, 8);
      EXPECT_EQ(lost(*program), "") << machine << " " << shape;
    }
  }
}

TEST(ReadCsl, RebuildsLargeGridsFromAShortText) {
  for (const std::string shape : {"chain", "tree", "two-phase"}) {
    const auto program = samples::grid_program_of("wse2", shape, 96, 80, 8);
    EXPECT_EQ(lost(*program), "") << shape;
    std::size_t bytes = 0;
    for (const auto& [name, text] : emitted(*program).files) bytes += text.size();
    EXPECT_LT(bytes, 40'000U) << shape;
  }
}

TEST(ReadCsl, ReadsACopyBesideASendAsOneAfterTheOther) {
  ScheduleBuilder b({.nodes = 2, .count = 16});
  const SpanId all = b.span({0, 16});
  const StreamId stream = b.stream(0, 1, all);
  b.step(0, all).own(Buffer::input).push(stream).store(Buffer::output);
  b.step(1, all).take(stream).store(Buffer::output);
  b.contract({.collective = Collective::broadcast, .ranks = {0, 1}, .root = 0, .count = 16});
  const auto program = samples::lowered(std::move(b).finish(), samples::row_of("wse2", 2), {});
  EXPECT_EQ(lost(*program), "");
  CslSource source = emitted(*program);
  std::string& text = source.files.at("pe.csl");
  const std::string send = "@fmovs(out_0, own_0, .{ .async = true, .activate = step_id });\n";
  const std::size_t location = text.find(send);
  ASSERT_NE(location, std::string::npos) << text;
  text.insert(location + send.size(), "    @fmovs(store_1, own_0);\n");
  WaferProgram expected = *program;  // the copy is there twice
  auto& operations = expected.classes[static_cast<std::size_t>(expected.class_of[0])].operations;
  ASSERT_EQ(operations.size(), 2U);
  operations[1].times = 2;
  EXPECT_EQ(difference(expected, *read_csl(source, program->machine)).value_or(""), "");
}

TEST(ReadCsl, RebuildsAProgramAtAnOffsetAmongIdleProcessors) {
  EXPECT_EQ(lost(*program_of("wse2", "tree", 6), {.options = MeshOptions{.offset_x = 3, .offset_y = 2}}), "");
}

TEST(ReadCsl, TakesParametersOfTheCommandLine) {
  const auto program = program_of("wse2", "chain", 4, 16);
  CslSource source = emitted(*program);
  source.parameters = {{"count", "40"}, {"offset_x", "1"}};
  const auto read = read_csl(source, program->machine);
  EXPECT_EQ(difference(*program_of("wse2", "chain", 4, 40), *read, {1, 0}).value_or(""), "");
}

RC_GTEST_PROP(ReadCsl, RebuildsEveryPreOrderTree, ()) {
  const auto size = *rc::gen::inRange(2, 24);
  std::vector<std::int32_t> path{0};
  std::vector<std::int32_t> parents{-1};
  for (std::int32_t x = 1; x < size; ++x) {
    path.resize(static_cast<std::size_t>(*rc::gen::inRange<int>(1, static_cast<int>(path.size()) + 1)));
    parents.push_back(path.back());
    path.push_back(x);
  }
  const auto schedule = samples::reduce(size, 4, [&](std::int32_t x) { return parents[static_cast<std::size_t>(x)]; });
  const auto program = lower(schedule, samples::row_of("wse3", size), {});
  RC_PRE(program.ok());
  RC_ASSERT(lost(*program.value()) == "");
}

}  // namespace
}  // namespace muster::wafer
