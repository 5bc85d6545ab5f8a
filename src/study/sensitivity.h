// `--sensitivity`: nobody publishes a machine's buffers, queues, start-up costs and arbitration. How far does the answer
// depend on what the machine file assumes?
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "plan/stages.h"
#include "result/sensitivity.h"

namespace muster {

struct SensitivityRequest {
  Job job;
  std::string algorithm = {};  ///< asked about; empty: the winner with the file's values
  Parameters given = {};       ///< of that algorithm; what is not given follows the machine
  unsigned threads = 0;        ///< 0: as many as the machine has
  std::function<void(double)> progress = {};
};

/// Simulates every algorithm with every value of every key that the machine's family has (machine/timing_keys.h), one key at a
/// time, each within a share of the job's hop budget. Left out are those that need more and, without being asked about, those that take more than ten
/// times the best prediction. Throws InputError if the machine has no such keys or nothing can be simulated.
SensitivityAnswer sensitivity(const SensitivityRequest& request, const RunFunction& run = run_stages);

}  // namespace muster
