// What every dimension of a cluster did is read off the timeline of a simulation, which has a track per dimension.
#include "study/cluster/explain_dimensions.h"

#include <algorithm>
#include <cmath>

#include "base/index.h"
#include "base/time_unit.h"
#include "machine/machine.h"
#include "result/time_base.h"

namespace muster {
namespace {

Seconds in_seconds(std::int64_t picoseconds) { return to_seconds(Ticks(picoseconds), kPicoseconds); }

/// The bytes are known from the result, the rest from the spans of one track.
ExplainedResource look_at(const Result& result, std::size_t dimension) {
  ExplainedResource resource{.name = result.resources[dimension].name, .bytes = result.resources[dimension].bytes};
  const std::int64_t end = result.cycles->value();
  std::int64_t first = end, last = 0, busy = 0;
  for (const TimelineSpan& span : result.timeline->spans) {
    if (at(span.track) != dimension) continue;
    first = std::min(first, span.begin.value());
    last = std::max(last, span.end.value());
    busy += (span.end - span.begin).value();
  }
  last = std::max(first, last);
  resource.busy = in_seconds(busy);
  resource.idle = {
      .before = in_seconds(first), .between = in_seconds(last - first - busy), .after = in_seconds(end - last)};
  return resource;
}

ExplainedPlan explained(const Job& job, const Entry& entry) {
  ExplainedPlan plan{.candidate = candidate_answer(job, entry)};
  const Result& result = *entry.run.result;
  for (std::size_t d = 0; d < result.resources.size(); ++d) {
    plan.resources.push_back(look_at(result, d));
    if (plan.resources[d].busy > plan.resources[plan.critical].busy) plan.critical = d;
  }
  return plan;
}

constexpr double kShown = 0.5e-12;  // less is shown as nothing

/// A plan's time is what its busiest dimension sends, and what that one is idle.
std::string loss_text(const ExplainedPlan& better, const ExplainedPlan& worse) {
  if (worse.candidate.simulated_seconds == better.candidate.simulated_seconds) return "";
  const auto idle = [](const ExplainedResource& resource) {
    return resource.idle->before + resource.idle->between + resource.idle->after;
  };
  const ExplainedResource& a = better.resources[better.critical];
  const ExplainedResource& b = worse.resources[worse.critical];
  const auto change = [](Seconds by) -> std::string {
    if (std::abs(by.value()) < kShown) return "as long";
    return by.value() < 0 ? time_text(Seconds(-by.value())) + " less" : time_text(by) + " longer";
  };
  const std::string sends = change(b.busy - a.busy);
  return fmt::format("{} takes {} longer: its busiest dimension, {}, sends {} {} {} does for {}, and is idle {}",
                     worse.candidate.algorithm,
                     time_text(*worse.candidate.simulated_seconds - *better.candidate.simulated_seconds), b.name, sends,
                     sends == "as long" ? "as" : "than", a.name, better.candidate.algorithm, change(idle(b) - idle(a)));
}

/// Where the busiest dimension is idle most of the time, it is not its bandwidth that decides.
std::string bottleneck_text(const ExplainedPlan& plan) {
  constexpr double kLittle = 0.5;
  const ExplainedResource& critical = plan.resources[plan.critical];
  const double part = critical.busy / plan.candidate.simulated_seconds.value();
  return fmt::format("{} is busiest: {:.1f}% of the time of {}{}", critical.name, 100 * part, plan.candidate.algorithm,
                     part < kLittle ? "; latency dominates" : "");
}

}  // namespace

Explainer explain_dimensions() {
  return {.resource = "dimension", .plan = explained, .bottleneck = bottleneck_text, .loss = loss_text};
}

}  // namespace muster
