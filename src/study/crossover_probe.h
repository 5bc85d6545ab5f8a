// Who is best at another count: the question behind a crossover.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "plan/ranking.h"

namespace muster {

/// The algorithms that compete: all entries that did not fail. The first one is the winner.
class Competitors {
 public:
  Competitors(const Job& job, const std::vector<Entry>& entries, const RunFunction& run);

  struct Probe {
    std::string best;         ///< of equals, the winner
    std::int64_t margin = 0;  ///< the winner's time minus the best other one's: not positive where the winner is best
  };

  [[nodiscard]] const std::string& winner() const { return winner_; }
  [[nodiscard]] const std::set<std::string>& names() const { return names_; }
  /// Nothing if the winner does not fit.
  std::optional<Probe> predicted(std::int64_t count);
  /// How near to an edge a search goes, about the size of `count`.
  [[nodiscard]] std::int64_t resolution(std::int64_t count) const;
  /// How the simulations of the plan itself ended; nothing if the winner was not simulated.
  [[nodiscard]] std::optional<Probe> here() const { return here_; }
  /// Simulates the winner and those that are near the best by prediction. Nothing if that is too much.
  std::optional<Probe> simulated(std::int64_t count);
  /// Grants the simulations for one search. Whether they should suffice: else it is better not to begin.
  bool refill();

 private:
  [[nodiscard]] RunOptions options_for(const Job& job, const std::string& name) const;

  Job job_;
  RunFunction run_;
  std::string winner_;
  std::set<std::string> names_;
  std::map<std::int64_t, std::optional<Probe>> predicted_;  ///< by count, those that were asked for
  bool predictions_take_time_ = false;                      ///< so that a search is not cheap
  std::optional<Probe> here_;
  std::int64_t probe_cost_ = 0;  ///< of what simulations cost: what one probe took here
  std::int64_t probe_effort_ = 0;
  std::int64_t left_ = 0;  ///< of what simulations cost: transits or hops
  std::int64_t effort_left_ = 0;
  int simulations_left_ = 0;
};

}  // namespace muster
