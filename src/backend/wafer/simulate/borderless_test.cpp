// As on a grid without borders: what inner processors of large grids do until borders could reach them.
#include "backend/wafer/simulate/borderless.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "backend/wafer/simulate/engine.h"
#include "backend/wafer/simulate/resized.h"
#include "backend/wafer/simulate/test_runs.h"
#include "backend/wafer/test_stencil.h"

namespace muster::wafer {
namespace {

using test::Stencil;

/// Empty if every processor that no border reaches in time ends when one of the borderless grid with the same class does.
std::string difference(Stencil s, const Mesh& parameters) {
  const auto made = [&] {
    WaferProgram program = stencil_program(s);
    Mesh& mesh = test::mesh_of(program.machine);
    const std::int32_t width = mesh.width, height = mesh.height;
    mesh = parameters;
    mesh.width = width;
    mesh.height = height;
    return program;
  };
  const bool is_row = s.height == 1;
  s.width = s.height = 4 * s.radius + 2;
  if (is_row) s.height = 1;
  const Result borderless = simulate_borderless(made(), {});
  if (borderless.engine.empty()) return borderless.note;
  std::int64_t last = 0;
  for (const NodeTimes& times : borderless.node_times[0]) last = std::max(last, times.finished.value());
  const auto distance = static_cast<std::int32_t>(last) + 1;  // no hop takes less than a cycle
  // Whose turn it is depends on how far both borders are away, modulo the period.
  const std::int32_t period = s.radius + 1, more = (2 * distance + period - 1) / period * period;
  s.width += more;
  if (!is_row) s.height += more;
  const WaferProgram program = made();
  const Result whole = run_cycles(program, {.times_only = true}, {}).result;
  std::vector<std::int64_t> ends;
  for (const NodeTimes& times : borderless.node_times[0]) ends.push_back(times.finished.value());
  const Likeness lines = numbered_lines(program);
  for (std::int32_t y = is_row ? 0 : distance; y < (is_row ? 1 : s.height - distance); ++y) {
    for (std::int32_t x = distance; x < s.width - distance; ++x) {
      const auto end = whole.node_times[0][at(y * s.width + x)].finished.value();
      if (std::find(ends.begin(), ends.end(), end) == ends.end())
        return fmt::format("PE ({},{}) ends in {}", x, y, end);
    }
  }
  return "";
}

RC_GTEST_PROP(Borderless, IsWhatProcessorsDoThatNoBorderReaches, ()) {
  Stencil s{.width = 2, .height = *rc::gen::weightedElement<int>({{15, 1}, {1, 2}})};
  s.radius = s.height == 1 ? *rc::gen::inRange(1, 5) : 1;
  s.cells = *rc::gen::inRange(1, s.height == 1 ? 4 : 2);
  s.block = *rc::gen::inRange<std::int64_t>(1, s.cells + 1);
  s.steps = s.height == 1 ? *rc::gen::inRange(1, 3) : 1;
  Machine machine = test::wafer(1, 1);
  Mesh& mesh = test::mesh_of(machine);
  test::draw_parameters(mesh);
  if (s.height > 1) mesh.operation_start = mesh.receive_gap = Cycles(0);
  const std::string found = difference(s, mesh);
  if (!found.empty()) RC_LOG() << s.radius << ", " << s.cells << " cells, row " << (s.height == 1) << ": " << found;
  RC_ASSERT(found.empty());
}

TEST(Borderless, LeavesOutRepetitions) {
  const Stencil s{.width = 20, .height = 20, .radius = 1, .cells = 6, .block = 6, .steps = 100'000};
  const Result borderless = simulate_borderless(stencil_program(s), {});
  EXPECT_EQ(borderless.node_times.at(0).size(), 4U);
  EXPECT_FALSE(borderless.fault);
  EXPECT_NE(borderless.note.find("were left out"), std::string::npos) << borderless.note;
}

TEST(Borderless, NeedsLinesThatRepeat) {
  const Stencil s{.width = 7, .height = 7, .radius = 4, .cells = 2, .block = 2};
  const Result borderless = simulate_borderless(stencil_program(s), {});
  EXPECT_EQ(borderless.engine, "");
  EXPECT_EQ(borderless.note, "the columns of 7x7 PEs do not repeat; use a larger grid");
}

}  // namespace
}  // namespace muster::wafer
