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
  for (const Scheduler& one : schedulers()) names.push_back(one.name);
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

/// One place on the axis of a panel.
struct Place {
  std::int64_t megabytes = 100;
  std::int64_t chunks = kChunks;
};

struct PanelPlan {
  System system;
  std::vector<Place> places;
};

/// The sizes of the paper, as far as it names them.
std::vector<Place> growing_sizes() {
  std::vector<Place> places;
  for (const std::int64_t megabytes : {100, 250, 500, 750, 1000}) places.push_back({.megabytes = megabytes});
  return places;
}

std::vector<Place> growing_chunks() {
  std::vector<Place> places;
  for (std::int64_t chunks = 4; chunks <= 512; chunks *= 2) places.push_back({.chunks = chunks});
  return places;
}

SweepRequest sweep_of(const PanelPlan& plan, const Machine& machine, const Scheduler& scheduler) {
  SweepRequest request{.jobs = {}, .algorithms = {scheduler.algorithm}, .simulate = true};
  for (const Place& place : plan.places) {
    request.jobs.push_back(
        {.machine = machine, .collective = Collective::allreduce, .count = place.megabytes * kWordsPerMegabyte});
    request.given.push_back(scheduler.parameters);
    request.given.back()["chunks"] = place.chunks;
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
    SweepAnswer one = sweep(request);
    if (i == 0) {
      all = std::move(one);
      continue;
    }
    all.failed = all.failed || one.failed;
    for (std::size_t s = 0; s < all.sizes.size(); ++s) {
      MUSTER_ASSERT(one.sizes[s].candidates.size() == 1, "{} was not swept", list[i].name);
      all.sizes[s].candidates.push_back(std::move(one.sizes[s].candidates.front()));
    }
  }
  for (SweepSize& size : all.sizes) {
    const CandidateAnswer* best = &size.candidates.front();
    for (const CandidateAnswer& one : size.candidates) {  // of equals the last: ours
      if (one.simulated_seconds <= best->simulated_seconds) best = &one;
    }
    size.best = best->algorithm;
  }
  return all;
}

using Value = std::function<double(const CandidateAnswer&)>;
using PlaceValue = std::function<double(const Place&)>;

std::vector<Curve> curves_of(const PanelPlan& plan, const SweepAnswer& answer, const PlaceValue& x, const Value& y) {
  std::vector<Curve> curves;
  const std::vector<Scheduler> list = schedulers();
  for (std::size_t i = 0; i < list.size(); ++i) {
    Curve curve{.name = list[i].name, .basis = Curve::Basis::simulated, .points = {}};
    for (std::size_t s = 0; s < plan.places.size(); ++s) {
      curve.points.emplace_back(x(plan.places[s]), y(answer.sizes[s].candidates[i]));
    }
    curves.push_back(std::move(curve));
  }
  return curves;
}

Curve bound_curve(const PanelPlan& plan, const SweepAnswer& answer) {
  Curve bound{.name = "", .basis = Curve::Basis::bound, .points = {}};
  for (std::size_t s = 0; s < plan.places.size(); ++s) {
    bound.points.emplace_back(static_cast<double>(plan.places[s].megabytes),
                              kMillisecondsPerSecond * answer.sizes[s].bound->seconds.value());
  }
  return bound;
}

double megabytes_of(const Place& place) { return static_cast<double>(place.megabytes); }
double chunks_of(const Place& place) { return static_cast<double>(place.chunks); }
double percent_used(const CandidateAnswer& one) { return 100 * one.utilization.value(); }
double milliseconds(const CandidateAnswer& one) { return kMillisecondsPerSecond * one.simulated_seconds->value(); }

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
  for (const PanelPlan& one : plan.panels) {
    const auto done = static_cast<double>(answer.sweeps.size());
    answer.sweeps.push_back(swept(one, machine(one.system.file), [&](double part) {
      if (progress) progress((done + part) / panels);
    }));
    answer.figure.panels.push_back(plan.panel(one, answer.sweeps.back()));
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
