// The fit behind machines/wse2-calibrated.toml, to be run again by anybody: operation_start (S) and receive_gap (G) on what
// "Near-Optimal Wafer-Scale Reduce" says of Reduce on 512 PEs of a CS-2 (§8.5), and on nothing else:
//
//   1. auto-gen is up to 3.16 times as fast as chain;
//   2. on a scalar it is at most 110 cycles slower than star;
//   3. the model's mean relative error is 12% to 35% per pattern.
//
// misfit = ln(ratio / 3.16)^2 + mean over the five patterns of (points outside 12% .. 35% / 23)^2, and 2 must hold. The model is
// that of the ideal machine, as in the paper. T_R is not fitted: the paper (§8.7) finds 2, by the snake, and any other value
// significantly worse; around the best fit T_R, buffers and queues are varied to show what they would do.
// Every time is that of the simulator; star's, which has too many hops for long vectors, is its ideal time plus (P - 1) S + (P - 2) G,
// and that formula is compared with the simulator for short ones. Fails if it is wrong, or if the shipped file is not the best.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <vector>

#include "base/parallel.h"
#include "base/source_dir.h"
#include "base/text_table.h"
#include "machine/mesh.h"
#include "plan/plan.h"
#include "wafer_case.h"

namespace muster {
namespace {

constexpr std::int32_t kRow = 512;
constexpr double kRatio = 3.16;
constexpr std::int64_t kLag = 110;
constexpr double kLeastError = 12;
constexpr double kMostError = 35;
constexpr std::int64_t kLongestStar = 16;  ///< words; longer ones by the formula
const std::vector<std::int64_t> kCounts{1, 4, 16, 64, 256, 1024, 4096};
const std::vector<std::string> kPatterns{"star", "chain", "tree", "two-phase", "auto-gen"};

struct Point {
  std::int64_t start = 0;
  std::int64_t gap = 0;
  std::int64_t ramp = 2;
  std::int32_t buffer = 2;
  std::int32_t queue = 2;
};

struct Fit {
  Point point;
  double ratio = 0;
  std::int64_t ratio_at = 0;
  std::int64_t lag = 0;
  std::vector<double> errors;  ///< in percent, by kPatterns
  double misfit = 0;
};

Machine machine_at(const Machine& wafer, const Point& point) {
  Machine machine = wafer;
  auto& mesh = *as<Mesh>(machine);
  mesh.operation_start = Cycles(point.start);
  mesh.receive_gap = Cycles(point.gap);
  mesh.ramp_latency = Cycles(point.ramp);
  mesh.router_buffer = point.buffer;
  mesh.ramp_queue = point.queue;
  return machine;
}

Job job_on(const Machine& machine, std::int64_t count) {
  return {.machine = with_grid(machine, kRow, 1), .collective = Collective::reduce, .count = count};
}

std::int64_t predicted(const Machine& machine, const std::string& name, std::int64_t count) {
  const Job job = job_on(machine, count);
  const Choice choice = choose_with_defaults(job, name, {});
  return paper_cycles(*choice.algorithm, request_of(job), choice.parameters).value();
}

std::int64_t simulated(const Machine& machine, const std::string& name, std::int64_t count) {
  const Job job = job_on(machine, count);
  const SimulationAnswer answer = simulate(job, choose_with_defaults(job, name, {}));
  MUSTER_ASSERT(answer.result_correct && answer.result.cycles, "{} with {} words did not run", name, count);
  return answer.result.cycles->value();
}

std::int64_t star_time(const Machine& wafer, const Machine& machine, const Point& point, std::int64_t count) {
  const std::int64_t time = predicted(wafer, "star", count) + 2 * (point.ramp - as<Mesh>(wafer)->ramp_latency.value()) +
                            (kRow - 1) * point.start + (kRow - 2) * point.gap;
  if (count > kLongestStar || point.buffer < 2) return time;
  const std::int64_t real = simulated(machine, "star", count);
  MUSTER_ASSERT(real == time, "star with {} words takes {} cycles, not {}", count, real, time);
  return time;
}

/// How far a mean error is outside of what the paper reports, in widths of that range.
double outside(double error) {
  return std::max({0.0, kLeastError - error, error - kMostError}) / (kMostError - kLeastError);
}

Fit fit_at(const Machine& wafer, const Point& point) {
  const Machine machine = machine_at(wafer, point);
  Fit fit;
  fit.point = point;
  std::map<std::string, std::map<std::int64_t, std::int64_t>> times;
  for (const std::string& name : kPatterns) {
    double sum = 0;
    for (const std::int64_t count : kCounts) {
      const std::int64_t time =
          name == "star" ? star_time(wafer, machine, point, count) : simulated(machine, name, count);
      times[name][count] = time;
      sum += 100 * std::abs(static_cast<double>(predicted(wafer, name, count) - time)) / static_cast<double>(time);
    }
    fit.errors.push_back(sum / static_cast<double>(kCounts.size()));
  }
  for (const std::int64_t count : kCounts) {
    const double ratio = static_cast<double>(times["chain"][count]) / static_cast<double>(times["auto-gen"][count]);
    if (ratio > fit.ratio) fit.ratio_at = count;
    fit.ratio = std::max(fit.ratio, ratio);
  }
  fit.lag = times["auto-gen"][1] - times["star"][1];
  fit.misfit = std::pow(std::log(fit.ratio / kRatio), 2);
  for (const double error : fit.errors) {
    fit.misfit += std::pow(outside(error), 2) / static_cast<double>(kPatterns.size());
  }
  return fit;
}

std::vector<Fit> fits_at(const Machine& wafer, const std::vector<Point>& points) {
  std::vector<Fit> fits(points.size());
  for_each_index(points.size(), [&](std::size_t i) { fits[i] = fit_at(wafer, points[i]); });
  return fits;
}

std::vector<Point> grid(std::int64_t first_start, std::int64_t first_gap, std::int64_t step, int steps) {
  std::vector<Point> points;
  for (int i = 0; i < steps; ++i) {
    for (int j = 0; j < steps; ++j) {
      const Point point{.start = first_start + i * step, .gap = first_gap + j * step};
      if (point.start >= 0 && point.gap >= 0) points.push_back(point);
    }
  }
  return points;
}

void print_table(const char* title, const std::vector<Fit>& fits) {
  const auto right = TextTable::Align::right;
  std::vector<TextTable::Column> columns{{"S", right},      {"G", right},         {"T_R", right},
                                         {"buffer", right}, {"queue", right},     {"chain / auto-gen", right},
                                         {"at B", right},   {"lag, B = 1", right}};
  for (const std::string& name : kPatterns) columns.push_back({name + " %", right});
  columns.push_back({"misfit", right});
  TextTable table(columns);
  for (const Fit& fit : fits) {
    const Point& p = fit.point;
    std::vector<std::string> cells{std::to_string(p.start),      std::to_string(p.gap),
                                   std::to_string(p.ramp),       std::to_string(p.buffer),
                                   std::to_string(p.queue),      fmt::format("{:.2f}", fit.ratio),
                                   std::to_string(fit.ratio_at), std::to_string(fit.lag)};
    for (const double error : fit.errors) cells.push_back(fmt::format("{:.1f}", error));
    cells.push_back(fmt::format("{:.4f}", fit.misfit));
    table.add(cells);
  }
  fmt::print("{}\n\n{}\n", title, table.text());
}

const Fit& best_of(const std::vector<Fit>& fits) {
  return *std::min_element(fits.begin(), fits.end(), [](const Fit& a, const Fit& b) {
    return std::pair(a.lag > kLag, a.misfit) < std::pair(b.lag > kLag, b.misfit);
  });
}

int run() {
  const Machine wafer = shipped_wafer();
  const std::vector<Fit> coarse = fits_at(wafer, grid(0, 0, 30, 6));
  print_table("Reduce on 512 PEs: all of S and G in steps of 30 cycles", coarse);
  const Point near = best_of(coarse).point;
  const std::vector<Fit> fine = fits_at(wafer, grid(near.start - 20, near.gap - 20, 10, 5));
  print_table("around the best, in steps of 10", fine);
  const Fit& best = best_of(fine);

  std::vector<Point> others(6, best.point);
  others[1].ramp = 1;
  others[2].ramp = 3;
  others[3].buffer = 4;
  others[4].buffer = 8;
  others[5].queue = 8;
  print_table("the best fit, and what other parameters would do there", fits_at(wafer, others));

  const Machine shipped = load_machine(source_dir() + "/machines/wse2-calibrated.toml");
  const Mesh& mesh = *as<Mesh>(shipped);
  const bool same = mesh.operation_start == Cycles(best.point.start) && mesh.receive_gap == Cycles(best.point.gap) &&
                    mesh.ramp_latency == Cycles(best.point.ramp);
  fmt::print("best: S = {}, G = {}; machines/wse2-calibrated.toml {}\n", best.point.start, best.point.gap,
             same ? "has it" : "has ANOTHER one");
  return same ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace muster

int main() { return muster::run(); }
