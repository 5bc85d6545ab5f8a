// What claims are computed from: the time of an algorithm at a size, and every size of a claim in turn.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "paper/claims.h"
#include "paper/simulations.h"
#include "plan/plan.h"
#include "result/run_times.h"

namespace muster {

/// A size of a claim. `shape` is none of clusters.
struct ClaimSize {
  const Machine* machine = nullptr;
  const Machine* other_machine = nullptr;  ///< that `other` runs on
  std::optional<ClaimShape> shape;
  std::int64_t count = 0;
};
std::vector<ClaimSize> sizes_of(const Claim& claim, const std::vector<Machine>& machines);

ClaimJob job_at(const Claim& claim, const ClaimSize& size);
/// That of `other`.
ClaimJob other_job_at(const Claim& claim, const ClaimSize& size);

/// Cycles of an algorithm; picoseconds on a machine without a clock. A refused schedule, a fault or a wrong result is no time: throws InputError.
std::int64_t time_of(const ClaimJob& job, const std::string& algorithm, const Parameters& parameters, Basis by);

/// Of the last of the job's calls, by simulation.
RunTimes run_times_of(const ClaimJob& job, const std::string& algorithm, const Parameters& parameters);

/// The algorithm with the best time; among equals the first listed.
struct Winner {
  std::string algorithm;
  std::int64_t time = 0;
};
Winner winner_of(const ClaimJob& job, const std::vector<std::string>& among, Basis by);

/// The number of colors of the program that an algorithm is lowered to.
int colors_of(const ClaimJob& job, const std::string& algorithm);

/// The share of all bandwidth that an algorithm uses, by simulation, in percent.
double utilization_of(const ClaimJob& job, const std::string& algorithm, const Parameters& parameters);

/// The part of a simulation's time that the claim names, in microseconds.
double part_of(const ClaimJob& job, const Claim& claim);

/// Links that messages pass: of every rank's first message, of its second one and so on; over the ranks, what claim.take says, or that
/// of claim.rank.
std::vector<double> hops_of(const ClaimJob& job, const Claim& claim);

/// How many times as fast an iteration of the workload is under claim.algorithm as under the baseline.
struct Speedup {
  double value = 0;
  Seconds baseline;
  Seconds time;
  Seconds waiting;  ///< of this time: for communications
};
Speedup training_speedup_of(const Claim& claim, const Machine& machine, const training::Workload& workload);

/// "P = 8, B = 16", "16x16, B = 16", "themis-2d-sw-sw, B = 250000"
std::string size_text(const ClaimSize& size);

/// What was found at one size: the value that is compared, and how it came about, behind the size in brackets.
struct Found {
  double value = 0;
  std::string text;
};

/// The largest or the smallest value over all sizes of the claim, by claim.take; the first of equals. `label` says where. Of a
/// mean, it is where the largest is.
struct Extreme {
  double value = 0;
  std::optional<double> mean;  ///< if that is asked for
  std::string label;           ///< "P = 8, B = 16: 58 / 57 cycles", without the size if there is only one
};
/// A value and its size.
struct Labelled {
  std::string label;
  Found found;
};
Extreme extreme_of(Take take, const std::vector<Labelled>& all);
Extreme extreme_over_sizes(const Claim& claim, const std::vector<Machine>& machines,
                           const std::function<Found(const ClaimJob&)>& at_size);
/// The same of the claim's job and that of `other`.
Extreme extreme_over_pairs(const Claim& claim, const std::vector<Machine>& machines,
                           const std::function<Found(const ClaimJob&, const ClaimJob&)>& at_size);

}  // namespace muster
