// What is written: the golden files, what they say, and how they grow.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "backend/wafer/csl/emit_test_support.h"
#include "base/file.h"
#include "base/source_dir.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

using samples::program_of;

std::size_t bytes_of(const std::map<std::string, std::string>& files) {
  std::size_t bytes = 0;
  for (const auto& [name, text] : files) bytes += text.size();
  return bytes;
}

/// Compares with tests/golden/csl/NAME, or writes it when MUSTER_UPDATE_GOLDEN is set.
void compare_with_golden(const std::string& name, const std::map<std::string, std::string>& files) {
  const std::filesystem::path folder = std::filesystem::path(source_dir()) / "tests/golden/csl" / name;
  const char* update = std::getenv("MUSTER_UPDATE_GOLDEN");
  for (const auto& [file, text] : files) {
    if (update != nullptr && std::string(update) == "1") {
      std::filesystem::create_directories(folder);
      std::ofstream(folder / file) << text;
    }
    EXPECT_EQ(text, read_file(folder / file)) << name << "/" << file << "; MUSTER_UPDATE_GOLDEN=1 rewrites it";
  }
}

std::unique_ptr<WaferProgram> one_processor(const std::string& machine, Collective collective) {
  ScheduleBuilder b({.nodes = 1, .count = 16});
  b.step(0, b.span({0, 16})).own(Buffer::input).store(Buffer::output);
  b.contract({.collective = collective, .ranks = {0}, .root = 0, .count = 16});
  return samples::lowered(std::move(b).finish(), samples::row_of(machine, 1), {});
}

TEST(EmitCsl, IsTheGoldenFiles) {
  for (const std::string& shape : samples::shapes()) {
    compare_with_golden("wse2-" + shape + "-8", emitted(*program_of("wse2", shape, 8)));
    compare_with_golden("wse3-" + shape + "-5", emitted(*program_of("wse3", shape, 5)));
  }
  compare_with_golden("wse2-chain-3-f16-max",
                      emitted(*program_of("wse2", "chain", 3, 16, {ElementType::f16, Operator::max})));
  compare_with_golden("wse2-chain-3-i32",
                      emitted(*program_of("wse2", "chain", 3, 16, {ElementType::i32, Operator::sum})));
  compare_with_golden("wse2-fused-allreduce-4", emitted(*samples::fused_allreduce("wse2", 4)));
  compare_with_golden("wse3-ring-3", emitted(*samples::ring("wse3", 3, 18)));
  compare_with_golden("wse2-grid-tree-4x3", emitted(*samples::grid_program_of("wse2", "tree", 4, 3, 16)));
  compare_with_golden("wse3-module-tree-5", emitted(*program_of("wse3", "tree", 5), {.form = kModuleForm}));
  compare_with_golden("wse2-module-ring-3", emitted(*samples::ring("wse2", 3, 18), {.form = kModuleForm}));
  compare_with_golden("wse2-one", emitted(*one_processor("wse2", Collective::reduce)));
}

TEST(EmitCsl, OfOneProcessorIsALocalCopyWithoutColors) {
  for (const std::string machine : {"wse2", "wse3"}) {
    for (const Collective collective : {Collective::reduce, Collective::broadcast, Collective::allreduce}) {
      const auto program = one_processor(machine, collective);
      const auto files = emitted(*program);
      EXPECT_EQ(count_of("color_ids", files.at("pe.csl")), 0);
      const auto read = read_again(files, program->machine);
      EXPECT_TRUE(read->colors.empty());
      ASSERT_EQ(operations_of(*read, 0).size(), 1U);
      const Operation& copy = operations_of(*read, 0).front();
      EXPECT_EQ(copy.own, Buffer::input);
      EXPECT_EQ(copy.store, Buffer::output);
      EXPECT_TRUE(copy.outputs.empty());
    }
  }
}

TEST(EmitCsl, LeavesOutInstructionsWithoutElements) {
  auto program = program_of("wse2", "chain", 2);
  const auto written = [&] { return operations_of(*read_again(emitted(*program), program->machine), 1).size(); };
  const std::size_t before = written();
  auto& operations = program->classes[static_cast<std::size_t>(program->class_of[1])].operations;
  operations.push_back(operations.front());
  operations.back().outputs.clear();
  operations.back().elements = operations.back().own_elements = program->spans.add(Range{});
  EXPECT_EQ(written(), before);
}

TEST(EmitCsl, SaysThatAnOddVectorOfHalvesIsPadded) {
  // 7 halves are 4 words.
  const auto files = emitted(*program_of("wse2", "chain", 3, 4, {ElementType::f16, Operator::sum}));
  EXPECT_NE(files.at("build.sh").find("\ncount=$(((count + 1) / 2 * 2))\n"), std::string::npos);
  for (const char* name : {"layout.csl", "run.py", "build.sh"}) {
    EXPECT_NE(files.at(name).find("a vector of 7 is sent as 8"), std::string::npos) << name;
  }
}

