// All simulations first, side by side; then a figure for each definition of the run time, with a panel for each assignment of the NoCs.
#include "paper/wormhole_figures.h"

#include <algorithm>

#include "base/parallel.h"
#include "paper/measure.h"

namespace muster {
namespace {

constexpr std::int64_t kElementsPerKibibyte = 512;  ///< of bf16
constexpr std::int64_t kTileKibibytes = 2;
constexpr std::int64_t kMostWindows = 32;
constexpr double kCyclesPerMicrosecond = 1e3;  ///< at 1 GHz
constexpr int kCalls = 3;  ///< the thesis takes the last of five, and says that times do not change after three

/// One of the five, and the name of its curve.
struct Version {
  const char* name;
  const char* algorithm;
  std::int64_t least;  ///< KiB: the thesis has no shorter vectors
  enum class Kind : std::uint8_t { halved, whole, in_memory } kind;
};
constexpr Version kVersions[] = {
    {"bandwidth-optimal recursive doubling", "recursive-doubling", 128, Version::Kind::halved},
    {"bandwidth-optimal Swing", "swing", 128, Version::Kind::halved},
    {"latency-optimal recursive doubling", "recursive-doubling-latency", 2, Version::Kind::whole},
    {"latency-optimal Swing", "swing-latency", 2, Version::Kind::whole},
    {"shared memory", "shared-memory", 128, Version::Kind::in_memory}};

struct Theory {
  const char* name;
  const Version* version;
};
constexpr Theory kTheories[] = {{"theory, bandwidth-optimal", &kVersions[1]},
                                {"theory, latency-optimal", &kVersions[3]}};

struct Assignment {
  const char* title;
  const char* value;
};
constexpr Assignment kAssignments[] = {{"(a) NoCs swapped", "swapped"}, {"(b) NoCs right", "direct"}};

struct Point {
  const Assignment* assignment;
  const Version* version;
  std::int64_t kibibytes = 0;
  RunTimes times = {};
};

/// How the time of the slowest core is counted.
struct Definition {
  const char* name;
  const char* title;
  Spread RunTimes::*spread;
};
constexpr Definition kDefinitions[] = {
    {"wormhole-figure-6-1", "Wormhole, Figure 6.1. AllReduce of 64 cores in five versions",
     &RunTimes::from_first_start},
    {"wormhole-figure-6-9", "Wormhole, Figure 6.9. The same from the start of each core itself",
     &RunTimes::from_own_start}};

/// As the thesis has it: a window per tile, but at most 32, and blocks by rank.
Parameters parameters_of(const Version& version, std::int64_t kibibytes) {
  if (version.kind == Version::Kind::in_memory) return {{"banks", 1}};
  Parameters parameters{{"chunks", std::clamp<std::int64_t>(kibibytes / kTileKibibytes, 1, kMostWindows)},
                        {"steps", *named_value("steps", "together")}};
  if (version.kind == Version::Kind::halved) parameters["blocks"] = *named_value("blocks", "by-rank");
  return parameters;
}

ClaimJob job_of(const Machine& machine, const Point& point) {
  Claim claim{.collective = Collective::allreduce, .type = ElementType::bf16};
  claim.calls = kCalls;
  claim.setting.options = {{"noc-assignment", point.assignment->value}};
  if (point.version->kind != Version::Kind::in_memory) claim.setting.options.emplace_back("sync", "handshake");
  return job_at(claim, {.machine = &machine,
                        .shape = ClaimShape{.width = 8, .height = 8},
                        .count = point.kibibytes * kElementsPerKibibyte});
}

double microseconds(std::int64_t cycles) { return static_cast<double>(cycles) / kCyclesPerMicrosecond; }

std::vector<Point> points_of(const std::vector<std::int64_t>& kibibytes) {
  std::vector<Point> points;
  for (const std::int64_t size : kibibytes) {
    for (const Version& version : kVersions) {
      for (const Assignment& assignment : kAssignments) {
        if (size >= version.least)
          points.push_back({.assignment = &assignment, .version = &version, .kibibytes = size});
      }
    }
  }
  return points;
}

void add(Curve& curve, const Point& point, std::int64_t cycles) {
  curve.points.emplace_back(static_cast<double>(point.kibibytes * 1024), microseconds(cycles));
}

Panel panel_of(const Machine& machine, const Definition& definition, const Assignment& assignment,
               const std::vector<Point>& points) {
  Panel panel{.title = assignment.title,
              .x = {.title = "vector length", .scale = PlotAxis::Scale::binary, .unit = PlotAxis::Unit::bytes},
              .y = {.title = "microseconds", .scale = PlotAxis::Scale::decimal, .unit = PlotAxis::Unit::number},
              .curves = {},
              .map = std::nullopt};
  for (const Version& version : kVersions) {
    Curve curve{.name = version.name, .basis = Curve::Basis::simulated, .points = {}};
    for (const Point& point : points) {
      if (point.assignment != &assignment || point.version != &version) continue;
      add(curve, point, (point.times.*definition.spread).most.value());
    }
    if (!curve.points.empty()) panel.curves.push_back(std::move(curve));
  }
  for (const Theory& theory : kTheories) {
    Curve curve{.name = theory.name, .basis = Curve::Basis::predicted, .points = {}};
    for (const Point& point : points) {
      if (point.assignment != &assignment || point.version != theory.version) continue;
      add(curve, point,
          time_of(job_of(machine, point), point.version->algorithm, parameters_of(*point.version, point.kibibytes),
                  Basis::formula));
    }
    if (!curve.points.empty()) panel.curves.push_back(std::move(curve));
  }
  return panel;
}

}  // namespace

std::vector<std::int64_t> wormhole_sizes() { return {2, 4, 8, 16, 32, 64, 128, 256, 512}; }

std::vector<FigureAnswer> make_wormhole_times(const Machine& machine, const std::vector<std::int64_t>& kibibytes,
                                              const std::function<void(double)>& progress) {
  std::vector<Point> points = points_of(kibibytes);
  const auto simulate_point = [&](std::size_t i) {
    points[i].times = run_times_of(job_of(machine, points[i]), points[i].version->algorithm,
                                   parameters_of(*points[i].version, points[i].kibibytes));
  };
  for_each_index(points.size(), simulate_point, {.progress = progress});
  std::vector<FigureAnswer> answers;
  for (const Definition& definition : kDefinitions) {
    Figure& figure = answers.emplace_back().figure;
    figure = {
        .name = definition.name,
        .title = definition.title,
        .note =
            "Simulated with handshakes and up to 32 windows per step; DRAM with one bank. The slowest core of the "
            "third of three calls. Theory: A.14 and A.15, 9 GB/s. Compute times are assumed.",
        .map_title = "",
        .names = {},
        .panels = {}};
    for (const Version& version : kVersions) figure.names.emplace_back(version.name);
    for (const Theory& theory : kTheories) figure.names.emplace_back(theory.name);
    for (const Assignment& assignment : kAssignments) {
      figure.panels.push_back(panel_of(machine, definition, assignment, points));
    }
  }
  return answers;
}

}  // namespace muster
