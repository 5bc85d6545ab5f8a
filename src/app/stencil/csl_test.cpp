// CSL of time steps: written, read back and equal to what is simulated, on both machines.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/stencil/time_step.h"
#include "backend/capabilities.h"
#include "base/error.h"
#include "base/file.h"
#include "base/source_dir.h"
#include "plan/plan_test_support.h"
#include "plan/stages.h"

namespace muster::stencil {
namespace {

using Texts = std::map<std::string, std::string>;

std::vector<float> some_weights(std::int64_t radius, float first) {
  std::vector<float> weights;
  for (std::int64_t m = 0; m < radius; ++m) weights.push_back(first / static_cast<float>((m + 1) * (m + 2)));
  return weights;
}

TimeStep step_of(NodeId columns, NodeId rows, int radius, std::int64_t cells, std::int64_t block) {
  TimeStep step{.columns = columns, .rows = rows, .cells = cells, .block = block};
  step.weights = {.centre = -1.75F,
                  .x = some_weights(radius, 0.8F),
                  .y = some_weights(radius, 0.7F),
                  .z = some_weights(radius, -0.3F)};
  return step;
}

std::unique_ptr<Program> lowered(const std::string& machine, const TimeStep& step, std::int64_t steps) {
  Job job{.machine = with_grid(shipped_machine(machine), step.columns, step.rows), .collective = Collective::stencil};
  job.engine = Engine::cycle;
  auto program = lower_for(job, make_time_steps(step, steps));
  if (!program) throw std::runtime_error(program.reason());
  return std::move(program).value();
}

Texts emitted(const Program& program) {
  const EmitOptions options{.target = "csl", .command = "muster emit --target csl"};
  auto files = emitter_for(program.facts().machine, "csl").emit(program, options);
  if (!files) throw std::runtime_error(files.reason());
  Texts texts;
  for (const EmittedFile& file : files.value()) texts[file.name] = file.text;
  return texts;
}

/// What is different in the program that the texts describe; or the reader's message.
std::string difference(const Program& program, const Texts& texts) {
  std::vector<EmittedFile> files;
  for (const auto& [name, text] : texts) files.push_back({.name = name, .text = text});
  const Machine machine = program.facts().machine;
  const Reader& reader = reader_for(machine, "csl");
  try {
    const FileContents contents = reader.read(files, &machine, {});
    return reader.difference(program, *contents.program).value_or("");
  } catch (const InputError& error) {
    return error.what();
  }
}

TimeStep random_step() {
  TimeStep step = step_of(*rc::gen::inRange(1, 8), *rc::gen::inRange(1, 4), 0, *rc::gen::inRange(1, 20), 1);
  step.block = *rc::gen::inRange<std::int64_t>(std::max<std::int64_t>(1, step.cells / 4), step.cells + 2);
  const int radius = *rc::gen::inRange(1, 5);
  step.weights.x = some_weights(radius, 0.8F);
  step.weights.y = some_weights(*rc::gen::element(0, radius), 0.7F);
  step.weights.z = some_weights(*rc::gen::inRange(0, 5), -0.3F);
  return step;
}

RC_GTEST_PROP(StencilCsl, IsReadBackAsTheProgramThatIsSimulated, ()) {
  const std::string machine = *rc::gen::element<std::string>("wse2", "wse3");
  const TimeStep step = random_step();
  const std::int64_t steps = *rc::gen::element<std::int64_t>(1, 2, 3, 6, 7, 100'000);
  RC_LOG() << machine << " " << step.columns << "x" << step.rows << "x" << step.cells << " blocks of " << step.block
           << ", radius " << step.weights.x.size() << " " << step.weights.y.size() << " " << step.weights.z.size()
           << ", " << steps << " steps\n";
  const auto program = lowered(machine, step, steps);
  const std::string difference_found = difference(*program, emitted(*program));
  RC_LOG() << difference_found;
  RC_ASSERT(difference_found.empty());
}

/// Compares with tests/golden/csl/NAME, or writes it when MUSTER_UPDATE_GOLDEN is set.
void compare_with_golden(const std::string& name, const Texts& files) {
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

TEST(StencilCsl, IsTheGoldenFiles) {
  compare_with_golden("wse2-stencil-7x2", emitted(*lowered("wse2", step_of(7, 2, 2, 6, 4), 3)));
  compare_with_golden("wse3-stencil-3x3", emitted(*lowered("wse3", step_of(3, 3, 1, 5, 5), 2)));
}

/// The texts with the first occurrence of a word replaced.
Texts changed(Texts texts, const std::string& file, const std::string& word, const std::string& other) {
  std::string& text = texts.at(file);
  const auto found = text.find(word);
  if (found == std::string::npos) throw std::runtime_error(file + " has no '" + word + "'");
  text.replace(found, word.size(), other);
  return texts;
}

TEST(StencilCsl, IsNotReadAsTheSameIfTheTextIsChanged) {
  const auto program = lowered("wse2", step_of(7, 1, 4, 9, 3), 3);
  const Texts texts = emitted(*program);
  ASSERT_EQ(difference(*program, texts), "");
  const auto found = [&](const std::string& file, const std::string& word, const std::string& other) {
    return difference(*program, changed(texts, file, word, other));
  };
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_PRED2(has, found("pe.csl", "  -1.75", "  -1.5"), "-1.5 ");
  EXPECT_PRED2(has, found("pe.csl", ", commands_a_a_n_n_a_word", ", commands_a_word"), "(ADV);");
  EXPECT_PRED2(has, found("pe.csl", "payload = [1]u32 { 0x0", "payload = [1]u32 { 0x4"),
               "is not a list of ADVANCE and NOP");
  EXPECT_PRED2(has, found("pe.csl", "      exchanged = 1 - exchanged;\n", ""), "3 repetitions, but 1 repetition");
  EXPECT_PRED2(has, found("layout.csl", "steps: u32 = 3", "steps: u32 = 5"), "3 repetitions, but 5 repetitions");
  EXPECT_PRED2(has, found("layout.csl", ".always_pop = true", ".no_pop = true"), "pop");
  EXPECT_PRED2(has, found("layout.csl", ".current_switch_pos = 1", ".current_switch_pos = 2"), "route");
  EXPECT_PRED2(has, found("pe.csl", "tokens[0] == 0) {\n    return false", "tokens[0] == 9) {\n    return false"), ":");
  EXPECT_PRED2(has, found("pe.csl", "@fsubs(to, left, right)", "@fadds(to, left, right)"), "+ output");
}

TEST(StencilCsl, IsReadBackWithLongColumns) {
  for (const std::string machine : {"wse2", "wse3"}) {
    const auto program = lowered(machine, step_of(2, 1, 4, 1000, 90), 1000);
    EXPECT_EQ(difference(*program, emitted(*program)), "");
  }
}

TEST(StencilCsl, DoesNotGrowWithTheGrid) {
  const auto bytes = [](NodeId columns, NodeId rows) {
    std::size_t sum = 0;
    for (const auto& [name, text] : emitted(*lowered("wse2", step_of(columns, rows, 4, 40, 20), 5))) sum += text.size();
    return sum;
  };
  const std::size_t small = bytes(20, 20);
  EXPECT_LT(bytes(40, 30), small + small / 50);
}

}  // namespace
}  // namespace muster::stencil
