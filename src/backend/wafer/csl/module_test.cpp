// A collective as a module: what a user may choose, what a call takes, and that the example around it is the same program.
#include <gtest/gtest.h>

#include "backend/wafer/csl/emit_test_support.h"
#include "backend/wafer/csl_reader/compare.h"
#include "base/error.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

using samples::program_of;

std::map<std::string, std::string> module_of(const WaferProgram& program) {
  return emitted(program, {.form = kModuleForm});
}

/// What differs between a program and the one that is read from files; nothing, if all is well.
std::string lost(const WaferProgram& program, const std::map<std::string, std::string>& files) {
  return difference(program, *read_again(files, program.machine), {}).value_or("");
}

std::string message_of(const WaferProgram& program, const std::map<std::string, std::string>& files) {
  try {
    (void)read_again(files, program.machine);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// Replaces the only occurrence.
void replace(std::string& text, const std::string& from, const std::string& to) {
  ASSERT_EQ(count_of(from, text), 1) << from;
  text.replace(text.find(from), from.size(), to);
}

TEST(CslModule, InItsExampleIsTheProgramThatIsSimulated) {
  for (const std::string machine : {"wse2", "wse3"}) {
    for (const std::string& shape : samples::shapes()) {
      for (const std::int32_t size : {2, 5, 13}) {
        const auto program = program_of(machine, shape, size);
        EXPECT_EQ(lost(*program, module_of(*program)), "") << machine << " " << shape << " " << size;
      }
    }
    const auto ring = samples::ring(machine, 3, 18);
    EXPECT_EQ(lost(*ring, module_of(*ring)), "") << machine;
    const auto grid = samples::grid_program_of(machine, "two-phase", 7, 5, 8);
    EXPECT_EQ(lost(*grid, module_of(*grid)), "") << machine;
    const auto long_list = scrambled(machine, 53);
    EXPECT_EQ(lost(*long_list, module_of(*long_list)), "") << machine;
  }
}

TEST(CslModule, HasEveryTypeAndOperator) {
  for (const ElementType type : {ElementType::f32, ElementType::f16, ElementType::i32}) {
    for (const Operator op : {Operator::sum, Operator::max, Operator::min, Operator::prod}) {
      const auto program = program_of("wse2", "tree", 9, 16, {type, op});
      EXPECT_EQ(lost(*program, module_of(*program)), "") << type_name(type) << " " << operator_name(op);
    }
  }
}

TEST(CslModule, TakesTheLengthOfEachCallWhereItsOperationsWorkOnWholeVectors) {
  const auto program = program_of("wse2", "chain", 4, 16);
  auto files = module_of(*program);
  EXPECT_NE(
      files.at("reduce.csl").find("fn reduce(send: [*]f32, receive: [*]f32, length: u16, callback: local_task_id)"),
      std::string::npos);
  replace(files.at("pe.csl"), "output_ptr, count, done_id", "output_ptr, 7, done_id");
  EXPECT_EQ(operations_of(*read_again(files, program->machine), 0).size(), 1U);
  EXPECT_NE(lost(*program, files), "");
  const auto ring = module_of(*samples::ring("wse2", 3, 18));
  EXPECT_NE(ring.at("allreduce.csl").find("fn allreduce(send: [*]f32, receive: [*]f32, callback: local_task_id)"),
            std::string::npos);
  EXPECT_NE(ring.at("allreduce.csl").find("const count: u16 = 18;"), std::string::npos);
}

TEST(CslModule, UsesTheColorsQueuesAndTaskOfItsUser) {
  for (const std::string machine : {"wse2", "wse3"}) {
    const auto program = program_of(machine, "chain", 4);
    auto files = module_of(*program);
    replace(files.at("layout.csl"), "[2]u16 { 1, 0 }", "[2]u16 { 5, 6 }");
    replace(files.at("pe.csl"), "[2]u16 { 2, 3 }", "[2]u16 { 4, 5 }");
    replace(files.at("pe.csl"), "@get_local_task_id(8)", "@get_local_task_id(12)");
    const auto read = read_again(files, program->machine);
    EXPECT_EQ(read->colors, (std::vector<int>{5, 6}));
    replace(files.at("pe.csl"), "[2]u16 { 4, 5 }", "[2]u16 { 0, 5 }");
    EXPECT_NE(message_of(*program, files).find("belongs to the host's library"), std::string::npos);
  }
}

TEST(CslModule, LeavesPEsOutsideAlone) {
  const auto program = program_of("wse3", "tree", 6);
  const auto files = emitted(*program, {.form = kModuleForm, .options = MeshOptions{.offset_x = 3, .offset_y = 2}});
  EXPECT_EQ(difference(*program, *read_again(files, program->machine), {3, 2}).value_or(""), "");
}

TEST(CslModule, OfWhichTheUserComputesBetweenInstructionsIsRefused) {
  const auto program = program_of("wse2", "chain", 3);
  auto files = module_of(*program);
  std::string& text = files.at("pe.csl");
  replace(text, "  sys_mod.unblock_cmd_stream();",
          "  if (again) {\n    sys_mod.unblock_cmd_stream();\n  } else {\n    again = true;\n"
          "    collective.reduce(input_ptr, output_ptr, count, done_id);\n  }");
  text += "var again = false;\n";
  EXPECT_NE(message_of(*program, files).find("computes between instructions"), std::string::npos);
}

TEST(CslModule, ThatIsNotReadyForItsNextCallIsRefused) {
  const auto program = program_of("wse2", "tree", 9);
  auto files = module_of(*program);
  replace(files.at("reduce.csl"), "\n    at = 0;", "\n    at == 0;");
  EXPECT_NE(message_of(*program, files).find("a second call of the program behaves differently"), std::string::npos)
      << message_of(*program, files);
}

TEST(CslModule, ThatIsUsedTwiceIsReadAsBothCalls) {
  const auto program = program_of("wse2", "chain", 3);
  auto files = module_of(*program);
  std::string& text = files.at("pe.csl");
  const std::size_t second = text.find("task done() void {\n") + std::string("task done() void {\n").size();
  text.insert(second,
              "  calls += 1;\n  if (calls % 2 == 1) {\n    collective.reduce(input_ptr, output_ptr, count, done_id);\n"
              "    return;\n  }\n");
  text += "var calls: u16 = 0;\n";
  const auto read = read_again(files, program->machine);
  EXPECT_EQ(operations_of(*read, 2).front().times, 2);
}

}  // namespace
}  // namespace muster::wafer
