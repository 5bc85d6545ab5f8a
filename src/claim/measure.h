// What claims are computed from: the time of an algorithm at a size, and every size of a claim in turn.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "claim/claims.h"
#include "plan/plan.h"

namespace muster {

Job job_at(const Claim& claim, const Machine& machine, const ClaimShape& shape, std::int64_t count);

/// Cycles of an algorithm. A refused schedule, a fault or a wrong result is no time: throws InputError.
std::int64_t time_of(const Job& job, const std::string& algorithm, const ParameterValues& parameters, Basis by);

/// The algorithm with the best time; among equals the first listed.
struct Winner {
  std::string algorithm;
  std::int64_t time = 0;
};
Winner winner_of(const Job& job, const std::vector<std::string>& among, Basis by);

/// The number of colors of the program that an algorithm is lowered to.
int colors_of(const Job& job, const std::string& algorithm);

/// "P = 8, B = 16", "16x16, B = 16"
std::string size_text(const ClaimShape& shape, std::int64_t count);

/// What was found at one size: the value that is compared, and how it came about, behind the size in brackets.
struct Found {
  double value = 0;
  std::string text;
};

/// The largest or the smallest value over all sizes of the claim, by claim.take; the first of equals. `place` is where.
struct Extreme {
  double value = 0;
  std::string place;  ///< "P = 8, B = 16: 58 / 57 cycles", without the size if there is only one
};
Extreme extreme_over_sizes(const Claim& claim, const Machine& machine, const std::function<Found(const Job&)>& at_size);

}  // namespace muster
