// A small grid stands for a large one: the same times and counts as if every processor were simulated.
#include "backend/wafer/simulate/alike.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "backend/wafer/simulate/test_runs.h"
#include "backend/wafer/test_stencil.h"

namespace muster::wafer {
namespace {

using test::Stencil;

AlikeOptions any_size() { return {.least_processors = 1, .least_gain = 1, .first_margin = 1}; }

/// Empty if both ways agree, or there is only one.
std::string difference(const WaferProgram& program, const AlikeOptions& alike, bool* was_small = nullptr) {
  const SimulateOptions options{.times_only = true};
  const auto small = simulate_alike(program, options, alike);
  if (was_small != nullptr) *was_small = small.has_value();
  if (!small) return "";
  return test::difference_of_results(*small, run_cycles(program, options, alike.engine).result);
}

/// No processor waits for another: the borders reach nowhere.
WaferProgram local_program(std::int32_t width, std::int32_t height, std::int32_t period) {
  WaferProgram program;
  program.machine = test::wafer(width, height);
  program.extent = {8, 8, 0};
  Contract contract{.collective = Collective::allreduce, .count = 8};
  for (std::int32_t number = 0; number < period; ++number) {
    Operation o{.times = number + 1, .elements = program.spans.add(Range{0, 8}), .operands = {kOwnOperand}};
    o.own = Buffer::input;
    o.store = Buffer::output;
    o.own_elements = o.store_elements = o.elements;
    program.classes.push_back({.routes = {}, .operations = {o}});
  }
  for (NodeId node = 0; node < width * height; ++node) {
    program.class_of.push_back((node % width + node / width) % period);
    contract.ranks.push_back(node);
  }
  program.contracts = {contract};
  return program;
}

TEST(Alike, GridsWithoutMessagesAreSimulatedOnAFewProcessors) {
  bool was_small = false;
  EXPECT_EQ(difference(local_program(200, 103, 3), {}, &was_small), "");
  EXPECT_TRUE(was_small);
}

TEST(Alike, ARowWhoseBordersReachAFewColumnsInIsCutBehindThem) {
  bool was_small = false;
  const Stencil s{.width = 303, .radius = 4, .cells = 40, .block = 40, .steps = 1};
  EXPECT_EQ(difference(stencil_program(s), {.least_processors = 100}, &was_small), "");
  EXPECT_TRUE(was_small);
}

TEST(Alike, AProcessorThatDiffersIsNeverLeftOut) {
  WaferProgram program = local_program(150, 60, 2);
  program.classes.push_back(program.classes[0]);
  program.classes.back().operations[0].times = 50;
  program.class_of[at(31 * 150 + 70)] = 2;
  bool was_small = false;
  EXPECT_EQ(difference(program, {}, &was_small), "");
  EXPECT_TRUE(was_small);
}

RC_GTEST_PROP(Alike, GivesTheTimesAndCountsOfTheWholeOrNothing, ()) {
  const bool is_row = *rc::gen::arbitrary<bool>();
  Stencil s{.width = *rc::gen::inRange(1, is_row ? 120 : 40), .height = is_row ? 1 : *rc::gen::inRange(1, 20)};
  s.radius = *rc::gen::inRange(1, 5);
  s.cells = *rc::gen::inRange(1, 8);
  s.block = *rc::gen::element(s.cells, 1 + s.cells / 2);
  s.steps = *rc::gen::inRange(1, 4);
  WaferProgram program = stencil_program(s);
  test::draw_parameters(test::mesh_of(program.machine));
  AlikeOptions alike = any_size();
  alike.engine.skips_repetitions = *rc::gen::arbitrary<bool>();
  bool was_small = false;
  const std::string found = difference(program, alike, &was_small);
  RC_CLASSIFY(was_small, "on a small grid");
  if (!found.empty()) RC_LOG() << s.width << "x" << s.height << ", radius " << s.radius << ": " << found;
  RC_ASSERT(found.empty());
}

}  // namespace
}  // namespace muster::wafer
