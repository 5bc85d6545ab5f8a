// A reduce to some rank, and what follows from there: how allreduces and reduce-scatters are made of any reduce.
#pragma once

#include <functional>
#include <string>

#include "collective/grid/reduce.h"

namespace muster {

struct Continuation {
  Collective collective = Collective::allreduce;
  std::string summary;  ///< what follows, as one clause
  std::string source;
  /// Writes what follows; the request's root, where the sums met, has them in `output`.
  std::function<void(const Request&, ScheduleBuilder&)> write;
  Collective next = Collective::broadcast;     ///< what that is by itself, in `output`
  std::function<Cycles(const Request&)> cost;  ///< of that alone
  Cycles cost_tolerance;                       ///< of that alone
};

/// The reduce with the parameter "root", the rank where its sums meet, and what follows. The times add up.
Algorithm continued(const Reduce& reduce, const Continuation& next);

}  // namespace muster
