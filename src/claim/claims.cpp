// How each kind of claim is computed: predictions by the algorithms' formulas, times by the simulator.
#include "claim/claims.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "plan/plan.h"

namespace muster {
namespace {

/// What was computed: a number or names, and the text that a person reads.
struct Measured {
  double value = 0;
  std::vector<std::string> names;
  std::string text;
};

Job job_at(const Claim& claim, const Machine& machine, std::int64_t pes, std::int64_t count) {
  Job job;
  job.machine = with_grid(machine, static_cast<std::int32_t>(pes), 1);
  job.collective = claim.collective;
  job.count = count;
  return job;
}

std::int64_t predicted(const Job& job, const std::string& algorithm, const ParameterValues& parameters = {}) {
  const Choice choice = choose(job, algorithm, parameters);
  return choice.algorithm->cost(request_of(job), choice.parameters).value();
}

/// Simulated cycles; a refused schedule, a fault or a wrong result is no time.
std::int64_t simulated(const Job& job, const Claim& claim) {
  const SimulationAnswer answer = simulate(job, choose(job, claim.algorithm, claim.parameters));
  const bool good = answer.verified && answer.result_correct && !answer.result.fault && answer.result.cycles;
  if (!good) {
    reject("{} on {} with {} elements was not simulated correctly; 'muster simulate' shows why", claim.algorithm,
           shape_text(job.machine), job.count);
  }
  return answer.result.cycles->value();
}

/// The best by prediction; among equals the first listed.
std::string winner(const Job& job, const std::vector<std::string>& among) {
  const auto best = std::min_element(among.begin(), among.end(), [&](const std::string& a, const std::string& b) {
    return predicted(job, a) < predicted(job, b);
  });
  return *best;
}

std::string number_text(double value) {
  return value == std::floor(value) ? fmt::format("{:.0f}", value) : fmt::format("{:.2f}", value);
}

/// "2 cycles", "1 cycle", "1x"
std::string with_unit(double value, const std::string& unit) {
  const bool singular = value == 1 && !unit.empty() && unit.back() == 's';
  return number_text(value) + (singular ? unit.substr(0, unit.size() - 1) : unit);
}

Measured number(double value, const std::string& unit) { return {value, {}, with_unit(value, unit)}; }

Measured formula(const Claim& claim, const Machine& machine) {
  const Job job = job_at(claim, machine, claim.pes[0], claim.counts[0]);
  return number(static_cast<double>(predicted(job, claim.algorithm, claim.parameters)), " cycles");
}

Measured simulation(const Claim& claim, const Machine& machine) {
  return number(static_cast<double>(simulated(job_at(claim, machine, claim.pes[0], claim.counts[0]), claim)),
                " cycles");
}

/// Where model and simulation are farthest apart, by `distance(model, simulation)`.
Measured farthest(const Claim& claim, const Machine& machine,
                  const std::function<double(std::int64_t, std::int64_t)>& distance,
                  const std::function<std::string(double)>& text) {
  Measured worst{-1, {}, ""};
  for (const std::int64_t pes : claim.pes) {
    for (const std::int64_t count : claim.counts) {
      const Job job = job_at(claim, machine, pes, count);
      const std::int64_t model = predicted(job, claim.algorithm, claim.parameters);
      const std::int64_t time = simulated(job, claim);
      const double apart = distance(model, time);
      if (apart <= worst.value) continue;
      worst.value = apart;
      worst.text = fmt::format("{} (P = {}, B = {}: model {}, simulated {}, {:+})", text(apart), pes, count, model,
                               time, time - model);
    }
  }
  return worst;
}

Measured largest_difference(const Claim& claim, const Machine& machine) {
  return farthest(
      claim, machine, [](std::int64_t model, std::int64_t time) { return std::abs(static_cast<double>(model - time)); },
      [](double apart) { return with_unit(apart, " cycles"); });
}

Measured largest_error(const Claim& claim, const Machine& machine) {
  return farthest(
      claim, machine,
      [](std::int64_t model, std::int64_t time) {
        return 100 * std::abs(static_cast<double>(model - time)) / static_cast<double>(time);
      },
      [](double apart) { return fmt::format("{:.1f}%", apart); });
}

Measured winner_at(const Claim& claim, const Machine& machine) {
  const std::string name = winner(job_at(claim, machine, claim.pes[0], claim.counts[0]), claim.among);
  return {0, {name}, name};
}

/// One stretch of counts that a single algorithm wins.
struct Region {
  std::string algorithm;
  std::int64_t first = 0;
};

std::vector<Region> regions(const Claim& claim, const Machine& machine) {
  std::vector<Region> found;
  for (std::int64_t count = claim.counts.front(); count <= claim.counts.back(); ++count) {
    const std::string name = winner(job_at(claim, machine, claim.pes[0], count), claim.among);
    if (found.empty() || found.back().algorithm != name) found.push_back({name, count});
  }
  return found;
}

Measured order(const Claim& claim, const Machine& machine) {
  Measured measured;
  for (const Region& region : regions(claim, machine)) {
    measured.names.push_back(region.algorithm);
    measured.text += fmt::format("{}{} from {}", measured.text.empty() ? "" : ", ", region.algorithm, region.first);
  }
  return measured;
}

Measured crossover(const Claim& claim, const Machine& machine) {
  const std::vector<Region> found = regions(claim, machine);
  for (std::size_t i = 1; i < found.size(); ++i) {
    if (found[i - 1].algorithm == claim.from && found[i].algorithm == claim.to) {
      return number(static_cast<double>(found[i].first), " elements");
    }
  }
  return {NAN, {}, fmt::format("{} never follows {}", claim.to, claim.from)};
}

Measured ratio(const Claim& claim, const Machine& machine) {
  const Job job = job_at(claim, machine, claim.pes[0], claim.counts[0]);
  const auto a = static_cast<double>(predicted(job, claim.algorithm, claim.parameters));
  const auto b = static_cast<double>(predicted(job, claim.other));
  return {a / b, {}, fmt::format("{:.2f}x ({:.0f} / {:.0f} cycles)", a / b, a, b)};
}

Measured bound_ratio(const Claim& claim, const Machine& machine) {
  const Job job = job_at(claim, machine, claim.pes[0], claim.counts[0]);
  const SimulationAnswer answer = simulate(job, choose(job, claim.algorithm, claim.parameters));
  if (!answer.bound || !answer.bound->cycles || !answer.result.cycles) return {NAN, {}, "no bound is known"};
  const double value = *answer.result.cycles / *answer.bound->cycles;
  return {value,
          {},
          fmt::format("{:.2f}x ({} / {} cycles)", value, answer.result.cycles->value(), answer.bound->cycles->value())};
}

struct Row {
  ClaimKind kind;
  Measured (*compute)(const Claim&, const Machine&);
};

const std::vector<Row>& rows() {
  static const std::vector<Row> table{
      {{"formula", {"algorithm", "pes", "counts"}, false, " cycles"}, formula},
      {{"simulation", {"algorithm", "pes", "counts"}, false, " cycles"}, simulation},
      {{"largest_difference", {"algorithm", "pes", "counts"}, false, " cycles"}, largest_difference},
      {{"largest_error", {"algorithm", "pes", "counts"}, false, "%"}, largest_error},
      {{"winner", {"among", "pes", "counts"}, true, ""}, winner_at},
      {{"order", {"among", "pes", "counts"}, true, ""}, order},
      {{"crossover", {"among", "from", "to", "pes", "counts"}, false, " elements"}, crossover},
      {{"ratio", {"algorithm", "other", "pes", "counts"}, false, "x"}, ratio},
      {{"bound_ratio", {"algorithm", "pes", "counts"}, false, "x"}, bound_ratio},
  };
  return table;
}

const Row& row_of(const std::string& kind) {
  const auto row = std::find_if(rows().begin(), rows().end(), [&](const Row& r) { return r.kind.name == kind; });
  MUSTER_ASSERT(row != rows().end(), "claim kind '{}' was not refused by the reader", kind);
  return *row;
}

/// Says which claim asked for something that does not exist.
Measured computed(const Row& row, const Claim& claim, const ClaimFile& file, const Machine& machine) {
  try {
    return row.compute(claim, machine);
  } catch (const InputError& error) {
    reject("{}: claim '{}': {}", file.name, claim.id, error.what());
  }
}

bool agrees(const Claim& claim, const Measured& measured, bool names) {
  if (names) return measured.names == claim.expected_names;
  if (std::isnan(measured.value)) return false;
  const double slack =
      claim.tolerance.relative ? claim.tolerance.value * std::abs(claim.expected) : claim.tolerance.value;
  const double above = measured.value - claim.expected;
  if (claim.relation == Relation::at_least) return above >= -slack;
  if (claim.relation == Relation::at_most) return above <= slack;
  return std::abs(above) <= slack;
}

std::string expected_text(const Claim& claim, const ClaimKind& kind) {
  if (kind.names) return fmt::format("{}", fmt::join(claim.expected_names, ", "));
  const char* const relation = claim.relation == Relation::at_least  ? "at least "
                               : claim.relation == Relation::at_most ? "at most "
                                                                     : "";
  std::string text = relation + with_unit(claim.expected, kind.unit);
  if (claim.tolerance.value > 0) {
    text += claim.tolerance.relative ? fmt::format(", within {}%", number_text(100 * claim.tolerance.value))
                                     : fmt::format(", within {}", number_text(claim.tolerance.value));
  }
  return text;
}

}  // namespace

const std::vector<ClaimKind>& claim_kinds() {
  static const std::vector<ClaimKind> kinds = [] {
    std::vector<ClaimKind> list;
    for (const Row& row : rows()) list.push_back(row.kind);
    return list;
  }();
  return kinds;
}

ClaimAnswer check_claim(const Claim& claim, const ClaimFile& file, const Machine& machine) {
  const Row& row = row_of(claim.kind);
  const Measured measured = computed(row, claim, file, machine);
  const bool agreed = agrees(claim, measured, row.kind.names);
  return {.id = claim.id,
          .paper = file.paper,
          .section = claim.section,
          .statement = claim.statement,
          .expected = expected_text(claim, row.kind),
          .measured = measured.text,
          .holds = agreed,
          .known_difference = !agreed && !claim.holds,
          .explanation = claim.explanation,
          .source = claim.source};
}

}  // namespace muster