TEST(EmitCsl, SaysInEveryFileWhoMadeItAndHasNoPlaceholderLeft) {
  for (const std::string machine : {"wse2", "wse3"}) {
    for (const std::string& shape : samples::shapes()) {
      SCOPED_TRACE(machine + " " + shape);
      const auto files = emitted(*program_of(machine, shape, 9, 16, {ElementType::f16, Operator::prod}));
      for (const auto& [name, text] : files) {
        EXPECT_EQ(text.find("<<"), std::string::npos) << name;
        EXPECT_EQ(text.find(">>"), std::string::npos) << name;
        EXPECT_NE(text.find("Made by: muster emit --target csl\n"), std::string::npos) << name;
        EXPECT_NE(text.find("The vendor's compiler was not run"), std::string::npos) << name;
      }
    }
  }
}

TEST(EmitCsl, RoutesAndBindsEveryColorThatItUses) {
  for (const std::string machine : {"wse2", "wse3"}) {
    for (const std::string& shape : samples::shapes()) {
      const auto program = program_of(machine, shape, 8);
      const auto files = emitted(*program);
      const std::string& processor = files.at("pe.csl");
      const std::string ids =
          fmt::format("color_ids = [{}]u16 {{ {} }};", program->colors.size(), fmt::join(program->colors, ", "));
      EXPECT_EQ(count_of(ids, files.at("layout.csl")), 1) << ids;
      for (std::size_t c = 0; c < program->colors.size(); ++c) {
        EXPECT_NE(files.at("layout.csl").find(fmt::format("@set_color_config(x, y, color_{}, ", c)), std::string::npos);
        EXPECT_NE(files.at("layout.csl").find(fmt::format("color_{0}: color = @get_color(color_ids[{0}]);", c)),
                  std::string::npos);
      }
      const bool bound = program->mesh().queues_are_bound;
      EXPECT_EQ(count_of("@initialize_queue", processor) > 0, bound);
      EXPECT_EQ(count_of("@block", processor) > 0, !bound);
      EXPECT_EQ(count_of("fabric_color", processor) > 0, !bound);
    }
  }
}

TEST(EmitCsl, DoesNotGrowWithTheNumberOfProcessors) {
  for (const std::string shape : {"chain", "star", "two-phase", "flood"}) {
    const auto few = emitted(*program_of("wse2", shape, 64));
    const auto many = emitted(*program_of("wse2", shape, 1024));
    EXPECT_LE(bytes_of(many), bytes_of(few) + 100) << shape;
  }
}

TEST(EmitCsl, GrowsByAFewHundredBytesPerDoublingOfATreeAndNotInTheProcessorsProgram) {
  auto smaller = emitted(*program_of("wse2", "tree", 256));
  for (const std::int32_t size : {512, 1024, 2048}) {
    auto larger = emitted(*program_of("wse2", "tree", size));
    EXPECT_LE(bytes_of(larger), bytes_of(smaller) + 400) << size;
    EXPECT_LE(larger.at("pe.csl").size(), smaller.at("pe.csl").size() + 4) << size;
    smaller = std::move(larger);
  }
}

TEST(EmitCsl, PlacesTheCollectiveAtAnOffset) {
  const auto files = emitted(*program_of("wse2", "chain", 4), {.options = MeshOptions{.offset_x = 3, .offset_y = 2}});
  EXPECT_NE(files.at("layout.csl").find("param offset_x: i16 = 3;"), std::string::npos);
  EXPECT_NE(files.at("layout.csl").find("param offset_y: i16 = 2;"), std::string::npos);
  EXPECT_NE(files.at("build.sh").find("${OFFSET_X:-3}"), std::string::npos);
  EXPECT_NE(files.at("build.sh").find("--fabric-offsets="), std::string::npos);
}

TEST(EmitCsl, CombinesWithAFunctionWhereThereIsNoInstruction) {
  const auto integers = emitted(*program_of("wse2", "chain", 4, 16, {ElementType::i32, Operator::sum}));
  EXPECT_NE(integers.at("pe.csl").find("fn combine(left: i32, right: i32) i32 {\n  return left + right;\n}"),
            std::string::npos);
  EXPECT_GT(count_of("@map", integers.at("pe.csl")), 0);
  const auto least = emitted(*program_of("wse3", "chain", 4, 16, {ElementType::i32, Operator::min}));
  EXPECT_NE(least.at("pe.csl").find("return if (right < left) right else left;"), std::string::npos);
}

