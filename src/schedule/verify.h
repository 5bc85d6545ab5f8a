// The verifier: executes a schedule symbolically and proves that
//   - every rank ends with exactly the contributions that its contract says, each once, in every element;
//   - no element is used before it exists, and no two steps race for one;
//   - every stream is produced and consumed exactly once, in matching order;
//   - routes exist on the machine;
//   - under the machine's finite buffers no cycle of waits is possible.
// Where the order of ranks matters (a scan), only consecutive ranks may be combined, the lower one first.
// Its cost does not grow with the element count. Above kExactNodes nodes, sets of contributions are compared by random
// fingerprints, and the verdict carries a bound for the probability that a wrong schedule was accepted. A barrier whose
// tokens are combined repeatedly is verified exactly; verify() throws InputError if that would take minutes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "schedule/schedule.h"

namespace muster {

inline constexpr NodeId kExactNodes = 256;

/// A counterexample that a person can follow.
struct Counterexample {
  enum class Kind {
    malformed,   ///< an index out of range, spans of different length, steps on a node that cannot combine or store
    missing,     ///< a contribution is missing
    doubled,     ///< a contribution occurs more than once
    foreign,     ///< a contribution that the contract does not ask for, or of another element
    too_early,   ///< an element is used before it exists
    race,        ///< two unordered steps touch one element
    mismatch,    ///< a stream is not produced or consumed exactly once, over its span
    wait_cycle,  ///< steps wait for each other
    no_route,    ///< a hop that the machine does not have, or a route that is not a tree to the sinks
    disordered,  ///< contributions are not combined in rank order, where that matters
  };
  Kind kind = Kind::malformed;
  std::optional<NodeId> node;
  std::optional<std::int64_t> element;
  std::optional<StepId> step;  ///< of the (expanded) schedule
  std::optional<StreamId> stream;
  std::string message;  ///< one or more lines: what was missing, doubled or waiting for what
};
/// "too-early", "wait-cycle": for people and for JSON.
std::string_view kind_name(Counterexample::Kind kind);

struct Verdict {
  std::optional<Counterexample> counterexample;
  double error_probability = 0;  ///< 0: exact
  [[nodiscard]] bool verified() const { return !counterexample; }
};

/// How a message names a step: its location in the file that the schedule was read from.
using StepName = std::function<std::string(StepId)>;

struct VerifyOptions {
  std::uint64_t seed = 1;
  NodeId exact_nodes = kExactNodes;
  StepName step_name = {};  ///< for flat schedules; empty: its number
};

Verdict verify(const Schedule& schedule, const Machine& machine, const VerifyOptions& options = {});

/// Whether the steps of a flat schedule that is otherwise correct could deadlock under the machine's finite
/// buffers: for a schedule that was verified and then rewritten step by step.
std::optional<Counterexample> find_wait_cycle(const Schedule& schedule, const Machine& machine);

}  // namespace muster
