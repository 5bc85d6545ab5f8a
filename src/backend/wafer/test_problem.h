// For tests: a schedule through all stages of the wafer backend, and what went wrong.
#pragma once

#include <string>

#include "backend/wafer/wafer.h"
#include "schedule/interpret.h"
#include "schedule/verify.h"

namespace muster::wafer::test {

inline std::string fault_text(const Result& result) {
  return result.fault ? result.fault->kind + " at " + result.fault->location + ": " + result.fault->message : "";
}

/// The fault of two calls of a verified schedule, or how its output differs from the reference; nothing if it is right.
inline std::string problem_of(const Schedule& schedule, const Machine& machine) {
  const Verdict verdict = verify(schedule, machine);
  if (!verdict.verified()) return "not verified: " + verdict.counterexample->message;
  const auto program = lower(schedule, machine, {});
  if (!program.ok()) return program.reason();
  const Result result = simulate(*program.value(), {.calls = 2, .seed = 3, .give_up = Cycles(1 << 20), .progress = {}});
  if (result.fault) return fault_text(result);
  const auto compared = compare_outputs(schedule, interpret(schedule, {}, 3), result.outputs[0], {});
  return compared.difference.value_or("");
}

}  // namespace muster::wafer::test
