#include "backend/wafer/simulate/alike.h"

#include <algorithm>
#include <numeric>

#include "backend/wafer/simulate/make_result.h"
#include "base/counted.h"
#include "base/index.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

/// A repeat of the whole grid, and where it begins in the small one.
struct Cut {
  Repeat whole;
  std::int32_t kept = 0;   ///< lines of it that the small grid has
  std::int32_t first = 0;  ///< the first of them there
  [[nodiscard]] std::int32_t removed() const { return whole.count - kept; }
};

/// Columns or rows.
struct Axis {
  std::vector<Cut> cuts;             ///< by position
  std::vector<std::int32_t> kept;    ///< of the small grid: the line of the whole one
  std::vector<std::int32_t> mapped;  ///< of the whole grid: the line of the small one
};

/// Lines that are kept of a repeat: those that are compared, the margin, and what is no whole period.
std::int32_t kept_of(const Repeat& repeat, std::int32_t margin) {
  const std::int32_t p = repeat.period, least = 2 * p + 2 + margin * p;
  return least >= repeat.count ? repeat.count : least + (repeat.count - least) % p;
}

Axis cut_axis(std::int32_t lines, const std::vector<Repeat>& repeats, std::int32_t margin) {
  Axis axis;
  std::int32_t next = 0;
  const auto keep = [&](std::int32_t end) {
    for (; next < end; ++next) axis.kept.push_back(next);
  };
  for (const Repeat& repeat : repeats) {
    keep(repeat.first);
    axis.cuts.push_back(
        {.whole = repeat, .kept = kept_of(repeat, margin), .first = static_cast<std::int32_t>(axis.kept.size())});
    keep(repeat.first + axis.cuts.back().kept);
    next = repeat.first + repeat.count;
  }
  keep(lines);
  return axis;
}

/// Maps the whole axis. `alike(i, j)`: whether two lines of the small grid have the same histories. False if some cut has no place.
template <class Alike>
bool map_axis(Axis& axis, std::int32_t lines, Alike alike) {
  axis.mapped.clear();
  std::int32_t next = 0;  // of the small grid
  const auto map_until = [&](std::int32_t end) {
    while (next < end) axis.mapped.push_back(next++);
  };
  for (const Cut& cut : axis.cuts) {
    if (cut.removed() == 0) continue;
    const std::int32_t p = cut.whole.period, end = cut.first + cut.kept;
    std::int32_t run = 0;  // of lines, one after another, each like the one p further on
    std::int32_t c = -1;
    for (std::int32_t i = cut.first; i + p < end && c < 0; ++i) {
      run = alike(i, i + p) ? run + 1 : 0;
      if (run == p + 2) c = i - p;
    }
    if (c < 0) return false;
    map_until(c + p);
    for (std::int32_t more = 0; more < cut.removed(); ++more) axis.mapped.push_back(c + more % p);
  }
  map_until(static_cast<std::int32_t>(axis.kept.size()));
  return std::ssize(axis.mapped) == lines;
}

/// Compares lines of the small grid. A line and the next have `stride` between them, a processor and the next of its line `step`.
struct Lines {
  const std::vector<std::uint64_t>& histories;
  std::size_t stride, step, length;
  [[nodiscard]] bool operator()(std::int32_t i, std::int32_t j) const {
    for (std::size_t k = 0; k < length; ++k) {
      if (histories[at(i) * stride + k * step] != histories[at(j) * stride + k * step]) return false;
    }
    return true;
  }
};

class SmallGrid {
 public:
  SmallGrid(const WaferProgram& program, const SimulateOptions& options, const AlikeOptions& alike)
      : program_(program), options_(options), alike_(alike) {}

  std::optional<Result> simulate() {
    const Likeness lines = numbered_lines(program_);
    const auto column_repeats = repeats_of(lines.columns, 2), row_repeats = repeats_of(lines.rows, 2);
    std::int32_t column_margin = alike_.first_margin, row_margin = alike_.first_margin;
    while (true) {
      columns_ = cut_axis(width(), column_repeats, column_margin);
      rows_ = cut_axis(height(), row_repeats, row_margin);
      const auto small = static_cast<std::int64_t>(columns_.kept.size() * rows_.kept.size());
      if (small * alike_.least_gain >= std::ssize(program_.class_of)) return {};
      const WaferProgram cut_out = resized(program_, {columns_.kept, rows_.kept});
      bool has_columns = false, has_rows = false;
      EngineOptions engine = alike_.engine;
      engine.keeps_histories = true;
      engine.goes_on = [&](const std::vector<std::uint64_t>& histories) {
        const std::size_t w = columns_.kept.size(), h = rows_.kept.size();
        has_columns = map_axis(columns_, width(), Lines{.histories = histories, .stride = 1, .step = w, .length = h});
        has_rows = map_axis(rows_, height(), Lines{.histories = histories, .stride = w, .step = 1, .length = w});
        return has_columns && has_rows;
      };
      run_ = run_cycles(cut_out, options_, engine);
      if (!run_.histories.empty() && engine.goes_on(run_.histories)) return whole();
      if (!has_columns) column_margin *= 2;
      if (!has_rows) row_margin *= 2;
    }
  }

 private:
  [[nodiscard]] std::int32_t width() const { return program_.mesh().width; }
  [[nodiscard]] std::int32_t height() const { return program_.mesh().height; }

  /// Everything that was measured at the processor of the small grid, for each of the whole one.
  template <class Value>
  [[nodiscard]] std::vector<Value> spread(const std::vector<Value>& small) const {
    std::vector<Value> all;
    all.reserve(program_.class_of.size());
    for (const std::int32_t y : rows_.mapped) {
      for (const std::int32_t x : columns_.mapped) all.push_back(small[at(y) * columns_.kept.size() + at(x)]);
    }
    return all;
  }

  Result whole() {
    const std::vector<Traffic> traffic = spread(run_.traffic);
    Result result = make_result(Measured{
        .program = program_, .traffic = traffic, .hops = data_hops(traffic), .call_ends = run_.result.call_cycles});
    result.engine = "cycle";
    result.fault = std::move(run_.result.fault);
    if (result.fault) result.cycles.reset();
    for (const auto& call : run_.result.node_times) result.node_times.push_back(spread(call));
    result.note = fmt::format(
        "{}x{} PEs were simulated; in them, columns and rows that repeat have the same histories, so they stand for "
        "all",
        columns_.kept.size(), rows_.kept.size());
    if (const std::string skipped = note_of(run_.skipped); !skipped.empty()) result.note += "; " + skipped;
    return result;
  }

  const WaferProgram& program_;
  const SimulateOptions& options_;
  const AlikeOptions& alike_;
  Axis columns_, rows_;
  EngineRun run_;
};

}  // namespace

std::optional<Result> simulate_alike(const WaferProgram& program, const SimulateOptions& options,
                                     const AlikeOptions& alike) {
  const bool is_worth_it = std::ssize(program.class_of) >= alike.least_processors;
  if (!is_worth_it || !options.times_only || options.timeline || !beyond_resizing(program).empty()) return {};
  return SmallGrid(program, options, alike).simulate();
}

}  // namespace muster::wafer
