// A workload on a machine: who communicates with whom, and what an NPU does one after another in an iteration.
#pragma once

#include <cstdint>
#include <vector>

#include "app/training/workload.h"
#include "base/carried.h"
#include "machine/machine.h"

namespace muster::training {

/// NPUs that communicate.
struct Group {
  std::int64_t members = 1;
  Carried part;  ///< of the machine, as its family knows it
};

/// Who needs a communication first: what the next layer waits for, then what a later one does, then what is waited for at
/// the end.
enum class Urgency : std::uint8_t { now, soon, end };

struct Transfer {
  Collective collective = Collective::allreduce;
  std::int64_t words = 0;  ///< of the vector
  std::int32_t group = 0;
  Urgency urgency = Urgency::now;
  Ticks ideal;  ///< the time that it takes alone on an ideal carrier; the family says it, when it compares carriers
};

/// What the time of an iteration is spent on. Waits for what a copy of the model does by itself (activations, their
/// gradients) are kept apart from those for other copies (weights and their gradients).
enum class Share : std::uint8_t { forward, input_gradient, weight_gradient, update, model_wait, data_wait };
inline constexpr std::size_t kShares = 6;

struct Task {
  enum class Kind : std::uint8_t { compute, begin, wait };
  Kind kind = Kind::compute;
  Share share = Share::forward;
  Ticks time;                 ///< of computing, in picoseconds (machine.h)
  std::int32_t transfer = 0;  ///< that begins or is waited for
};

struct Iteration {
  std::vector<Group> groups;
  std::vector<Transfer> transfers;
  std::vector<Task> tasks;
};

/// With NPUs that compute `faster` times as fast as the workload says. Throws InputError where the workload does not go with
/// the machine: "file:line: ...".
Iteration iteration_of(const Workload& workload, const Machine& machine, double faster = 1);

}  // namespace muster::training
