// Rings of switch positions, lists of commands, coefficients and repetitions: the time step of a wave against a triple loop.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "backend/wafer/lower/lower.h"
#include "backend/wafer/simulate/strip.h"
#include "backend/wafer/stream/trace.h"
#include "backend/wafer/test_problem.h"
#include "backend/wafer/test_stencil_reference.h"

namespace muster::wafer {
namespace {

using test::Stencil;

std::string problem_of(const Stencil& s, const WaferProgram& program, const Spread& spread = {}) {
  if (const auto reason = over_budget(program, 0)) return *reason;
  if (const auto found = check_program(program)) return found->kind + " at " + found->location + ": " + found->message;
  const Result result = simulate(program, {.calls = 2, .seed = 5, .give_up = Cycles(1 << 22)}, spread);
  if (result.fault) return test::fault_text(result);
  const std::string first = test::stencil_difference(s, result.outputs[0], 5);
  return first.empty() ? test::stencil_difference(s, result.outputs[1], 6) : first;
}

std::string text_of(const Stencil& s) {
  return fmt::format("{}x{}, radius {}, {} cells in blocks of {}, {} steps, {} areas{}", s.width, s.height, s.radius,
                     s.cells, s.block, s.steps, s.areas, s.fused ? ", fused" : "");
}

RC_GTEST_PROP(LocalizedBroadcast, BringsEveryProcessorTheBlocksOfThoseBehindIt, ()) {
  const auto width = *rc::gen::inRange(1, 20), radius = *rc::gen::inRange(1, 5);
  const auto words = *rc::gen::inRange<std::int64_t>(1, 20), blocks = *rc::gen::inRange<std::int64_t>(1, 4);
  const WaferProgram program = test::localized_program(width, radius, words, blocks);
  RC_ASSERT(!over_budget(program, 0));
  RC_ASSERT(!check_program(program));
  const Result result = simulate(program, {.calls = 2, .seed = 1});
  RC_ASSERT(test::fault_text(result).empty());
  for (int call = 0; call < 2; ++call) {
    for (std::int32_t place = 0; place < width; ++place) {
      for (std::int32_t distance = 0; distance <= std::min(radius, place); ++distance) {
        for (std::int64_t e = 0; e < blocks * words; ++e) {
          const std::int64_t stored = (e / words * (radius + 1) + distance) * words + e % words;
          RC_ASSERT(result.outputs[at(call)][at(place)][at(stored)] ==
                    Arithmetic{}.input(place - distance, e, static_cast<std::uint64_t>(1 + call)));
        }
      }
    }
  }
}

TEST(LocalizedBroadcast, TakesTwoCyclesPerWordAndTurn) {
  const auto cycles = [](std::int32_t width, std::int64_t words) {
    return simulate(test::localized_program(width, 4, words, 1), {}).call_cycles.at(0).value();
  };
  EXPECT_EQ(cycles(40, 400) - cycles(40, 300), 2 * 5 * 100)
      << "a root takes back the words that it sends, with one datapath";
  EXPECT_EQ(cycles(41, 100), cycles(81, 100)) << "no wave travels along the row";
}

TEST(Stencil, RunsAsThePapersTimeStepDoes) {
  const Stencil s{.width = 11, .height = 7, .radius = 4, .cells = 10, .block = 4, .steps = 3};
  EXPECT_EQ(problem_of(s, stencil_program(s)), "");
}

TEST(Stencil, TakesAsLongAsTheDatapathOfAnInnerProcessorWorks) {
  const auto cycles = [](int steps) {
    const Stencil s{.width = 9, .height = 9, .radius = 4, .cells = 100, .block = 10, .steps = steps};
    return static_cast<double>(simulate(stencil_program(s), {}).call_cycles.at(0).value());
  };
  // Per cell: 4 words sent, 4 x 5 taken, 17 summed, 8 of the column, 1 subtracted.
  const double per_cell = (cycles(4) - cycles(2)) / 2 / 100;
  EXPECT_GE(per_cell, 4 + 20 + 16 + 8 + 1);
  EXPECT_LE(per_cell, 50);
}

TEST(Stencil, RunsOnEverySmallRow) {
  for (std::int32_t radius = 1; radius <= 4; ++radius) {
    for (std::int32_t width = 1; width <= 12; ++width) {
      const Stencil s{.width = width, .radius = radius, .cells = 3, .block = 2, .steps = 2};
      EXPECT_EQ(problem_of(s, stencil_program(s)), "") << text_of(s);
    }
  }
}

Stencil any_stencil(std::int32_t most_side) {
  Stencil s;
  s.width = *rc::gen::inRange(1, most_side + 1);
  s.height = *rc::gen::inRange(1, most_side + 1);
  s.radius = *rc::gen::inRange(1, 5);
  s.cells = *rc::gen::inRange(1, 14);
  s.block = *rc::gen::inRange<std::int64_t>(1, s.cells + 1);
  s.steps = *rc::gen::inRange(1, 5);
  s.begins_exchanged = *rc::gen::arbitrary<bool>();
  s.areas = *rc::gen::inRange(1, 3);
  s.fused = *rc::gen::arbitrary<bool>();
  return s;
}

RC_GTEST_PROP(Stencil, EqualsTheTripleLoopToTheBit, ()) {
  const Stencil s = any_stencil(9);
  WaferProgram program = stencil_program(s);
  Mesh& mesh = test::mesh_of(program.machine);
  mesh.operation_start = Cycles(*rc::gen::element<std::int64_t>(0, 0, 1, 9));
  mesh.local_interval = Cycles(*rc::gen::element<std::int64_t>(1, 1, 2, 5));
  mesh.receive_interval = Cycles(*rc::gen::element<std::int64_t>(1, 1, 3));
  mesh.router_buffer = *rc::gen::inRange(1, 4);
  mesh.ramp_queue = *rc::gen::inRange(1, 4);
  mesh.arbitration = *rc::gen::element(Arbitration::lowest_color, Arbitration::highest_color, Arbitration::round_robin);
  const Spread spread{.strips = *rc::gen::inRange<std::size_t>(1, 4)};
  const std::string problem = problem_of(s, program, spread);
  if (!problem.empty()) RC_LOG() << text_of(s) << ": " << problem;
  RC_ASSERT(problem.empty());
}

}  // namespace
}  // namespace muster::wafer
