// How a flat schedule looks to a network that delivers whole messages: messages that do not need each other go in one round.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/schedule.h"

namespace muster {

struct Round {
  std::int64_t words = 0;    ///< of its busiest sender
  std::int64_t message = 0;  ///< words of its largest message
};

struct Rounds {
  std::int64_t count = 0;  ///< the longest sequence of messages in which each needs the one before
  std::int64_t words = 0;  ///< of the busiest sender of each round, over all rounds: what must leave one after another
  std::int64_t sent = 0;   ///< words that all nodes send together
  std::int64_t most = 0;   ///< words that one of them sends, at most
  std::vector<Round> each;
};

/// A message is in the round after the latest of those that its sender took before, by the same step (unless that is an
/// exchange) or by earlier ones that it is ordered behind. A message to several sinks counts once per sink. Messages without
/// words do not count.
Rounds rounds_of(const Schedule& flat);

}  // namespace muster
