// From the texts of flags to numbers that a stencil can have.
#include "app/stencil/description.h"

#include <cmath>
#include <limits>

#include "app/seismic/differences.h"
#include "app/seismic/wafer_arithmetic.h"
#include "base/counted.h"
#include "base/error.h"
#include "base/numbers.h"

namespace muster::stencil {
namespace {

/// Keeps products of sizes far from overflow; no machine holds as many.
constexpr std::int64_t kMostCells = 1'000'000'000;
constexpr std::int64_t kMostPes = 1'000'000;
/// Bytes of a PE's program, as the lowering of programs for wafers estimates them (assumed).
constexpr std::int64_t kCode = 4096;
constexpr std::int64_t kCodeOfColor = 32;
constexpr std::int64_t kCodeOfOperation = 24;
/// What a medium or a grid can be like, in SI units.
constexpr double kLeastValue = 1e-9;
constexpr double kMostValue = 1e9;

const std::vector<std::string>& known_settings() {
  static const std::vector<std::string> names{"velocity", "spacing", "cfl", "time_step", "block"};
  return names;
}

std::int64_t parse_size(const std::string& text, std::int64_t most) {
  return parse_number(text, {.flag = "--grid", .least = 1, .most = most, .example = "755x994x1000"});
}

int parse_order(const std::string& text) {
  const std::int64_t order = parse_number(
      text, {.flag = "--order", .least = kLeastOrder, .most = kMostOrder, .example = std::to_string(kMostOrder)});
  if (order % 2 != 0) reject("--order: {} is odd; use {} or {}", order, order - 1, order + 1);
  return static_cast<int>(order);
}

double parse_positive(const std::string& name, const std::string& text) {
  std::size_t end = 0;
  double value = 0;
  try {
    value = std::stod(text, &end);
  } catch (const std::exception&) {
    end = 0;
  }
  if (end == 0 || end != text.size() || !(value >= kLeastValue) || !(value <= kMostValue)) {
    reject("--set {}: '{}' is not a number from {:g} to {:g}", name, text, kLeastValue, kMostValue);
  }
  return value;
}

/// A spacing that is the same along the stencil's axes; an axis without weights has no part in sums of 1 / h^2.
seismic::PerAxis<double> spacings_of(const Description& description) {
  const double h = description.spacing;
  return {h, h, description.is_flat() ? std::numeric_limits<double>::infinity() : h};
}

void choose_time_step(const DescriptionTexts& texts, Description& description) {
  const double longest = largest_time_step(description);
  const auto cfl = texts.settings.find("cfl");
  const auto time_step = texts.settings.find("time_step");
  if (cfl != texts.settings.end() && time_step != texts.settings.end()) {
    reject("--set cfl: is given beside time_step; give one of them");
  }
  if (time_step != texts.settings.end()) {
    description.time_step = parse_positive("time_step", time_step->second);
    description.cfl = description.time_step / longest;
  } else {
    if (cfl != texts.settings.end()) description.cfl = parse_positive("cfl", cfl->second);
    description.time_step = description.cfl * longest;
  }
  if (description.cfl > 1) {
    reject("--set {}: {:.4g} s is {:.3g} times the largest stable time step, {:.4g} s; use less",
           time_step != texts.settings.end() ? "time_step" : "cfl", description.time_step, description.cfl, longest);
  }
}

}  // namespace

double largest_time_step(const Description& description) {
  return seismic::central_limit(seismic::central_weights(description.order), spacings_of(description)) /
         description.velocity;
}

GridText parse_grid(const std::string& text) {
  const std::size_t first = text.find('x');
  const std::size_t second = first == std::string::npos ? first : text.find('x', first + 1);
  if (second == std::string::npos || text.find('x', second + 1) != std::string::npos) {
    reject("--grid: '{}' is not WxHxD; a stencil has cells along x, y and z, e.g. 755x994x1000", text);
  }
  return {.of_pes = text.substr(0, second),
          .columns = parse_size(text.substr(0, first), kMostPes),
          .rows = parse_size(text.substr(first + 1, second - first - 1), kMostPes),
          .cells = parse_size(text.substr(second + 1), kMostCells)};
}

Description describe(const DescriptionTexts& texts) {
  const GridText grid = parse_grid(texts.grid);
  Description description{
      .columns = static_cast<NodeId>(grid.columns), .rows = static_cast<NodeId>(grid.rows), .cells = grid.cells};
  if (texts.order) description.order = parse_order(*texts.order);
  if (texts.steps) {
    description.steps =
        parse_number(*texts.steps, {.flag = "--steps", .least = 1, .most = kMostTimeSteps, .example = "100"});
  }
  for (const auto& [name, value] : texts.settings) {
    if (name == "velocity")
      description.velocity = parse_positive(name, value);
    else if (name == "spacing")
      description.spacing = parse_positive(name, value);
    else if (name == "block")
      description.block =
          parse_number(value, {.flag = "--set block", .least = 1, .most = description.cells, .example = "100"});
    else if (name != "cfl" && name != "time_step")
      reject("--set: a stencil has no parameter '{}'; {}", name, suggest(name, known_settings()));
  }
  choose_time_step(texts, description);
  return description;
}

Column column_of(const Description& description) {
  const std::int64_t radius = description.radius();
  const std::int64_t colors = radius > 1 ? 4 : 8;
  const std::int64_t received = 4 * (radius + (radius > 1 ? 1 : 0));
  const std::int64_t operations = received + 4 + 1 + (description.is_flat() ? 0 : 2 * radius) + 1;
  return {.cells = description.cells,
          .radius = description.radius(),
          .code = Bytes(kCode + kCodeOfColor * colors),
          .code_per_block = Bytes(kCodeOfOperation * operations)};
}

void check_memory(const Description& description, Bytes memory) {
  const Column column = column_of(description);
  const std::optional<std::int64_t> largest = largest_block(column, memory);
  if (!largest) {
    const std::optional<std::int64_t> most = largest_column(column, memory);
    if (!most) reject("--grid: the {} of a PE hold no cell of order {}", to_text(memory), description.order);
    reject("--grid: {} cells along z do not fit into the {} of a PE; use at most {}", grouped(description.cells),
           to_text(memory), grouped(*most));
  }
  if (!description.block) return;
  if (*description.block > *largest) {
    reject("--set block: {} cells do not fit beside the column into the {} of a PE; use at most {}",
           grouped(*description.block), to_text(memory), grouped(*largest));
  }
  if (const std::int64_t least = smallest_block(column, memory, *description.block); least > *description.block) {
    reject("--set block: the code of {} does not fit beside the column into the {} of a PE; use blocks of at least {}",
           counted((description.cells + *description.block - 1) / *description.block, "block"), to_text(memory),
           counted(least, "cell"));
  }
}

TimeStep time_step_of(const Description& description, std::int64_t block) {
  seismic::GridOptions options;
  options.spacing = spacings_of(description);
  options.order = description.order;
  options.time_step = description.time_step;
  const seismic::WaferCoefficients coefficients = seismic::wafer_coefficients(options, description.velocity);
  TimeStep step{.columns = description.columns, .rows = description.rows, .cells = description.cells, .block = block};
  step.weights = {.centre = coefficients.middle,
                  .x = coefficients.away.x,
                  .y = coefficients.away.y,
                  .z = description.is_flat() ? std::vector<float>() : coefficients.away.z};
  return step;
}

std::string grid_text(const Description& description) {
  return fmt::format("{}x{}x{}", description.columns, description.rows, description.cells);
}

}  // namespace muster::stencil
