// Schedules of phases: every part that is used is verified once, whatever the number of its groups; then the parts'
// contracts are composed.
#include "machine/routing.h"
#include "schedule/verifier/exchange_shortcut.h"
#include "schedule/verifier/phase_stages.h"
#include "schedule/verifier/shortcut.h"

namespace muster::verifier {
namespace {

/// Parts in parts: far more than anybody writes, far less than a stack holds.
constexpr int kMostLevels = 32;

int levels_of(const Schedule& schedule, int most) {
  int levels = 1;
  if (most == 0) return levels;
  for (const Schedule& part : schedule.parts) levels = std::max(levels, 1 + levels_of(part, most - 1));
  return levels;
}

std::vector<bool> used_parts(const Schedule& schedule) {
  std::vector<bool> used(schedule.parts.size());
  for (const Phase& phase : schedule.phases) used[at(phase.part)] = true;
  return used;
}

/// A part may touch no more of the bound buffers than the vector of its contract.
Finding check_footprints(std::size_t part, const Footprints& footprints, std::int64_t count) {
  for (const Footprint& footprint : footprints) {
    for (const auto* set : {&footprint.reads_from, &footprint.stores_from, &footprint.reads_to, &footprint.stores_to}) {
      if (set->pieces().empty() || set->pieces().back().end <= count) continue;
      return found(Kind::malformed, {}, "part {} uses element {} of a buffer that a phase binds, but its vector has {}",
                   part, set->pieces().back().end - 1, count);
    }
  }
  return std::nullopt;
}

/// Components one by one; of those that are shifted copies of each other, the first.
Verdict verify_composition(const PhaseSubject& phases, const VerifyOptions& options) {
  const Components components = components_of(phases.subject.schedule, phases.facts);
  const auto is_first = [&](std::size_t i) { return components.same_as[i] == i; };
  for (std::size_t i = 0; i < components.all.size(); ++i) {
    if (!is_first(i)) continue;
    if (Finding wrong = check_phase_races(phases, components.all[i])) return {.counterexample = wrong};
  }
  Verdict total;
  std::optional<Shortcut> shortcut;
  if (components.is_split) shortcut.emplace(phases, options);
  ExchangeShortcut exchange(phases.subject.schedule);
  for (std::size_t i = 0; i < components.all.size(); ++i) {
    if (!is_first(i)) continue;
    if (shortcut && (shortcut->proves(components.all[i]) || exchange.proves(components.all[i]))) continue;
    Verdict verdict = compose(phases, components.all[i], options);
    if (!verdict.verified()) return verdict;
    total.error_probability += verdict.error_probability;
  }
  if (shortcut) total.error_probability += shortcut->error_probability();
  const bool has_untouched = std::any_of(components.untouched.begin(), components.untouched.end(),
                                         [](const std::vector<Range>& ranges) { return !ranges.empty(); });
  if (!has_untouched) return total;
  Verdict rest = compose(phases, {.phases = {}, .elements = components.untouched}, options);
  rest.error_probability += total.error_probability;
  return rest;
}

}  // namespace

Verdict verify_phases(const Subject& subject, const VerifyOptions& options) {
  const Schedule& schedule = subject.schedule;
  if (!subject.is_part && levels_of(schedule, kMostLevels) > kMostLevels) {
    return {.counterexample = found(Kind::malformed, {}, "parts are nested more than {} deep", kMostLevels - 1)};
  }
  if (Finding wrong = check_phase_form(subject)) return {.counterexample = wrong};
  if (Finding wrong = check_contracts(subject)) return {.counterexample = wrong};

  const auto is_time_step = [](const Contract& contract) { return contract.collective == Collective::stencil; };
  const bool is_stencil = std::any_of(schedule.contracts.begin(), schedule.contracts.end(), is_time_step);
  double error_probability = 0;
  PartFootprints footprints(schedule.parts.size());
  const std::vector<bool> used = used_parts(schedule);
  for (std::size_t i = 0; i < schedule.parts.size(); ++i) {
    if (!used[i]) continue;
    const Subject part{.schedule = schedule.parts[i], .machine = subject.machine, .is_part = true};
    Verdict verdict = part.schedule.is_flat() ? verify_flat(part, options) : verify_phases(part, options);
    if (!verdict.verified()) {
      verdict.counterexample->message = fmt::format("part {}: {}", i, verdict.counterexample->message);
      return verdict;
    }
    error_probability += verdict.error_probability;
    footprints[i] = footprints_of(part.schedule);
    if (Finding wrong = check_footprints(i, footprints[i], vector_end(part.schedule.contracts.front()))) {
      return {.counterexample = wrong};
    }
  }

  if (Finding wrong = subject.is_part ? std::nullopt : check_placement(subject)) return {.counterexample = wrong};
  if (is_stencil) return {.counterexample = check_time_steps(subject), .error_probability = error_probability};
  const std::vector<GroupSetFacts> facts = group_set_facts(schedule);
  Verdict verdict = verify_composition({subject, footprints, facts}, options);
  verdict.error_probability += error_probability;
  return verdict;
}

}  // namespace muster::verifier
