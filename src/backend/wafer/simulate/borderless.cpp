#include "backend/wafer/simulate/borderless.h"

#include <algorithm>

#include "backend/wafer/simulate/engine.h"
#include "backend/wafer/simulate/resized.h"
#include "base/index.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

/// One period of the longest repeat; a single line stands for itself. Empty: lines do not repeat.
std::vector<std::int32_t> one_period(const std::vector<std::int32_t>& lines) {
  if (lines.size() == 1) return {0};
  const std::vector<Repeat> repeats = repeats_of(lines, 2);
  const auto longest = std::max_element(repeats.begin(), repeats.end(),
                                        [](const Repeat& a, const Repeat& b) { return a.count < b.count; });
  std::vector<std::int32_t> period;
  if (longest == repeats.end()) return period;
  for (std::int32_t i = 0; i < longest->period; ++i) period.push_back(longest->first + i);
  return period;
}

}  // namespace

Result simulate_borderless(const WaferProgram& program, const SimulateOptions& options) {
  if (const std::string why = beyond_resizing(program); !why.empty()) return {.note = why};
  const Likeness lines = numbered_lines(program);
  const Likeness period{.columns = one_period(lines.columns), .rows = one_period(lines.rows)};
  if (period.columns.empty() || period.rows.empty()) {
    return {.note =
                fmt::format("the {} of {}x{} PEs do not repeat; use a larger grid",
                            period.columns.empty() ? "columns" : "rows", program.mesh().width, program.mesh().height)};
  }
  SimulateOptions times = options;
  times.times_only = true;
  const WaferProgram part = resized(program, period);
  EngineRun run = run_cycles(part, times, {.spread = {}, .skips_repetitions = may_skip(part, times), .wraps = true});
  run.result.outputs.clear();
  run.result.note = fmt::format("{}x{} PEs whose links lead around stand for a grid without borders", part.mesh().width,
                                part.mesh().height);
  if (const std::string skipped = note_of(run.skipped); !skipped.empty()) run.result.note += "; " + skipped;
  return std::move(run.result);
}

}  // namespace muster::wafer
