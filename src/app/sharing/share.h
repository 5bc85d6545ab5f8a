// Several jobs on one cluster: each is a collective of all NPUs that begins at a time of its own, and all of them share the
// dimensions. A dimension sends one chunk operation at a time, whichever job it belongs to.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "collective/dimensions/network.h"
#include "machine/machine.h"
#include "result/sharing.h"
#include "schedule/contract.h"

namespace muster::sharing {

struct Job {
  Collective collective = Collective::allreduce;
  std::int64_t words = 0;
  std::string algorithm = "balanced";  ///< "hierarchical", "themis" or "balanced": plans it as if it were alone
  std::int64_t chunks = 64;            ///< at most, where the vector can be cut into as many
  bool chunks_given = false;           ///< then into no fewer
  Seconds begins;
};

struct Request {
  Machine machine;
  std::vector<Job> jobs;
  SendFirst first = SendFirst::smallest;
};

/// Proves the schedule of every job, and runs them: each by its plan, and where jobs wait for the same dimension, `first` decides. Throws InputError "job 2: ..." where one does not go with the machine.
SharingAnswer share(const Request& request);

}  // namespace muster::sharing
