// Where another algorithm takes over: the next larger and smaller vectors for which the predicted best changes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "plan/plan.h"

namespace muster {

/// The counts around the job's for which `best` has the best prediction, and who has it just outside.
struct Reign {
  std::string best;
  std::int64_t first = 1;            ///< least count, in elements
  std::int64_t last = 1;             ///< largest count, in elements
  std::optional<std::string> below;  ///< best at first - 1; none: first is 1
  std::optional<std::string> above;  ///< best at last + 1; none: last is all that the memory holds
};

/// By doubling and halving the count, then bisection, on predictions alone. An algorithm that is best only in between
/// two doublings can be missed.
Reign reign_of_best(const Job& job);

/// One sentence about it for people. Empty if no algorithm supports the job.
std::string crossover_text(const Job& job);

}  // namespace muster
