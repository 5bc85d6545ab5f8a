// The sentence behind a ranking, made from the loads of the two best schedules.
#include "plan/explain.h"

#include <algorithm>

#include "collective/model.h"
#include "machine/routing.h"
#include "plan/job.h"

namespace muster {

namespace {

std::int64_t hops_per_link(const Machine& machine, const Load& load) {
  return load.hops / std::max<std::int64_t>(1, rank_count(machine) - 1);
}

std::int64_t streaming_cycles(const Machine& machine, const Load& load) {
  return std::max(load.port, hops_per_link(machine, load));
}

std::int64_t cycles_of_depth(const Machine& machine, const Load& load) {
  const Mesh* mesh = machine.mesh();
  return load.depth * (mesh == nullptr ? 1 : depth_cycles(*mesh).value());
}

std::string by_depth(const Contender& winner, const Contender& other) {
  const std::string gain = fmt::format("needs depth {} instead of {}'s {}", grouped(winner.load.depth), other.name,
                                       grouped(other.load.depth));
  if (winner.load.port > other.load.port) {
    return gain + fmt::format(", which outweighs that its busiest port takes {} words instead of {}",
                              grouped(winner.load.port), grouped(other.load.port));
  }
  return gain + fmt::format(", while its busiest port takes {} words", grouped(winner.load.port));
}

std::string by_streaming(const Machine& machine, const Contender& winner, const Contender& other) {
  const bool port_decides = other.load.port >= hops_per_link(machine, other.load);
  const std::string gain = port_decides ? fmt::format("has only {} words through its busiest port instead of {}'s {}",
                                                      grouped(winner.load.port), other.name, grouped(other.load.port))
                                        : fmt::format("moves its words over only {} hops instead of {}'s {}",
                                                      grouped(winner.load.hops), other.name, grouped(other.load.hops));
  if (winner.load.depth <= other.load.depth) return gain;
  return gain + fmt::format(", which outweighs its depth of {} instead of {}", grouped(winner.load.depth),
                            grouped(other.load.depth));
}

/// Where none of the terms speaks for the winner, the sentence says so.
std::string against_the_model(const Contender& winner, const Contender& other) {
  return fmt::format(
      "{} ends {} cycles before {}, although depth ({} and {}) and busiest port ({} and {} words) do not say so",
      winner.name, grouped((other.time - winner.time).value()), other.name, grouped(winner.load.depth),
      grouped(other.load.depth), grouped(winner.load.port), grouped(other.load.port));
}

}  // namespace

std::string why_it_wins(const Machine& machine, const Contender& winner, const Contender& runner_up) {
  if (winner.time == runner_up.time) return fmt::format("{} and {} take the same time", winner.name, runner_up.name);
  const std::int64_t by_depths = cycles_of_depth(machine, runner_up.load) - cycles_of_depth(machine, winner.load);
  const std::int64_t by_streams = streaming_cycles(machine, runner_up.load) - streaming_cycles(machine, winner.load);
  if (by_depths <= 0 && by_streams <= 0) {
    return against_the_model(winner, runner_up);
  }
  return fmt::format("{} wins because it {}", winner.name,
                     by_depths >= by_streams ? by_depth(winner, runner_up) : by_streaming(machine, winner, runner_up));
}

}  // namespace muster
