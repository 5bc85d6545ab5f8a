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
Measured computed(const KindOfClaim& row, const Claim& claim, const ClaimFile& file,
                  const std::vector<Machine>& machines, const training::Workload* workload) {
  try {
    return workload != nullptr ? of_training(claim, machines, *workload) : row.compute(claim, machines);
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

std::string expected_text(const Claim& claim, const ClaimKind& kind, const Machine& machine) {
  if (claim.kind == "chunk_times") return operations_text(claim.expected_names);
  if (kind.names) return fmt::format("{}", fmt::join(claim.expected_names, ", "));
  const std::string unit = kind.unit == " cycles" && !time_base_of(machine).is_clock ? " us" : kind.unit;
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

std::vector<std::string> machines_of(const Claim& claim, const ClaimFile& file) {
  return claim.machines.empty() ? std::vector{file.machine} : claim.machines;
}

ClaimAnswer check_claim(const Claim& claim, const ClaimFile& file, const std::vector<Machine>& machines,
                        const training::Workload* workload) {
  const KindOfClaim& row = kind_of_claim(claim.kind);
  const Measured measured = computed(row, claim, file, machines, workload);
  const bool agreed = agrees(claim, measured, row.kind.names);
  return {.id = claim.id,
          .paper = file.paper,
          .section = claim.section,
          .statement = claim.statement,
          .expected = expected_text(claim, row.kind, machines.front()),
          .measured = measured.text,
          .holds = agreed,
          .known_difference = !agreed && !claim.holds,
          .explanation = claim.explanation,
          .source = claim.source};
}

}  // namespace muster
