// `--sensitivity`: nobody publishes a machine's buffers, queues, start-up costs and arbitration. How far does the answer
// hang on what the machine file assumes?
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "plan/stages.h"
#include "result/sensitivity.h"

namespace muster {

/// A timing parameter, and the values that it is varied over.
struct TimingParameter {
  struct Value {
    std::string text;  ///< as the machine's file would say it
    std::function<void(Mesh&)> set;
  };
  std::string key;
  std::string (*current)(const Mesh&);
  std::vector<Value> values;
};
const std::vector<TimingParameter>& timing_parameters();

struct SensitivityRequest {
  Job job;                     ///< on a mesh
  std::string algorithm = {};  ///< asked about; empty: the winner with the file's values
  Parameters given = {};       ///< of that algorithm; what is not given follows the machine
  unsigned threads = 0;        ///< 0: as many as the machine has
  std::function<void(double)> progress = {};
};

/// Simulates every algorithm with every value of every parameter, one parameter at a time, each within a share of the
/// job's hop budget. Left out are those that need more and, without being asked about, those that take more than ten
/// times the best prediction. Throws InputError if the machine is no mesh or nothing can be simulated.
SensitivityAnswer sensitivity(const SensitivityRequest& request, const RunFunction& run = run_stages);

}  // namespace muster
