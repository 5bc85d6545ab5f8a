// What tests of the verifier ask again and again.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "schedule/verify.h"

namespace muster {

inline ::testing::AssertionResult is_verified(const Schedule& schedule, const Machine& machine,
                                              const VerifyOptions& options = {}) {
  const Verdict verdict = verify(schedule, machine, options);
  if (verdict.verified()) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << kind_name(verdict.counterexample->kind) << ": "
                                       << verdict.counterexample->message;
}

/// The counterexample; an empty one, with a failure, if the schedule is accepted.
inline Counterexample refusal(const Schedule& schedule, const Machine& machine, const VerifyOptions& options = {}) {
  const Verdict verdict = verify(schedule, machine, options);
  EXPECT_FALSE(verdict.verified()) << "accepted";
  return verdict.counterexample.value_or(Counterexample{});
}

inline ::testing::AssertionResult says(const Counterexample& counterexample, const std::string& text) {
  if (counterexample.message.find(text) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "'" << text << "' is not in: " << counterexample.message;
}

using Kind = Counterexample::Kind;

/// Fingerprints from the first node on.
inline const VerifyOptions kFingerprints{.seed = 7, .exact_nodes = 0};

}  // namespace muster
