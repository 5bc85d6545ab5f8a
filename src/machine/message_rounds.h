// How much is sent in which round: what a network that delivers whole messages needs to know of a schedule (schedule/rounds.h).
#pragma once

#include <cstdint>
#include <vector>

namespace muster {

struct Round {
  std::int64_t words = 0;     ///< of the rank that sends most
  std::int64_t switched = 0;  ///< words that a switch sends to one of its sinks, at most
  std::int64_t message = 0;   ///< words of its largest message
};

struct Rounds {
  std::int64_t count = 0;     ///< the longest chain of dependent messages
  std::int64_t words = 0;     ///< of the busiest rank of each round, summed over all rounds
  std::int64_t switched = 0;  ///< the same of what comes from switches
  std::int64_t relays = 0;    ///< rounds in which switches send: the second half of a path
  std::int64_t sent = 0;      ///< words that all ranks send together, or all switches, if these send more
  std::int64_t most = 0;      ///< words that one rank sends, at most
  std::vector<Round> each;
};

}  // namespace muster
