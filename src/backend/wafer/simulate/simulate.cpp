// The plain cycle-level simulator: every wavelet in every cycle, and all decisions of a cycle see the state at its
// start. So routers and processors can be run in any order, or in strips on several threads.
#include <algorithm>
#include <thread>

#include "backend/wafer/simulate/make_result.h"
#include "backend/wafer/simulate/strip.h"
#include "backend/wafer/wafer.h"
#include "base/crew.h"
#include "base/error.h"
#include "base/index.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

constexpr Tick kProgressEvery = 1 << 16;  ///< cycles

// Threads meet once a cycle, which takes as long as some ten moves.
constexpr std::size_t kLeastProcessors = 32;  ///< in a strip that is worth a thread
constexpr std::int64_t kLeastInFlight = 64;   ///< likewise, wavelets in a cycle

/// If nothing has moved for this long, nothing will: no delay in the machine is longer.
Tick longest_delay(const Mesh& mesh, std::int64_t longest_element) {
  return static_cast<Tick>(mesh.operation_start.value() + mesh.receive_gap.value() + mesh.hop_latency.value() +
                           2 * mesh.ramp_latency.value() + longest_element + 4);
}

/// All strips in a cycle.
class Cycle {
 public:
  Cycle(Strips& strips, std::int64_t least_in_flight)
      : strips_(strips),
        least_in_flight_(least_in_flight),
        crew_(strips.size(), [this](std::size_t s) { run_strip(s); }) {}

  void run(Tick now) {
    now_ = now;
    if (in_flight_ >= least_in_flight_ * static_cast<std::int64_t>(strips_.size())) {
      crew_.run();
    } else {
      for (std::size_t s = 0; s < strips_.size(); ++s) run_strip(s);
    }
    look();
  }

  [[nodiscard]] bool was_busy() const { return was_busy_; }
  [[nodiscard]] bool is_over() const { return is_done_ && in_flight_ == 0; }
  [[nodiscard]] std::int64_t in_flight() const { return in_flight_; }
  /// Whether any strip found a fault.
  [[nodiscard]] bool has_fault() const { return has_fault_; }

  /// What the strips say together, after a cycle or before the first one.
  void look() {
    in_flight_ = 0;
    was_busy_ = has_fault_ = false;
    is_done_ = true;
    for (const auto& strip : strips_) {
      in_flight_ += strip->state.in_flight;
      was_busy_ |= strip->was_busy();
      is_done_ &= strip->processors.done();
      has_fault_ |= strip->state.router_fault || strip->state.processor_fault;
    }
  }

 private:
  void run_strip(std::size_t s) {
    strips_[s]->run(now_, s > 0 ? strips_[s - 1].get() : nullptr,
                    s + 1 < strips_.size() ? strips_[s + 1].get() : nullptr);
  }

  Strips& strips_;
  std::int64_t least_in_flight_;
  Tick now_ = 0;
  std::int64_t in_flight_ = 0;
  bool was_busy_ = false;
  bool is_done_ = false;
  bool has_fault_ = false;
  Crew crew_;
};

Strips make_strips(Fabric& fabric, const PreparedProgram& prepared, const SimulateOptions& options, std::size_t count) {
  Strips strips;
  const auto nodes = static_cast<NodeId>(fabric.program.class_of.size());
  for (const NodeRange range : cut(fabric.program.mesh(), nodes, count)) {
    strips.push_back(std::make_unique<Strip>(
        fabric, prepared, range,
        Strip::Options{
            .processors = {.calls = std::max(1, options.calls), .seed = options.seed, .initial = options.initial},
            .is_recorded = options.timeline}));
  }
  return strips;
}

Timeline timeline_of(Strips& strips) {
  Recorder& all = *strips.front()->state.recorder;
  for (std::size_t s = 1; s < strips.size(); ++s) all.add(std::move(*strips[s]->state.recorder));
  return std::move(all).finish();
}

}  // namespace

Result simulate(const WaferProgram& program, const SimulateOptions& options) {
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  const std::size_t strips =
      std::min({at(std::max(options.threads, 1)), cores, program.class_of.size() / kLeastProcessors});
  return simulate(program, options, {.strips = strips, .least_in_flight = kLeastInFlight});
}

Result simulate(const WaferProgram& program, const SimulateOptions& options, const Spread& spread) {
  MUSTER_ASSERT(!program.exchanges() || program.extent[0] == program.extent[1], "buffers of two lengths are exchanged");
  Fabric fabric(program);
  const PreparedProgram prepared(fabric);
  Strips strips = make_strips(fabric, prepared, options, spread.strips);
  Cycle cycle(strips, spread.least_in_flight);
  const Tick patience = longest_delay(program.mesh(), prepared.longest_element);
  const auto give_up = static_cast<Tick>(std::min<std::int64_t>(options.give_up.value(), kMostCycles - patience));
  std::optional<Fault> fault;
  Tick last_change = 0;
  Tick now = 0;
  for (cycle.look(); !fault && !cycle.is_over(); ++now) {
    cycle.run(now);
    if (cycle.has_fault()) fault = first_fault(strips, program.mesh().arbitration);
    if (cycle.was_busy()) last_change = now;
    if (now - last_change > patience) fault = standstill(fabric, strips, last_change + 1);
    if (now >= give_up && !fault) fault = gave_up(cycle.in_flight(), now);
    if (options.progress && now % kProgressEvery == 0) options.progress(Cycles(now));
  }
  if (!fault) fault = switch_left_over(fabric, now);
  Result result = make_result(fabric, strips, std::move(fault));
  if (options.timeline) result.timeline = timeline_of(strips);
  return result;
}

}  // namespace muster::wafer
