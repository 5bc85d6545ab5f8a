// What a run of a list of transactions returns. Independent of families.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "result/result.h"

namespace muster {

/// A row of the list: when its processor began to issue, and when its barrier returned.
struct TransactionTimes {
  std::string id;
  Ticks start;
  Ticks end;
};

struct TrafficAnswer {
  std::string machine;
  std::string engine;
  Ticks cycles;  ///< until the last row ended
  Seconds seconds;
  std::vector<TransactionTimes> transactions;  ///< as in the list; those that did not end are missing
  std::vector<Resource> resources;
  std::optional<Fault> fault;
};

}  // namespace muster
