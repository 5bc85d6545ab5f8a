// Times by formula, by the paper's model and by the simulator; colors by the lowering.
#include "claim/measure.h"

#include <set>

#include "base/error.h"
#include "collective/model.h"
#include "machine/routing.h"
#include "plan/job.h"
#include "plan/model_terms.h"
#include "plan/stages.h"
#include "schedule/phase.h"

namespace muster {
namespace {

std::int64_t simulated(const Job& job, const Choice& choice) {
  const SimulationAnswer answer = simulate(job, choice);
  const bool good = answer.verified && answer.result_correct && !answer.result.fault && answer.result.cycles;
  if (!good) {
    reject("{} on {} with {} elements was not simulated correctly; 'muster simulate' shows why", choice.algorithm->name,
           shape_text(job.machine), job.count);
  }
  return answer.result.cycles->value();
}

std::int64_t modelled(const Job& job, const Choice& choice) {
  const Schedule flat = expand(make_schedule(job, *choice.algorithm, choice.parameters));
  return model_cycles(model_terms(job, flat), *job.machine.mesh()).value();
}

}  // namespace

Job job_at(const Claim& claim, const Machine& machine, const ClaimShape& shape, std::int64_t count) {
  Job job;
  job.machine = with_grid(machine, shape.width, shape.height);
  job.collective = claim.collective;
  job.count = count;
  return job;
}

std::int64_t time_of(const Job& job, const std::string& algorithm, const ParameterValues& parameters, Basis by) {
  const Choice choice = choose(job, algorithm, parameters);
  if (by == Basis::simulation) return simulated(job, choice);
  if (by == Basis::model) return modelled(job, choice);
  return paper_cycles(*choice.algorithm, request_of(job), choice.parameters).value();
}

Winner winner_of(const Job& job, const std::vector<std::string>& among, Basis by) {
  Winner best;
  for (const std::string& name : among) {
    const std::int64_t time = time_of(job, name, {}, by);
    if (best.algorithm.empty() || time < best.time) best = {name, time};
  }
  return best;
}

int colors_of(const Job& job, const std::string& algorithm) {
  const Choice choice = choose(job, algorithm, {});
  const Schedule flat = expand(make_schedule(job, *choice.algorithm, choice.parameters));
  const auto program = lower_for(job, *require_backend(job.machine), flat);
  if (!program) reject("{}: {}", algorithm, program.reason());
  std::set<int> colors;
  for (NodeId node = 0; node < node_count(job.machine); ++node) {
    for (const int color : program.value()->channels_sent(node)) colors.insert(color);
  }
  return static_cast<int>(colors.size());
}

std::string size_text(const ClaimShape& shape, std::int64_t count) {
  if (shape.height == 1) return fmt::format("P = {}, B = {}", shape.width, count);
  return fmt::format("{}x{}, B = {}", shape.width, shape.height, count);
}

Extreme extreme_over_sizes(const Claim& claim, const Machine& machine,
                           const std::function<Found(const Job&)>& at_size) {
  Extreme extreme;
  const bool one = claim.shapes.size() * claim.counts.size() == 1;
  for (const ClaimShape& shape : claim.shapes) {
    for (const std::int64_t count : claim.counts) {
      const Found found = at_size(job_at(claim, machine, shape, count));
      const bool beyond = claim.take == Take::largest ? found.value > extreme.value : found.value < extreme.value;
      if (!extreme.place.empty() && !beyond) continue;
      extreme = {found.value, one ? found.text : fmt::format("{}: {}", size_text(shape, count), found.text)};
    }
  }
  return extreme;
}

}  // namespace muster
