// The simulator knows what its end hung on, and by what that time was spent: here it is only put into words.
#include <algorithm>
#include <vector>

#include "base/time_unit.h"
#include "machine/machine.h"
#include "plan/job.h"
#include "study/explainer.h"

namespace muster {
namespace {

constexpr std::size_t kMostLines = 20;

std::string key_of(const std::string& part) { return fmt::format("path_{}_seconds", part); }

/// Of more than `most` lines, those in the middle become one that says how many they are.
std::vector<PathLine> shortened(const std::vector<PathLine>& lines, std::size_t most) {
  if (lines.size() <= most) return lines;
  const std::size_t head = most / 2, tail = most - head - 1;
  const std::size_t hidden = lines.size() - head - tail;
  std::vector<PathLine> kept(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(head));
  kept.push_back({.begin = lines[head].begin,
                  .end = lines[head + hidden - 1].end,
                  .what = fmt::format("... {} similar lines", hidden)});
  kept.insert(kept.end(), lines.end() - static_cast<std::ptrdiff_t>(tail), lines.end());
  return kept;
}

ExplainedPlan explained(const Job& job, const Entry& entry) {
  ExplainedPlan plan{.candidate = candidate_answer(job, entry)};
  const Result& result = *entry.run.result;
  const Timeline& timeline = *result.timeline;
  plan.path = shortened(timeline.path, kMostLines);
  plan.path_in_picoseconds = timeline.in_picoseconds;
  for (const PathPart& part : timeline.path_parts) {
    plan.figures.push_back({key_of(part.name), "  " + part.name, seconds_of(job.machine, part.time), part.meaning, 1});
  }
  for (const Resource& resource : result.resources) {
    plan.resources.push_back(
        {.name = resource.name, .bytes = resource.bytes, .busy = resource.busy, .busiest = resource.busiest});
    if (resource.busy > plan.resources[plan.critical].busy) plan.critical = plan.resources.size() - 1;
  }
  return plan;
}

/// A part of a plan's time.
struct Spent {
  std::string name;
  Seconds time;
};

std::vector<Spent> spent_by(const ExplainedPlan& plan) {
  std::vector<Spent> all;
  for (const ExplainedFigure& figure : plan.figures) {
    if (!figure.value || !std::holds_alternative<Seconds>(*figure.value)) continue;
    all.push_back({figure.term.substr(figure.term.find_first_not_of(' ')), std::get<Seconds>(*figure.value)});
  }
  return all;
}

Seconds spent_on(const std::vector<Spent>& all, const std::string& name) {
  for (const Spent& spent : all) {
    if (spent.name == name) return spent.time;
  }
  return Seconds(0);
}

std::string bottleneck_text(const ExplainedPlan& plan) {
  const std::vector<Spent> all = spent_by(plan);
  const auto most =
      std::max_element(all.begin(), all.end(), [](const Spent& a, const Spent& b) { return a.time < b.time; });
  const Seconds total = *plan.candidate.simulated_seconds;
  if (most == all.end() || total.value() <= 0) return "";
  return fmt::format("{} is the bottleneck: {:.1f}% of the critical path of {}", most->name, 100 * (most->time / total),
                     plan.candidate.algorithm);
}

/// The part by which most is lost.
std::string loss_text(const ExplainedPlan& better, const ExplainedPlan& worse) {
  const Seconds loss = *worse.candidate.simulated_seconds - *better.candidate.simulated_seconds;
  if (loss.value() <= 0) return "";
  std::string text = fmt::format("{} takes {} longer", worse.candidate.algorithm, time_text(loss));
  const std::vector<Spent> less = spent_by(better);
  Spent most;
  for (const Spent& spent : spent_by(worse)) {
    const Seconds more = spent.time - spent_on(less, spent.name);
    if (more > most.time) most = {spent.name, more};
  }
  if (most.name.empty()) return text;
  return text + fmt::format("; most of it is lost on {} ({})", most.name, time_text(most.time));
}

}  // namespace

Explainer explain_path() { return {.plan = explained, .bottleneck = bottleneck_text, .loss = loss_text}; }

}  // namespace muster
