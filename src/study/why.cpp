// The sentence behind a ranking, made from the loads of the two best schedules.
#include "study/why.h"

#include <algorithm>

#include "base/counted.h"
#include "base/time_unit.h"
#include "machine/routing.h"
#include "plan/job.h"
#include "result/time_base.h"
#include "study/families.h"

namespace muster {

namespace {

std::int64_t hops_per_link(const Machine& machine, const Load& load) {
  return load.hops / std::max<std::int64_t>(1, rank_count(machine) - 1);
}

double port_rate(const Machine& machine) {
  const auto rate = studies_of(machine).port_rate;
  return rate == nullptr ? 1 : rate(machine);
}

std::int64_t cycles_of_words(const Machine& machine, std::int64_t words) {
  return static_cast<std::int64_t>(static_cast<double>(words) / port_rate(machine));
}

std::int64_t streaming_cycles(const Machine& machine, const Load& load) {
  return cycles_of_words(machine, std::max(load.port, hops_per_link(machine, load)));
}

std::int64_t cycles_of_depth(const Machine& machine, const Load& load) {
  const auto ticks = studies_of(machine).depth;
  return load.depth * (ticks == nullptr ? 1 : ticks(machine).value());
}

std::string by_depth(const Contender& winner, const Contender& other) {
  std::string gain =
      fmt::format("has depth {} instead of {}'s {}", grouped(winner.load.depth), other.name, grouped(other.load.depth));
  if (winner.load.port > other.load.port) {
    return gain + fmt::format(", which outweighs its busier port ({} words instead of {})", grouped(winner.load.port),
                              grouped(other.load.port));
  }
  return gain + fmt::format(", while its busiest port takes {} words", grouped(winner.load.port));
}

std::string by_streaming(const Machine& machine, const Contender& winner, const Contender& other) {
  const bool port_decides = other.load.port >= hops_per_link(machine, other.load);
  std::string gain = port_decides ? fmt::format("has only {} words through its busiest port instead of {}'s {}",
                                                grouped(winner.load.port), other.name, grouped(other.load.port))
                                  : fmt::format("needs only {} word-hops instead of {}'s {}", grouped(winner.load.hops),
                                                other.name, grouped(other.load.hops));
  if (winner.load.depth <= other.load.depth) return gain;
  return gain + fmt::format(", which outweighs its depth of {} instead of {}", grouped(winner.load.depth),
                            grouped(other.load.depth));
}

/// Steps that store a vector make the next step wait for all of it; a vector that is passed on does not.
std::string by_queue(const Contender& winner, const Contender& other) {
  std::string gain = fmt::format("serialises only {} words on its longest path instead of {}'s {}",
                                 grouped(winner.load.queue), other.name, grouped(other.load.queue));
  if (winner.load.depth <= other.load.depth) return gain;
  return gain + fmt::format(", which outweighs its depth of {} instead of {}", grouped(winner.load.depth),
                            grouped(other.load.depth));
}

std::string rate_text(double words_per_cycle) {
  if (words_per_cycle == 1) return "one per cycle";
  if (words_per_cycle < 1) return fmt::format("one in {:.0f} cycles", 1 / words_per_cycle);
  return fmt::format("up to {:.1f} per cycle", words_per_cycle);
}

/// Where no term speaks for the winner, or terms are not known: how the time of both divides into words and waiting.
std::string by_waiting(const Machine& machine, const Contender& winner, const Contender& other) {
  const auto waiting = [&](const Contender& contender) {
    return contender.time.value() - cycles_of_words(machine, contender.load.port);
  };
  return fmt::format(
      "{} wins by {}{}: it receives {} words, {}, and waits {} cycles; the busiest port of {} receives {} "
      "words and waits {} cycles",
      winner.name, counted((other.time - winner.time).value(), "cycle"),
      waiting(winner) < waiting(other) ? " because its busiest port waits less"
                                       : " because its busiest port receives less",
      grouped(winner.load.port), rate_text(port_rate(machine)), grouped(waiting(winner)), other.name,
      grouped(other.load.port), grouped(waiting(other)));
}

/// With as many digits as tell both apart. Who takes less time and uses no more of the bandwidth sends less.
std::string by_bandwidth(const Contender& winner, const Contender& other) {
  constexpr int kMostDigits = 4;
  for (int digits = 1; digits <= kMostDigits && winner.utilization > other.utilization; ++digits) {
    const std::string mine = fmt::format("{:.{}f}", 100 * winner.utilization, digits);
    const std::string theirs = fmt::format("{:.{}f}", 100 * other.utilization, digits);
    if (mine == theirs) continue;
    return fmt::format("{} wins because it uses {}% of the bandwidth instead of {}'s {}%", winner.name, mine,
                       other.name, theirs);
  }
  const Seconds gain = to_seconds(other.time - winner.time, kPicoseconds);
  std::string text = fmt::format("{} wins by {} over {}", winner.name, time_text(gain), other.name);
  const bool sends_less = winner.utilization > 0 && winner.utilization <= other.utilization;
  return sends_less ? text + ": it sends less" : text;
}

}  // namespace

std::string why_it_wins(const Machine& machine, const Contender& winner, const Contender& runner_up) {
  if (winner.time == runner_up.time) return fmt::format("{} and {} take the same time", winner.name, runner_up.name);
  if (winner.as_phases || runner_up.as_phases) return by_bandwidth(winner, runner_up);
  if (winner.load.of_phases || runner_up.load.of_phases) return by_waiting(machine, winner, runner_up);
  const std::int64_t by_depths = cycles_of_depth(machine, runner_up.load) - cycles_of_depth(machine, winner.load);
  const std::int64_t by_streams = streaming_cycles(machine, runner_up.load) - streaming_cycles(machine, winner.load);
  if (by_depths <= 0 && by_streams <= 0) {
    if (winner.load.queue >= runner_up.load.queue) return by_waiting(machine, winner, runner_up);
    return fmt::format("{} wins because it {}", winner.name, by_queue(winner, runner_up));
  }
  return fmt::format("{} wins because it {}", winner.name,
                     by_depths >= by_streams ? by_depth(winner, runner_up) : by_streaming(machine, winner, runner_up));
}

}  // namespace muster