TEST(EmitCsl, TakesTheMinimumAsTheMaximumOfNegatedValues) {
  for (const ElementType type : {ElementType::f32, ElementType::f16}) {
    const auto files = emitted(*program_of("wse2", "chain", 4, 16, {type, Operator::min}));
    const std::string letter = type == ElementType::f32 ? "s" : "h";
    EXPECT_GT(count_of("@fmax" + letter, files.at("pe.csl")), 0);
    // The input before and after, the output after.
    EXPECT_EQ(count_of("@fneg" + letter + "(whole_input, whole_input);", files.at("pe.csl")), 2);
    EXPECT_EQ(count_of("@fneg" + letter + "(whole_output, whole_output);", files.at("pe.csl")), 1);
    EXPECT_EQ(count_of("@map(", files.at("pe.csl")), 0);
  }
  EXPECT_EQ(
      count_of("@fneg", emitted(*program_of("wse2", "flood", 4, 16, {ElementType::f16, Operator::min})).at("pe.csl")),
      0);
}

TEST(EmitCsl, MovesNumbersThatItNeedNotCombine) {
  const auto files = emitted(*program_of("wse3", "flood", 4, 16, {ElementType::i32, Operator::min}));
  EXPECT_GT(count_of("@mov32", files.at("pe.csl")), 0);
}

TEST(EmitCsl, WritesWhatEachPositionChangesOfTheBaseRoute) {
  auto program = program_of("wse2", "chain", 4);
  auto& route = program->classes[static_cast<std::size_t>(program->class_of[1])].routes.front();
  route.count = 3;
  route.positions = {Position{set_of(Direction::ramp), set_of(Direction::west)},
                     Position{set_of(Direction::east), set_of(Direction::west)},
                     Position{set_of(Direction::ramp), set_of(Direction::east)}};
  EXPECT_NE(emitted(*program).at("layout.csl").find("{ .pos1 = .{ .rx = EAST }, .pos2 = .{ .tx = EAST } }"),
            std::string::npos);
}

TEST(EmitCsl, ChecksABarrierByTheSumOfItsTokens) {
  auto program = program_of("wse2", "chain", 4);
  program->contracts.front().collective = Collective::barrier;
  const std::string script = emitted(*program).at("run.py");
  EXPECT_NE(script.find("vectors = np.ones("), std::string::npos);
  EXPECT_NE(script.find("return WIDTH * HEIGHT + 0 * vectors"), std::string::npos);
  program->arithmetic.op = Operator::max;
  EXPECT_EQ(reason_of(*program),
            "csl: the host script checks a barrier by a sum of f32 tokens; use --type f32 and --op sum");
}

TEST(EmitCsl, HasAHostScriptForCollectivesOfBlocks) {
  auto program = program_of("wse2", "chain", 4);
  for (const Collective collective : {Collective::reduce_scatter, Collective::allgather, Collective::scatter,
                                      Collective::gather, Collective::all_to_all}) {
    program->contracts.front().collective = collective;
    const std::string script = emitted(*program).at("run.py");
    EXPECT_NE(script.find("result = required(values)"), std::string::npos);
    EXPECT_EQ(script.find("<<"), std::string::npos);
  }
}

TEST(EmitCsl, WritesPartsOfAVectorWithTheirOffsets) {
  ScheduleBuilder b({.nodes = 2, .count = 8});
  const SpanId low = b.span({0, 3});
  const SpanId high = b.span({3, 5});
  for (const SpanId part : {low, high}) {
    const StreamId stream = b.stream(1, 0, part);
    b.step(1, part).own(Buffer::input).push(stream);
    b.step(0, part).own(Buffer::input).take(stream).store(Buffer::output);
  }
  b.contract({.collective = Collective::reduce, .ranks = {0, 1}, .root = 0, .count = 8});
  const auto program = samples::lowered(std::move(b).finish(), samples::row_of("wse2", 2), {});
  const auto files = emitted(*program);
  const auto read = read_again(files, program->machine);
  ASSERT_EQ(operations_of(*read, 0).size(), 2U);
  const Operation& second = operations_of(*read, 0)[1];
  EXPECT_EQ(read->spans.ranges(second.own_elements).front(), (Range{3, 5}));
  EXPECT_EQ(read->spans.ranges(second.store_elements).front(), (Range{3, 5}));
  EXPECT_EQ(files.at("build.sh").find("count:"), std::string::npos);
}

TEST(EmitCsl, LooksLongListsUpInATableThatTheProgramCarries) {
  for (const std::string machine : {"wse2", "wse3"}) {
    const auto few = emitted(*scrambled(machine, 53));
    const auto many = emitted(*scrambled(machine, 107));
    EXPECT_NE(many.at("pe.csl").find("const rows = own_rows();"), std::string::npos);
    // A longer list is more rows, a line each, and no more instructions.
    EXPECT_EQ(count_of("@fadds", many.at("pe.csl")), count_of("@fadds", few.at("pe.csl")));
    EXPECT_LT(many.at("pe.csl").size(), few.at("pe.csl").size() + 107 * 2 * 24);
  }
}

}  // namespace
}  // namespace muster::wafer
