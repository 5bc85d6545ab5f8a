// A claim against what was computed.
#include "paper/claims.h"

#include <cmath>

#include "base/error.h"
#include "paper/chunk_steps.h"
#include "paper/kinds.h"
#include "plan/job.h"

namespace muster {
namespace {

/// Says which claim asked for something that does not exist.
Measured computed(const KindOfClaim& row, const Claim& asked, const ClaimFile& file,
                  const std::vector<Machine>& machines, const ClaimData& data) {
  Claim claim = asked;
  claim.simulations = data.simulations;
  try {
    if (!data.shot.empty()) return of_shot(claim, data.shot);
    return data.workload != nullptr ? of_training(claim, machines, *data.workload) : row.compute(claim, machines);
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

std::string expected_text(const Claim& claim, const ClaimKind& kind, const std::vector<Machine>& machines) {
  if (claim.kind == "chunk_times") return operations_text(claim.expected_names);
  if (kind.names) return fmt::format("{}", fmt::join(claim.expected_names, ", "));
  const std::string unit = kind.unit == " cycles" && !time_base_of(machines.front()).is_clock ? " us" : kind.unit;
  const char* const relation = claim.relation == Relation::at_least  ? "at least "
                               : claim.relation == Relation::at_most ? "at most "
                                                                     : "";
  std::string text = relation + with_unit(claim.expected, unit);
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
    for (const KindOfClaim& row : kinds_of_claims()) list.push_back(row.kind);
    return list;
  }();
  return kinds;
}

bool has_other_machines(const Claim& claim) {
  return !claim.other_machine.empty() || !claim.other_setting.overrides.empty();
}

Overrides other_overrides(const Claim& claim) {
  Overrides overrides = claim.other_setting.overrides;
  if (claim.other_machine.empty()) overrides.insert(claim.setting.overrides.begin(), claim.setting.overrides.end());
  return overrides;
}

std::vector<ClaimMachine> machines_of(const Claim& claim, const ClaimFile& file) {
  if (!claim.shot.empty()) return {};
  const auto names = claim.machines.empty() ? std::vector{file.machine} : claim.machines;
  std::vector<ClaimMachine> all;
  for (const std::string& name : names) all.push_back({name, claim.setting.overrides});
  if (!has_other_machines(claim)) return all;
  const bool renamed = !claim.other_machine.empty();
  for (const std::string& name : names) {
    all.push_back({renamed ? claim.other_machine : name, other_overrides(claim)});
  }
  return all;
}

ClaimAnswer check_claim(const Claim& claim, const ClaimFile& file, const std::vector<Machine>& machines,
                        const ClaimData& data) {
  const KindOfClaim& row = kind_of_claim(claim.kind);
  const Measured measured = computed(row, claim, file, machines, data);
  const bool agreed = agrees(claim, measured, row.kind.names);
  return {.id = claim.id,
          .paper = file.paper,
          .section = claim.section,
          .statement = claim.statement,
          .expected = expected_text(claim, row.kind, machines),
          .measured = measured.text,
          .holds = agreed,
          .known_difference = !agreed && !claim.holds,
          .explanation = claim.explanation,
          .source = claim.source};
}

}  // namespace muster
