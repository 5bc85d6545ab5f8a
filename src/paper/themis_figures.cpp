// Each panel is a sweep per scheduler, put together size by size; figure 9 is drawn from timelines.
#include "paper/themis_figures.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/index.h"
#include "study/activity.h"
#include "study/sweep.h"

namespace muster {
namespace {

constexpr std::int64_t kWordsPerMegabyte = 250'000;
constexpr double kMillisecondsPerSecond = 1e3;
constexpr std::int64_t kChunks = 64;

/// A scheduler with its parameters, and the name of its curve.
struct Scheduler {
  std::string name;
  std::string algorithm;
  Parameters parameters;
};

std::vector<Scheduler> schedulers() {
  return {{"baseline", "hierarchical", {}},
          {"Themis+FIFO", "themis", {{"order", 0}}},
          {"Themis+SCF", "themis", {{"order", 1}}},
          {"balanced (ours)", "balanced", {}}};
}

std::vector<std::string> curve_names() {
  std::vector<std::string> names;
  for (const Scheduler& scheduler : schedulers()) names.push_back(scheduler.name);
  return names;
}

/// A system of Table 2: its file and its name there.
struct System {
  const char* file;
  const char* name;
};
constexpr System kSystems[] = {{"themis-2d-sw-sw", "2D-SW_SW"},
                               {"themis-3d-sw-sw-sw-homo", "3D-SW_SW_SW_homo"},
                               {"themis-3d-sw-sw-sw-hetero", "3D-SW_SW_SW_hetero"},
                               {"themis-3d-fc-ring-sw", "3D-FC_Ring_SW"},
                               {"themis-4d-ring-sw-sw-sw", "4D-Ring_SW_SW_SW"},
                               {"themis-4d-ring-fc-ring-sw", "4D-Ring_FC_Ring_SW"}};

/// One point on the axis of a panel.
struct Point {
  std::int64_t megabytes = 100;
  std::int64_t chunks = kChunks;
};

struct PanelPlan {
  System system;
  std::vector<Point> points;
};

/// The sizes of the paper, as far as it names them.
std::vector<Point> growing_sizes() {
  std::vector<Point> points;
  for (const std::int64_t megabytes : {100, 250, 500, 750, 1000}) points.push_back({.megabytes = megabytes});
  return points;
}

std::vector<Point> growing_chunks() {
  std::vector<Point> points;
  for (std::int64_t chunks = 4; chunks <= 512; chunks *= 2) points.push_back({.chunks = chunks});
  return points;
}

SweepRequest sweep_of(const PanelPlan& plan, const Machine& machine, const Scheduler& scheduler) {
  SweepRequest request{.jobs = {}, .algorithms = {scheduler.algorithm}, .simulate = true};
  for (const Point& point : plan.points) {
    request.jobs.push_back(
        {.machine = machine, .collective = Collective::allreduce, .count = point.megabytes * kWordsPerMegabyte});
    request.given.push_back(scheduler.parameters);
    request.given.back()["chunks"] = point.chunks;
  }
  return request;
}

/// The answers of all schedulers, size by size; each size's candidates are in the order of schedulers().
SweepAnswer swept(const PanelPlan& plan, const Machine& machine, const std::function<void(double)>& progress) {
  SweepAnswer all;
  const std::vector<Scheduler> list = schedulers();
  for (std::size_t i = 0; i < list.size(); ++i) {
    SweepRequest request = sweep_of(plan, machine, list[i]);
    request.progress = [&](double part) {
      progress((static_cast<double>(i) + part) / static_cast<double>(list.size()));
    };
    SweepAnswer sweep_answer = sweep(request);
    if (i == 0) {
      all = std::move(sweep_answer);
      continue;
    }
    all.failed = all.failed || sweep_answer.failed;
    for (std::size_t s = 0; s < all.sizes.size(); ++s) {
      MUSTER_ASSERT(sweep_answer.sizes[s].candidates.size() == 1, "{} was not swept", list[i].name);
      all.sizes[s].candidates.push_back(std::move(sweep_answer.sizes[s].candidates.front()));
    }
  }
  for (SweepSize& size : all.sizes) {
    const CandidateAnswer* best = &size.candidates.front();
    for (const CandidateAnswer& candidate : size.candidates) {  // the last of equals, which is ours
      if (candidate.simulated_seconds <= best->simulated_seconds) best = &candidate;
    }
    size.best = best->algorithm;
  }
  return all;
}

using Value = std::function<double(const CandidateAnswer&)>;
using PointValue = std::function<double(const Point&)>;

std::vector<Curve> curves_of(const PanelPlan& plan, const SweepAnswer& answer, const PointValue& x, const Value& y) {
  std::vector<Curve> curves;
  const std::vector<Scheduler> list = schedulers();
  for (std::size_t i = 0; i < list.size(); ++i) {
    Curve curve{.name = list[i].name, .basis = Curve::Basis::simulated, .points = {}};
    for (std::size_t s = 0; s < plan.points.size(); ++s) {
      curve.points.emplace_back(x(plan.points[s]), y(answer.sizes[s].candidates[i]));
    }
    curves.push_back(std::move(curve));
  }
  return curves;
}

Curve bound_curve(const PanelPlan& plan, const SweepAnswer& answer) {
  Curve bound{.name = "", .basis = Curve::Basis::bound, .points = {}};
  for (std::size_t s = 0; s < plan.points.size(); ++s) {
    bound.points.emplace_back(static_cast<double>(plan.points[s].megabytes),
                              kMillisecondsPerSecond * answer.sizes[s].bound->seconds.value());
  }
  return bound;
}

double megabytes_of(const Point& point) { return static_cast<double>(point.megabytes); }
double chunks_of(const Point& point) { return static_cast<double>(point.chunks); }
double percent_used(const CandidateAnswer& candidate) { return 100 * candidate.utilization.value(); }
double milliseconds(const CandidateAnswer& candidate) {
  return kMillisecondsPerSecond * candidate.simulated_seconds->value();
}

/// How many times as fast as the baseline a scheduler is, in the mean over the sizes.
double mean_speedup(const SweepAnswer& answer, std::size_t scheduler) {
  double sum = 0;
  for (const SweepSize& size : answer.sizes) {
    sum += *size.candidates.front().simulated_seconds / *size.candidates[scheduler].simulated_seconds;
  }
  return sum / static_cast<double>(answer.sizes.size());
}

const PlotAxis kMegabytes{.title = "size of the vector in MB"};
const PlotAxis kPieces{.title = "chunks", .scale = PlotAxis::Scale::binary};
const PlotAxis kPercent{.title = "bandwidth in use in %"};
const PlotAxis kTime{.title = "time in ms"};

Panel time_panel(const PanelPlan& plan, const SweepAnswer& answer) {
  Panel panel{.title = fmt::format("{}: {:.2f}x, ours {:.2f}x", plan.system.name, mean_speedup(answer, 2),
                                   mean_speedup(answer, 3)),
              .x = kMegabytes,
              .y = kTime,
              .curves = curves_of(plan, answer, megabytes_of, milliseconds),
              .map = std::nullopt};
  panel.curves.push_back(bound_curve(plan, answer));
  return panel;
}

Panel size_panel(const PanelPlan& plan, const SweepAnswer& answer) {
  return {.title = plan.system.name,
          .x = kMegabytes,
          .y = kPercent,
          .curves = curves_of(plan, answer, megabytes_of, percent_used),
          .map = std::nullopt};
}

Panel chunk_panel(const PanelPlan& plan, const SweepAnswer& answer) {
  return {.title = plan.system.name,
          .x = kPieces,
          .y = kPercent,
          .curves = curves_of(plan, answer, chunks_of, percent_used),
          .map = std::nullopt};
}

/// How a figure with a panel per system is made.
struct FigurePlan {
  int number = 0;
  const char* title;
  const char* note;
  std::vector<PanelPlan> panels;
  Panel (*panel)(const PanelPlan&, const SweepAnswer&);
};

FigurePlan plan_of(int number) {
  std::vector<PanelPlan> systems;
  for (const System& system : kSystems) systems.push_back({system, growing_sizes()});
  if (number == 8) {
    return {.number = 8,
            .title = "AllReduce on the six systems of Table 2: time",
            .note =
                "Simulated, 64 chunks. Titles give the mean speed-up of Themis+SCF and of our scheduler over the "
                "baseline. Lower bound: cut.",
            .panels = systems,
            .panel = time_panel};
  }
  if (number == 11) {
    return {.number = 11,
            .title = "AllReduce on the six systems of Table 2: bandwidth in use",
            .note = "Simulated, 64 chunks: bytes sent over what all dimensions could send in the same time.",
            .panels = systems,
            .panel = size_panel};
  }
  return {.number = 10,
          .title = "AllReduce of 100 MB: bandwidth in use over the number of chunks",
          .note = "Simulated: bytes sent over what all dimensions could send in the same time.",
          .panels = {{kSystems[2], growing_chunks()}, {kSystems[5], growing_chunks()}},
          .panel = chunk_panel};
}

Figure empty_figure(int number, const std::string& title, const std::string& note) {
  return {.name = fmt::format("themis-figure-{}", number),
          .title = fmt::format("Themis, Figure {}. {}", number, title),
          .note = note,
          .map_title = "",
          .names = curve_names(),
          .panels = {}};
}

FigureAnswer swept_figure(const FigurePlan& plan, const MachineByName& machine,
                          const std::function<void(double)>& progress) {
  FigureAnswer answer{.figure = empty_figure(plan.number, plan.title, plan.note), .sweeps = {}};
  const auto panels = static_cast<double>(plan.panels.size());
  for (const PanelPlan& panel : plan.panels) {
    const auto done = static_cast<double>(answer.sweeps.size());
    answer.sweeps.push_back(swept(panel, machine(panel.system.file), [&](double part) {
      if (progress) progress((done + part) / panels);
    }));
    answer.figure.panels.push_back(plan.panel(panel, answer.sweeps.back()));
  }
  return answer;
}

/// A panel per dimension: how busy it was in every 100 us.
FigureAnswer activity_figure(const MachineByName& machine, const std::function<void(double)>& progress) {
  constexpr std::int64_t kMegabytesSent = 1000;
  constexpr Seconds kWindow(100e-6);
  FigureAnswer answer{.figure = empty_figure(9, "AllReduce of 1 GB on 3D-SW_SW_SW_homo: activity of the dimensions",
                                             "Simulated, 64 chunks: the part of every 100 us in which a dimension "
                                             "sends. The paper counts a dimension as active, too, while a chunk waits "
                                             "in it."),
                      .sweeps = {}};
  Job job{.machine = machine(kSystems[1].file),
          .collective = Collective::allreduce,
          .count = kMegabytesSent * kWordsPerMegabyte};
  job.timeline = true;
  const std::vector<Scheduler> list = schedulers();
  std::vector<Panel>& panels = answer.figure.panels;
  for (std::size_t i = 0; i < list.size(); ++i) {
    Parameters parameters = list[i].parameters;
    parameters["chunks"] = kChunks;
    const Result result = simulate(job, choose_with_defaults(job, list[i].algorithm, parameters)).result;
    const std::vector<Curve> curves = activity_curves(*result.timeline, kWindow);
    for (std::size_t d = 0; d < curves.size(); ++d) {
      if (i == 0) panels.push_back({.title = curves[d].name, .x = kTime, .y = {.title = "activity in %"}});
      panels[d].curves.push_back(curves[d]);
      panels[d].curves.back().name = list[i].name;
    }
    if (progress) progress(static_cast<double>(i + 1) / static_cast<double>(list.size()));
  }
  return answer;
}

}  // namespace

std::vector<std::string> themis_systems() {
  std::vector<std::string> names;
  for (const System& system : kSystems) names.emplace_back(system.file);
  return names;
}

std::vector<int> themis_figures() { return {8, 9, 10, 11}; }

FigureAnswer make_themis_figure(int number, const MachineByName& machine, const std::function<void(double)>& progress) {
  if (number == 9) return activity_figure(machine, progress);
  return swept_figure(plan_of(number), machine, progress);
}

}  // namespace muster
