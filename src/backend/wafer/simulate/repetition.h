// Finds out that a program whose operations are repeated runs alike from some repetition on, and leaves out repetitions.
//
// Whenever a chosen processor begins a repetition, the state of the whole simulation is written down: switch positions, the wavelets in
// every queue, the progress of every lane, and the repetition that each processor is in; cycles are counted from the present
// one, repetitions from that of the chosen processor. Data is left out, since no time depends on it. If two such states are equal,
// `period` repetitions and T cycles apart, then by determinism the state returns every T cycles, and whatever happens in between happens
// again T cycles later, until a processor reaches its last repetition. So j * period repetitions are left out at once, where j is as
// large as it may be with every processor still in a repetition that exists: the simulation goes on from a state that it would reach
// j * T cycles later, and only its times and counts have to be set right. Nothing is estimated.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "backend/wafer/simulate/strip.h"

namespace muster::wafer {

/// What a simulation left out.
struct Skipped {
  std::int64_t steps = 0;        ///< repetitions of the program; 0: none
  std::int64_t cycles = 0;       ///< that they take
  std::vector<Traffic> traffic;  ///< of each router, in those cycles
  std::int64_t period = 0;       ///< repetitions after which the state returned
  std::int64_t first = 0;        ///< the repetition (of the chosen processor) in which it was met first
};

class Repetition {
 public:
  /// Precondition: one call.
  Repetition(const Fabric& fabric, Strips& strips);

  /// At the start of a cycle.
  void look(Tick now) {
    if (steps_left_ && chosen_->step(node_) != last_step_) [[unlikely]]
      note(now);
  }
  [[nodiscard]] const Skipped& skipped() const { return skipped_; }

 private:
  struct State {
    Tick now = 0;
    std::int32_t step = 0;
    std::vector<std::int32_t> words;
    std::vector<Traffic> traffic;
  };
  void note(Tick now);
  [[nodiscard]] std::vector<std::int32_t> words_of_state(Tick now) const;
  /// Leaves out what lies between two equal states as often as possible.
  void skip(const State& before, const State& after);

  const Fabric& fabric_;
  Strips& strips_;
  NodeId node_ = 0;  ///< the chosen processor
  Processors* chosen_ = nullptr;
  std::int32_t last_step_ = 0;
  bool steps_left_ = false;   ///< whether it is worth to go on looking
  std::deque<State> states_;  ///< the latest ones
  std::int64_t noted_ = 0;
  Skipped skipped_;
};

/// Adds the counts of the one to the other.
void add_to(Traffic& all, const Traffic& more);

/// Of every router, with the load of its processor.
std::vector<Traffic> traffic_of(const Fabric& fabric, const Strips& strips);

}  // namespace muster::wafer
