// One function for each kind, and their table.
#include "paper/kinds.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "paper/chunk_steps.h"
#include "paper/measure.h"
#include "plan/job.h"
#include "result/time_base.h"

namespace muster {

std::string number_text(double value) {
  return value == std::floor(value) ? fmt::format("{:.0f}", value) : fmt::format("{:.2f}", value);
}

std::string with_unit(double value, const std::string& unit) {
  const bool singular = value == 1 && !unit.empty() && unit.back() == 's';
  return number_text(value) + (singular ? unit.substr(0, unit.size() - 1) : unit);
}

namespace {

Measured number(double value, const std::string& unit) { return {value, {}, with_unit(value, unit)}; }

ClaimJob only_job(const Claim& claim, const std::vector<Machine>& machines) {
  return job_at(claim, sizes_of(claim, machines).front());
}

/// A time as claims have it: in cycles; of a machine without a clock, which counts picoseconds, in microseconds.
double claimed_time(const Machine& machine, std::int64_t time) {
  return time_base_of(machine).is_clock ? static_cast<double>(time) : static_cast<double>(time) / 1e6;
}
const char* time_unit(const Machine& machine) { return time_base_of(machine).is_clock ? " cycles" : " us"; }
/// The same without its unit.
std::string time_text(const Machine& machine, std::int64_t time) {
  return time_base_of(machine).is_clock ? std::to_string(time) : fmt::format("{:.3f}", claimed_time(machine, time));
}

Measured one_time(const Claim& claim, const std::vector<Machine>& machines) {
  const ClaimJob job = only_job(claim, machines);
  const std::int64_t time = time_of(job, claim.algorithm, claim.parameters, claim.by);
  return number(claimed_time(job.machine, time), time_unit(job.machine));
}

Measured orders(const Claim& claim, const std::vector<Machine>& machines) {
  std::vector<std::string> found = chunk_orders(only_job(claim, machines), claim.algorithm, claim.parameters);
  std::string text = fmt::format("{}", fmt::join(found, ", "));
  return {0, std::move(found), std::move(text)};
}

/// The text is short where all is as expected: there is an operation per chunk and stage.
Measured times(const Claim& claim, const std::vector<Machine>& machines) {
  std::vector<std::string> found = chunk_times(only_job(claim, machines), claim.algorithm, claim.parameters);
  std::string text =
      found == claim.expected_names ? "all at these times" : first_difference(claim.expected_names, found);
  return {0, std::move(found), std::move(text)};
}

Measured measured_extreme(const Extreme& found, const std::function<std::string(double)>& text) {
  if (found.mean) {
    return {*found.mean, {}, fmt::format("{}, at most {} ({})", text(*found.mean), text(found.value), found.label)};
  }
  return {found.value, {}, fmt::format("{} ({})", text(found.value), found.label)};
}

/// The value at the size where it is largest or smallest, and in brackets how it comes about there.
Measured extreme(const Claim& claim, const std::vector<Machine>& machines,
                 const std::function<std::string(double)>& text, const std::function<Found(const ClaimJob&)>& at_size) {
  return measured_extreme(extreme_over_sizes(claim, machines, at_size), text);
}

/// Nearly 1 is not 1.
std::string factor_text(double value) {
  const bool nearly = value != 1 && std::abs(value - 1) < 0.005;
  return nearly ? fmt::format("{:.3f}x", value) : fmt::format("{:.2f}x", value);
}
std::string percent_text(double value) { return fmt::format("{:.1f}%", value); }
/// Of values that are times: all machines of a claim have a clock, or none.
std::function<std::string(double)> times_text(const std::vector<Machine>& machines) {
  return [unit = time_unit(machines.front())](double value) { return with_unit(value, unit); };
}

struct Compared {
  const Machine& machine;
  std::int64_t model = 0;
  std::int64_t time = 0;
  [[nodiscard]] double apart() const { return std::abs(claimed_time(machine, model - time)); }
  [[nodiscard]] double percent() const { return 100 * apart() / claimed_time(machine, time); }
  [[nodiscard]] std::string text() const {
    return fmt::format("model {}, simulated {}, {}{}", time_text(machine, model), time_text(machine, time),
                       time >= model ? "+" : "", time_text(machine, time - model));
  }
};

Compared model_and_simulation(const Claim& claim, const ClaimJob& job) {
  return {job.machine, time_of(job, claim.algorithm, claim.parameters, Basis::formula),
          time_of(job, claim.algorithm, claim.parameters, Basis::simulation)};
}

Measured largest_difference(const Claim& claim, const std::vector<Machine>& machines) {
  return extreme(claim, machines, times_text(machines), [&](const ClaimJob& job) {
    const Compared both = model_and_simulation(claim, job);
    return Found{both.apart(), both.text()};
  });
}

Measured largest_error(const Claim& claim, const std::vector<Machine>& machines) {
  return extreme(claim, machines, percent_text, [&](const ClaimJob& job) {
    const Compared both = model_and_simulation(claim, job);
    return Found{both.percent(), both.text()};
  });
}

Measured mean_error(const Claim& claim, const std::vector<Machine>& machines) {
  Claim of_mean = claim;
  of_mean.take = Take::mean;
  return largest_error(of_mean, machines);
}

Measured utilization(const Claim& claim, const std::vector<Machine>& machines) {
  return extreme(
      claim, machines, [](double value) { return fmt::format("{:.2f}%", value); },
      [&](const ClaimJob& job) {
        const double used = utilization_of(job, claim.algorithm, claim.parameters);
        return Found{used, fmt::format("{:.2f}%", used)};
      });
}

Measured winner_at(const Claim& claim, const std::vector<Machine>& machines) {
  const ClaimJob job = only_job(claim, machines);
  const Winner best = winner_of(job, claim.among, claim.by);
  return {0,
          {best.algorithm},
          fmt::format("{} ({}{})", best.algorithm, time_text(job.machine, best.time), time_unit(job.machine))};
}

/// One stretch of counts that a single algorithm wins.
struct Region {
  std::string algorithm;
  std::int64_t first = 0;
};

std::vector<Region> regions(const Claim& claim, const std::vector<Machine>& machines) {
  std::vector<Region> found;
  ClaimJob job = only_job(claim, machines);
  for (job.count = claim.counts.front(); job.count <= claim.counts.back(); job.count += claim.step) {
    const std::string name = winner_of(job, claim.among, Basis::formula).algorithm;
    if (found.empty() || found.back().algorithm != name) found.push_back({name, job.count});
  }
  return found;
}

Measured order(const Claim& claim, const std::vector<Machine>& machines) {
  Measured measured;
  for (const Region& region : regions(claim, machines)) {
    measured.names.push_back(region.algorithm);
    measured.text += fmt::format("{}{} from {}", measured.text.empty() ? "" : ", ", region.algorithm, region.first);
  }
  return measured;
}

Measured crossover(const Claim& claim, const std::vector<Machine>& machines) {
  const std::vector<Region> found = regions(claim, machines);
  for (std::size_t i = 1; i < found.size(); ++i) {
    if (found[i - 1].algorithm == claim.from && found[i].algorithm == claim.to) {
      return number(static_cast<double>(found[i].first), " elements");
    }
  }
  return {NAN, {}, fmt::format("{} never follows {}", claim.to, claim.from)};
}

Found quotient(const ClaimJob& job, std::int64_t a, std::int64_t b) {
  return {static_cast<double>(a) / static_cast<double>(b),
          fmt::format("{} / {}{}", time_text(job.machine, a), time_text(job.machine, b), time_unit(job.machine))};
}

/// The times of `algorithm` and `other` at each size.
Measured compared(const Claim& claim, const std::vector<Machine>& machines,
                  const std::function<std::string(double)>& text,
                  Found (*of)(const ClaimJob&, std::int64_t, std::int64_t)) {
  return measured_extreme(extreme_over_pairs(claim, machines,
                                             [&](const ClaimJob& job, const ClaimJob& other) {
                                               return of(job, time_of(job, claim.algorithm, claim.parameters, claim.by),
                                                         time_of(other, claim.other, claim.other_parameters, claim.by));
                                             }),
                          text);
}

Measured ratio(const Claim& claim, const std::vector<Machine>& machines) {
  return compared(claim, machines, factor_text, quotient);
}

Found time_difference(const ClaimJob& job, std::int64_t a, std::int64_t b) {
  return {claimed_time(job.machine, a - b),
          fmt::format("{} - {}", time_text(job.machine, a), time_text(job.machine, b))};
}

Measured difference(const Claim& claim, const std::vector<Machine>& machines) {
  return compared(claim, machines, times_text(machines), time_difference);
}

/// In all messages together, and those of each in brackets.
Measured hops(const Claim& claim, const std::vector<Machine>& machines) {
  const std::vector<double> found = hops_of(only_job(claim, machines), claim);
  double sum = 0;
  std::vector<std::string> texts;
  for (const double value : found) {
    sum += value;
    texts.push_back(number_text(value));
  }
  return {sum, {}, fmt::format("{} ({})", with_unit(sum, " hops"), fmt::join(texts, " + "))};
}

Measured ratio_to_best(const Claim& claim, const std::vector<Machine>& machines) {
  return extreme(claim, machines, factor_text, [&](const ClaimJob& job) {
    const Winner best = winner_of(job, claim.among, claim.by);
    Found found = quotient(job, time_of(job, claim.algorithm, claim.parameters, claim.by), best.time);
    found.text += fmt::format(" of {}", best.algorithm);
    return found;
  });
}

/// Picoseconds, where the machine has no clock.
std::int64_t cycles_of(const BoundAnswer& bound) {
  return bound.cycles ? bound.cycles->value() : nearest_ticks(bound.seconds, kPicoseconds).value();
}

/// The bound that the claim names, or the largest that is proven for the pipeline.
std::int64_t bound_cycles(const Claim& claim, const ClaimJob& job) {
  const std::vector<BoundAnswer> bounds = bounds_of(job);
  if (claim.bound.empty()) {
    if (const auto best = best_bound(bounds)) return cycles_of(*best);
    reject("no bound is known for {} on {}", collective_name(claim.collective), shape_text(job.machine));
  }
  std::vector<std::string> names;
  for (const BoundAnswer& bound : bounds) {
    if (bound.name == claim.bound) return cycles_of(bound);
    names.push_back(bound.name);
  }
  reject("bound '{}' is not known for {} on {}; {}", claim.bound, collective_name(claim.collective),
         shape_text(job.machine), suggest(claim.bound, names));
}

Measured bound_ratio(const Claim& claim, const std::vector<Machine>& machines) {
  return extreme(claim, machines, factor_text, [&](const ClaimJob& job) {
    return quotient(job, time_of(job, claim.algorithm, claim.parameters, claim.by), bound_cycles(claim, job));
  });
}

Measured colors(const Claim& claim, const std::vector<Machine>& machines) {
  const auto text = [](double value) { return with_unit(value, " colors"); };
  return extreme(claim, machines, text, [&](const ClaimJob& job) {
    Found most;
    for (const std::string& name : claim.among) {
      const int used = colors_of(job, name);
      if (used > most.value) most = {static_cast<double>(used), name};
    }
    return most;
  });
}

/// What throughput is lost from the first shape to the last one, with vectors of one length.
Measured loss(const Claim& claim, const std::vector<Machine>& machines) {
  const std::vector<ClaimSize> sizes = sizes_of(claim, machines);
  const auto time = [&](const ClaimSize& size) {
    return static_cast<double>(time_of(job_at(claim, size), claim.algorithm, claim.parameters, claim.by));
  };
  const double first = time(sizes.front()), last = time(sizes.back());
  const double percent = 100 * (1 - first / last);
  return {percent, {}, fmt::format("{:.2f}% ({:.3f} us and {:.3f} us)", percent, first / 1e6, last / 1e6)};
}

Measured time_part(const Claim& claim, const std::vector<Machine>& machines) {
  const auto text = [](double value) { return fmt::format("{:.3f} us", value); };
  return extreme(claim, machines, text, [&](const ClaimJob& job) {
    const double time = part_of(job, claim);
    return Found{time, text(time)};
  });
}

/// Computed by of_training() and of_shot(): no other kinds have a workload or a shot.
Measured no_size(const Claim& claim, const std::vector<Machine>&) {
  reject("its file '{}' was not read", claim.workload.empty() ? claim.shot : claim.workload);
}

}  // namespace

namespace {

Measured training_speedup(const Claim& claim, const std::vector<Machine>& machines,
                          const training::Workload& workload) {
  std::vector<Labelled> all;
  for (const Machine& machine : machines) {
    const Speedup found = training_speedup_of(claim, machine, workload);
    all.push_back(
        {machine.name,
         {found.value, fmt::format("{:.3f} / {:.3f} ms", found.baseline.value() * 1e3, found.time.value() * 1e3)}});
  }
  return measured_extreme(extreme_of(claim.take, all), factor_text);
}

Measured training_wait(const Claim& claim, const std::vector<Machine>& machines, const training::Workload& workload) {
  std::vector<Labelled> all;
  for (const Machine& machine : machines) {
    const Speedup found = training_speedup_of(claim, machine, workload);
    all.push_back({machine.name,
                   {100 * (found.waiting / found.time),
                    fmt::format("{:.3f} of {:.3f} ms", found.waiting.value() * 1e3, found.time.value() * 1e3)}});
  }
  return measured_extreme(extreme_of(claim.take, all), percent_text);
}

}  // namespace

Measured of_training(const Claim& claim, const std::vector<Machine>& machines, const training::Workload& workload) {
  return claim.kind == "training_wait" ? training_wait(claim, machines, workload)
                                       : training_speedup(claim, machines, workload);
}

const std::vector<KindOfClaim>& kinds_of_claims() {
  using Sizes = ClaimKind::Sizes;
  constexpr Basis kFormula = Basis::formula;
  constexpr Basis kSimulation = Basis::simulation;
  static const std::vector<KindOfClaim> table{
      {{"formula", {"algorithm"}, {}, Sizes::one, false, " cycles", kFormula}, one_time},
      {{"simulation", {"algorithm"}, {}, Sizes::one, false, " cycles", kSimulation}, one_time},
      {{"largest_difference", {"algorithm"}, {}, Sizes::many, false, " cycles", kFormula}, largest_difference},
      {{"largest_error", {"algorithm"}, {}, Sizes::many, false, "%", kFormula}, largest_error},
      {{"mean_error", {"algorithm"}, {}, Sizes::many, false, "%", kFormula}, mean_error},
      {{"winner", {"among"}, {"by"}, Sizes::one, true, "", kFormula}, winner_at},
      {{"order", {"among"}, {"step"}, Sizes::range, true, "", kFormula}, order},
      {{"crossover", {"among", "from", "to"}, {"step"}, Sizes::range, false, " elements", kFormula}, crossover},
      {{"ratio", {"algorithm", "other"}, {"by", "take"}, Sizes::many, false, "x", kFormula}, ratio},
      {{"ratio_to_best", {"algorithm", "among"}, {"by", "take"}, Sizes::many, false, "x", kFormula}, ratio_to_best},
      {{"difference", {"algorithm", "other"}, {"by", "take"}, Sizes::many, false, " cycles", kFormula}, difference},
      {{"bound_ratio", {"algorithm"}, {"bound", "by", "take"}, Sizes::many, false, "x", kSimulation}, bound_ratio},
      {{"utilization", {"algorithm"}, {"take"}, Sizes::many, false, "%", kSimulation}, utilization},
      {{"chunk_orders", {"algorithm"}, {}, Sizes::one, true, "", kSimulation}, orders},
      {{"chunk_times", {"algorithm"}, {}, Sizes::one, true, "", kSimulation}, times},
      {{"hops", {"algorithm"}, {"rank", "take"}, Sizes::one, false, " hops", kFormula}, hops},
      {{"colors", {"among"}, {}, Sizes::many, false, " colors", kFormula}, colors},
      {{"loss", {"algorithm"}, {"by"}, Sizes::many, false, "%", kSimulation}, loss},
      {{"time_part", {"algorithm", "part"}, {"take"}, Sizes::many, false, " us", kSimulation}, time_part},
      {{"training_speedup",
        {"workload", "algorithm"},
        {"faster", "batch", "take"},
        Sizes::training,
        false,
        "x",
        kSimulation},
       no_size},
      {{"training_wait",
        {"workload", "algorithm"},
        {"faster", "batch", "take"},
        Sizes::training,
        false,
        "%",
        kSimulation},
       no_size},
      {{"shot_value", {"shot", "value"}, {}, Sizes::shot, false, "", kFormula}, no_size},
      {{"shot_time", {"shot"}, {}, Sizes::shot, false, " s", kSimulation}, no_size},
      {{"shot_ratio", {"shot"}, {}, Sizes::shot, false, "x", kSimulation}, no_size},
      {{"shot_speedup", {"shot"}, {}, Sizes::shot, false, "x", kSimulation}, no_size},
      {{"shot_intensity", {"shot"}, {}, Sizes::shot, false, "%", kSimulation}, no_size},
      {{"layer_share", {"shot"}, {}, Sizes::shot, false, "%", kSimulation}, no_size},
      {{"stencil_value", {"value"}, {"cells"}, Sizes::stencil, false, "", kFormula}, stencil_value},
  };
  return table;
}

const KindOfClaim& kind_of_claim(const std::string& name) {
  const auto& all = kinds_of_claims();
  const auto row =
      std::find_if(all.begin(), all.end(), [&](const KindOfClaim& entry) { return entry.kind.name == name; });
  MUSTER_ASSERT(row != all.end(), "claim kind '{}' was not refused by the reader", name);
  return *row;
}

}  // namespace muster
