#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "backend/wafer/csl/checker.h"
#include "backend/wafer/csl/program.h"
#include "backend/wafer/csl/samples.h"

namespace muster::wafer {
namespace {

using samples::program_of;

std::map<std::string, std::string> emitted(const WaferProgram& program, EmitOptions options = {}) {
  if (options.command.empty()) options.command = "muster emit --target csl";
  const auto files = emit_csl(program, options);
  if (!files) throw std::runtime_error(files.reason());
  std::map<std::string, std::string> texts;
  for (const EmittedFile& file : files.value()) texts[file.name] = file.text;
  return texts;
}

std::size_t bytes_of(const std::map<std::string, std::string>& files) {
  std::size_t bytes = 0;
  for (const auto& [name, text] : files) bytes += text.size();
  return bytes;
}

std::string reason_of(const WaferProgram& program, const EmitOptions& options = {}) {
  const auto files = emit_csl(program, options);
  return files ? "" : files.reason();
}

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Compares with tests/golden/csl/NAME, or writes it when MUSTER_UPDATE_GOLDEN is set.
void compare_with_golden(const std::string& name, const std::map<std::string, std::string>& files) {
  const std::filesystem::path folder = std::filesystem::path(MUSTER_SOURCE_DIR) / "tests/golden/csl" / name;
  const char* update = std::getenv("MUSTER_UPDATE_GOLDEN");
  for (const auto& [file, text] : files) {
    if (update != nullptr && std::string(update) == "1") {
      std::filesystem::create_directories(folder);
      std::ofstream(folder / file) << text;
    }
    EXPECT_EQ(text, read(folder / file)) << name << "/" << file << "; MUSTER_UPDATE_GOLDEN=1 rewrites it";
  }
}

/// The operations of one processor as the emitted files say: rows of numbers, with their repetitions.
struct ReadBack {
  std::vector<std::vector<long>> operations;
  std::vector<long> times;
  std::map<int, long> routes;
};

std::vector<long> expand(const CslFile& layout, std::size_t map) {
  const auto first = layout.table("map_first");
  const auto items = layout.table("items");
  std::vector<ClassItem> sequence;
  for (auto i = static_cast<std::size_t>(first[map]); i < static_cast<std::size_t>(first[map + 1]); ++i) {
    const auto length = static_cast<std::int32_t>(items[2 * i]);
    const auto distance = static_cast<std::int32_t>(items[2 * i + 1]);
    sequence.push_back(distance == 0 ? ClassItem{.literal = length}
                                     : ClassItem{.length = length, .distance = distance});
  }
  const auto values = expand_classes(sequence);
  return {values.begin(), values.end()};
}

std::vector<ReadBack> read_back(const std::map<std::string, std::string>& files, std::size_t colors) {
  const CslFile layout(files.at("layout.csl"));
  const CslFile processor(files.at("pe.csl"));
  const auto lists = layout.table("lists");
  const auto repetitions = layout.table("repetitions");
  const auto table = processor.table("table");
  const auto list_of = expand(layout, 0);
  const auto times_of = expand(layout, 1);
  const auto fields = static_cast<std::size_t>(processor.number("fields"));
  const std::size_t slots =
      repetitions.size() / static_cast<std::size_t>(1 + *std::max_element(times_of.begin(), times_of.end()));
  std::vector<ReadBack> processors(list_of.size());
  for (std::size_t p = 0; p < processors.size(); ++p) {
    for (std::size_t slot = 0; slot < slots; ++slot) {
      const auto operation = static_cast<std::size_t>(lists[static_cast<std::size_t>(list_of[p]) * slots + slot]);
      if (operation == 0) break;
      const auto* row = table.data() + operation * fields;
      processors[p].operations.emplace_back(row, row + fields);
      processors[p].times.push_back(repetitions[static_cast<std::size_t>(times_of[p]) * slots + slot]);
    }
    for (std::size_t c = 0; c < colors; ++c) processors[p].routes[static_cast<int>(c)] = expand(layout, 2 + c)[p];
  }
  return processors;
}

/// What an operation of the program must have become: its instruction, and its control wavelets behind it.
void expect_operation(const Operation& operation, const ReadBack& read, std::size_t& at) {
  if (!operation.operands.empty()) {
    ASSERT_LT(at, read.operations.size());
    const auto& row = read.operations[at];
    EXPECT_EQ(read.times[at], operation.times);
    for (const std::int8_t operand : operation.operands) {
      EXPECT_EQ(operand == kOwnOperand ? row[4] : row[1],
                operand == kOwnOperand ? static_cast<long>(operation.own) : static_cast<long>(operand));
    }
    EXPECT_EQ(row[5], static_cast<long>(operation.store));
    for (const Output& output : operation.outputs) {
      EXPECT_EQ(row[2], output.color);
      EXPECT_EQ(row[3], output.ending == Ending::advance_own ? 1 : 0);
    }
    ++at;
  }
  for (const Output& output : operation.outputs) {
    if (output.ending != Ending::advance && output.ending != Ending::reset) continue;
    ASSERT_LT(at, read.operations.size());
    EXPECT_EQ(read.operations[at][0],
              static_cast<long>(output.ending == Ending::advance ? CslAction::advance : CslAction::reset));
    EXPECT_EQ(read.operations[at][2], output.color);
    ++at;
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
  compare_with_golden("wse2-one", emitted(*one_processor("wse2", Collective::reduce)));
}

TEST(EmitCsl, OfOneProcessorIsALocalCopyWithoutColors) {
  for (const std::string machine : {"wse2", "wse3"}) {
    for (const Collective collective : {Collective::reduce, Collective::broadcast, Collective::allreduce}) {
      const auto files = emitted(*one_processor(machine, collective));
      const CslFile layout(files.at("layout.csl"));
      const CslFile processor(files.at("pe.csl"));
      EXPECT_EQ(layout.undeclared(), std::set<std::string>{});
      EXPECT_EQ(processor.undeclared(), std::set<std::string>{});
      EXPECT_EQ(processor.count("color_ids"), 0U);
      const auto processors = read_back(files, 0);
      ASSERT_EQ(processors.size(), 1U);
      ASSERT_EQ(processors[0].operations.size(), 1U);
      EXPECT_EQ(processors[0].operations[0][0], static_cast<long>(CslAction::copy));
    }
  }
}

TEST(EmitCsl, LeavesOutInstructionsWithoutElements) {
  auto program = program_of("wse2", "chain", 2);
  const std::size_t before = read_back(emitted(*program), 1)[1].operations.size();
  auto& operations = program->classes[static_cast<std::size_t>(program->class_of[1])].operations;
  operations.push_back(operations.front());
  operations.back().outputs.clear();
  operations.back().elements = operations.back().own_elements = program->spans.add(Range{});
  EXPECT_EQ(read_back(emitted(*program), 1)[1].operations.size(), before);
}

TEST(EmitCsl, SaysThatAnOddVectorOfHalvesIsPadded) {
  // 7 halves are 4 words.
  const auto files = emitted(*program_of("wse2", "chain", 3, 4, {ElementType::f16, Operator::sum}));
  EXPECT_NE(files.at("build.sh").find("\ncount=$(((count + 1) / 2 * 2))\n"), std::string::npos);
  for (const char* name : {"layout.csl", "run.py", "build.sh"}) {
    EXPECT_NE(files.at(name).find("a vector of 7 is sent as 8"), std::string::npos) << name;
  }
}

TEST(EmitCsl, RefusesAnArchitectureThatIsNoName) {
  for (const char* text : {"", "wse 2", "wse2;ls", "WSE2"}) {
    auto program = program_of("wse2", "chain", 3);
    std::get<Mesh>(program->machine.network).architecture = text;
    EXPECT_EQ(
        reason_of(*program),
        fmt::format("csl: the machine's architecture '{}' is no name that cslc --arch takes; use e.g. 'wse2'", text));
  }
}

TEST(EmitCsl, GivesEveryProcessorItsOperationsAndRoutes) {
  for (const std::string machine : {"wse2", "wse3"}) {
    for (const std::string& shape : samples::shapes()) {
      for (const std::int32_t places : {2, 3, 5, 8, 13, 64, 100}) {
        SCOPED_TRACE(machine + " " + shape + " " + std::to_string(places));
        const auto program = program_of(machine, shape, places);
        const auto processors = read_back(emitted(*program), program->colors.size());
        const auto csl = to_csl(*program);
        ASSERT_EQ(processors.size(), program->class_of.size());
        for (std::size_t p = 0; p < processors.size(); ++p) {
          const ProcessorClass& expected = program->classes[static_cast<std::size_t>(program->class_of[p])];
          std::size_t at = 0;
          for (const Operation& operation : expected.operations) expect_operation(operation, processors[p], at);
          EXPECT_EQ(at, processors[p].operations.size());
          std::map<int, long> routes;
          for (const auto& [color, route] : processors[p].routes) routes[color] = 0;
          for (ColorRoute route : expected.routes) {
            const int color = route.color;
            route.color = 0;
            EXPECT_EQ(csl.value().routes[static_cast<std::size_t>(processors[p].routes.at(color))], route);
            routes[color] = processors[p].routes.at(color);
          }
          EXPECT_EQ(routes, processors[p].routes);
        }
      }
    }
  }
}

TEST(EmitCsl, HasNoOpenBracketsPlaceholdersOrUndeclaredNames) {
  for (const std::string machine : {"wse2", "wse3"}) {
    for (const std::string& shape : samples::shapes()) {
      SCOPED_TRACE(machine + " " + shape);
      const auto files = emitted(*program_of(machine, shape, 9, 16, {ElementType::f16, Operator::prod}));
      for (const std::string file : {"layout.csl", "pe.csl"}) {
        EXPECT_EQ(CslFile(files.at(file)).undeclared(), std::set<std::string>{}) << file;
      }
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
      const CslFile layout(files.at("layout.csl"));
      const CslFile processor(files.at("pe.csl"));
      const auto ids = layout.table("color_ids");
      EXPECT_EQ(ids, std::vector<long>(program->colors.begin(), program->colors.end()));
      for (std::size_t c = 0; c < ids.size(); ++c) {
        EXPECT_NE(files.at("layout.csl").find(fmt::format("@set_color_config(x, y, color_{}, ", c)), std::string::npos);
        EXPECT_NE(files.at("layout.csl").find(fmt::format("color_{0}: color = @get_color(color_ids[{0}]);", c)),
                  std::string::npos);
      }
      const bool bound = program->mesh().queues_are_bound;
      EXPECT_EQ(processor.count("@initialize_queue") > 0, bound);
      EXPECT_EQ(processor.count("@block") > 0, !bound);
      EXPECT_EQ(processor.count("fabric_color") > 0, !bound);
      for (const std::int32_t reserved : program->mesh().reserved_queues) {
        for (const long queue : processor.table("queue_ids")) EXPECT_NE(queue, reserved);
      }
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
  for (const std::int32_t places : {512, 1024, 2048}) {
    auto larger = emitted(*program_of("wse2", "tree", places));
    EXPECT_LE(bytes_of(larger), bytes_of(smaller) + 400) << places;
    EXPECT_LE(larger.at("pe.csl").size(), smaller.at("pe.csl").size() + 4) << places;
    smaller = std::move(larger);
  }
}

TEST(EmitCsl, PlacesTheCollectiveAtAnOffset) {
  const auto files = emitted(*program_of("wse2", "chain", 4), {.offset_x = 3, .offset_y = 2});
  EXPECT_NE(files.at("layout.csl").find("param offset_x: i16 = 3;"), std::string::npos);
  EXPECT_NE(files.at("layout.csl").find("param offset_y: i16 = 2;"), std::string::npos);
  EXPECT_NE(files.at("build.sh").find("${OFFSET_X:-3}"), std::string::npos);
  EXPECT_NE(files.at("build.sh").find("--fabric-offsets="), std::string::npos);
}

TEST(EmitCsl, RefusesAnOffsetThatDoesNotFit) {
  const auto program = program_of("wse2", "chain", 4);
  EXPECT_EQ(reason_of(*program, {.offset_x = -1}), "csl: the offset -1,0 is negative; use 0 or more");
  EXPECT_EQ(reason_of(*program, {.offset_x = 750}), "csl: 4 x 1 PEs at 750,0 do not fit into 750 x 994");
}

TEST(EmitCsl, RefusesNumbersThatDoNotFitTheirTypes) {
  Machine machine = samples::row_of("wse2", 3);
  std::get<Mesh>(machine.network).memory = Bytes(1 << 20);
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

TEST(EmitCsl, RefusesNumbersThatCslCannotCombine) {
  EXPECT_EQ(reason_of(*program_of("wse2", "chain", 4, 16, {ElementType::f16, Operator::min})),
            "csl has no vector instruction for the min of packed f16; use f32, or the maximum of negated values");
}

TEST(EmitCsl, CombinesWithAFunctionWhereThereIsNoInstruction) {
  const auto integers = emitted(*program_of("wse2", "chain", 4, 16, {ElementType::i32, Operator::sum}));
  EXPECT_NE(integers.at("pe.csl").find("fn combine(left: i32, right: i32) i32 {\n  return left + right;\n}"),
            std::string::npos);
  EXPECT_GT(CslFile(integers.at("pe.csl")).count("@map"), 0U);
  const auto least = emitted(*program_of("wse3", "chain", 4, 16, {ElementType::f32, Operator::min}));
  EXPECT_NE(least.at("pe.csl").find("return if (right < left) right else left;"), std::string::npos);
}

TEST(EmitCsl, MovesNumbersThatItNeedNotCombine) {
  const auto files = emitted(*program_of("wse3", "flood", 4, 16, {ElementType::i32, Operator::min}));
  EXPECT_GT(CslFile(files.at("pe.csl")).count("@mov32"), 0U);
}

TEST(EmitCsl, RefusesWhatAnInstructionCannotDoAndNamesTheProcessor) {
  auto program = program_of("wse2", "chain", 4);
  const auto second = static_cast<std::size_t>(program->class_of[1]);
  auto& operations = program->classes[second].operations;
  const auto original = operations;

  operations.push_back(operations.front());
  operations.back().lane = 1;
  EXPECT_EQ(reason_of(*program), "csl: PE (1,0) runs two lanes; only one is written");

  operations = original;
  operations.front().sent = operations.front().store = Buffer::output;
  operations.front().sent_elements = operations.front().elements;
  EXPECT_EQ(reason_of(*program),
            "csl: PE (1,0) stores where it sends from; csl's two instructions do not wait for each other");

  operations = original;
  operations.front().operands = {0};
  operations.front().outputs.push_back({.color = 1});
  EXPECT_EQ(reason_of(*program), "csl: PE (1,0) forwards on 2 colors at once; an instruction has one destination");

  operations = original;
  operations.front().operands.push_back(0);
  EXPECT_EQ(reason_of(*program), "csl: PE (1,0) combines 2 streams at once; an instruction takes one");
}

TEST(EmitCsl, SaysWhereCslNeedsMoreThanTheSimulatedProgram) {
  auto program = program_of("wse2", "chain", 4);
  EXPECT_EQ(emitted(*program).at("pe.csl").find("longer than what was simulated"), std::string::npos);
  auto& operations = program->classes[static_cast<std::size_t>(program->class_of[1])].operations;
  const std::size_t before = read_back(emitted(*program), program->colors.size())[1].operations.size();
  operations.front().store = Buffer::output;
  const auto files = emitted(*program);
  EXPECT_NE(files.at("pe.csl").find("longer than what was simulated"), std::string::npos);
  EXPECT_EQ(read_back(files, program->colors.size())[1].operations.size(), before + 1);
}

TEST(EmitCsl, SaysWhereElementsAreCombinedOneByOne) {
  const auto remark = [](Arithmetic arithmetic) {
    const auto program = program_of("wse2", "chain", 4, 16, arithmetic);
    const auto files = emitted(*program);
    const bool told = files.at("pe.csl").find("@map calls a function for each element") != std::string::npos;
    EXPECT_EQ(make_backend()->emit_remarks(*program, {}).size(), told ? 1U : 0U);
    for (const auto& [name, text] : files)
      EXPECT_EQ(text.find(" There is no vector instruction for the ") != std::string::npos, told) << name;
    return told;
  };
  EXPECT_TRUE(remark({ElementType::i32, Operator::sum}));
  EXPECT_TRUE(remark({ElementType::f32, Operator::min}));
  EXPECT_FALSE(remark({ElementType::f32, Operator::sum}));
  // What is only moved needs no function.
  EXPECT_TRUE(
      make_backend()->emit_remarks(*program_of("wse2", "flood", 4, 16, {ElementType::i32, Operator::min}), {}).empty());
}

TEST(EmitCsl, WritesScatteredElementsPieceByPiece) {
  auto program = program_of("wse2", "chain", 4);
  auto& operations = program->classes[static_cast<std::size_t>(program->class_of[1])].operations;
  const std::vector<Range> apart{{0, 4}, {8, 4}};
  operations.front().own_elements = program->spans.add(apart);
  operations.front().elements = program->spans.add({4, 8});
  const auto processors = read_back(emitted(*program), program->colors.size());
  const auto& first = processors[1].operations[0];
  const auto& second = processors[1].operations[1];
  EXPECT_EQ((std::vector<long>(first.begin() + 6, first.end())), (std::vector<long>{0, 0, 4}));
  EXPECT_EQ((std::vector<long>(second.begin() + 6, second.end())), (std::vector<long>{8, 0, 4}));
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

TEST(EmitCsl, RefusesAContractThatTheHostScriptCannotCheck) {
  auto program = program_of("wse2", "chain", 4);
  program->contracts.front().collective = Collective::neighbours;
  EXPECT_EQ(reason_of(*program), "csl: the host script cannot check neighbours");
}

TEST(EmitCsl, ChecksABarrierByTheSumOfItsTokens) {
  auto program = program_of("wse2", "chain", 4);
  program->contracts.front().collective = Collective::barrier;
  const std::string script = emitted(*program).at("run.py");
  EXPECT_NE(script.find("vectors = np.ones("), std::string::npos);
  EXPECT_NE(script.find("return WIDTH * HEIGHT + 0 * vectors"), std::string::npos);
  program->arithmetic.op = Operator::max;
  EXPECT_EQ(reason_of(*program), "csl: the host script checks a barrier by its sum of f32 tokens; use these");
}

TEST(EmitCsl, HasAHostScriptForCollectivesOfBlocks) {
  auto program = program_of("wse2", "chain", 4);
  for (const Collective collective : {Collective::reduce_scatter, Collective::allgather, Collective::scatter,
                                      Collective::gather, Collective::all_to_all}) {
    program->contracts.front().collective = collective;
    const std::string script = emitted(*program).at("run.py");
    EXPECT_NE(script.find("result = owed(from_device(words))"), std::string::npos);
    EXPECT_EQ(script.find("<<"), std::string::npos);
  }
}

TEST(EmitCsl, WritesPartsOfAVectorWithTheirPlaces) {
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
  EXPECT_EQ(CslFile(files.at("pe.csl")).number("fields"), 9);
  const auto processors = read_back(files, program->colors.size());
  ASSERT_EQ(processors[0].operations.size(), 2U);
  const auto& second = processors[0].operations[1];
  EXPECT_EQ((std::vector<long>(second.begin() + 6, second.end())), (std::vector<long>{3, 3, 5}));
  EXPECT_EQ(files.at("build.sh").find("count:"), std::string::npos);
  EXPECT_EQ(CslFile(files.at("layout.csl")).undeclared(), std::set<std::string>{});
}

/// PE 1 sends a vector to PE 0 word by word, in an order that forms no loops; `pieces`: a prime, not 1 more than a
/// multiple of 3.
std::unique_ptr<WaferProgram> scrambled(const std::string& machine, std::int64_t pieces) {
  ScheduleBuilder b({.nodes = 2, .count = pieces});
  for (std::int64_t p = 0; p < pieces; ++p) {
    const SpanId piece = b.span({p * p * p % pieces, 1});
    const StreamId stream = b.stream(1, 0, piece);
    b.step(1, piece).own(Buffer::input).push(stream);
    b.step(0, piece).own(Buffer::input).take(stream).store(Buffer::output);
  }
  b.contract({.collective = Collective::reduce, .ranks = {0, 1}, .root = 0, .count = pieces});
  return samples::lowered(std::move(b).finish(), samples::row_of(machine, 2), {});
}

TEST(EmitCsl, LooksLongListsUpInATableThatTheProgramCarries) {
  for (const std::string machine : {"wse2", "wse3"}) {
    const auto few = emitted(*scrambled(machine, 53));
    const auto many = emitted(*scrambled(machine, 107));
    EXPECT_NE(many.at("pe.csl").find("const rows = own_rows();"), std::string::npos);
    EXPECT_EQ(CslFile(many.at("pe.csl")).undeclared(), std::set<std::string>{});
    EXPECT_EQ(CslFile(many.at("layout.csl")).undeclared(), std::set<std::string>{});
    // A longer list is more rows, a line each, and no more instructions.
    EXPECT_EQ(CslFile(many.at("pe.csl")).count("@fadds"), CslFile(few.at("pe.csl")).count("@fadds"));
    EXPECT_LT(many.at("pe.csl").size(), few.at("pe.csl").size() + 107 * 2 * 24);
  }
}

TEST(EmitCsl, RefusesListsThatTheMemoryDoesNotHold) {
  auto program = scrambled("wse2", 53);
  std::get<Mesh>(program->machine.network).memory = Bytes(500);
  EXPECT_EQ(reason_of(*program),
            "csl: a PE's 27 operations take 504 B beside buffers of 424 B, of its 500 B; use fewer PEs");
}

RC_GTEST_PROP(EmitCsl, WritesEveryPreOrderTree, ()) {
  const auto places = *rc::gen::inRange(2, 20);
  std::vector<std::int32_t> path{0};
  std::vector<std::int32_t> parents{-1};
  for (std::int32_t x = 1; x < places; ++x) {
    path.resize(static_cast<std::size_t>(*rc::gen::inRange<int>(1, static_cast<int>(path.size()) + 1)));
    parents.push_back(path.back());
    path.push_back(x);
  }
  const auto schedule =
      samples::reduce(places, 4, [&](std::int32_t x) { return parents[static_cast<std::size_t>(x)]; });
  const auto program = lower(schedule, samples::row_of("wse3", places), {});
  RC_PRE(program.ok());
  const auto files = emitted(*program.value());
  RC_ASSERT(CslFile(files.at("layout.csl")).undeclared().empty());
  RC_ASSERT(read_back(files, program.value()->colors.size()).size() == static_cast<std::size_t>(places));
}

}  // namespace
}  // namespace muster::wafer
