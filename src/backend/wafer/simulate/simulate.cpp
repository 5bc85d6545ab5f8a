// The plain cycle-level simulator: every wavelet in every cycle, and all decisions of a cycle see the state at its
// start. So routers and processors can be run in any order, or in strips on several threads.
#include <algorithm>
#include <thread>

#include "backend/wafer/simulate/alike.h"
#include "backend/wafer/simulate/borderless.h"
#include "backend/wafer/simulate/engine.h"
#include "backend/wafer/simulate/make_result.h"
#include "backend/wafer/wafer.h"
#include "base/counted.h"
#include "base/crew.h"
#include "base/error.h"
#include "base/index.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

constexpr Tick kProgressEvery = 1 << 16;  ///< cycles
constexpr Tick kFirstQuestion = 1 << 6;   ///< cycles until EngineOptions::goes_on is asked; then after twice as many

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

Strips make_strips(Fabric& fabric, const PreparedProgram& prepared, const SimulateOptions& options,
                   const EngineOptions& engine) {
  Strips strips;
  const auto nodes = static_cast<NodeId>(fabric.program.class_of.size());
  for (const NodeRange range : cut(fabric.program.mesh(), nodes, engine.spread.strips)) {
    strips.push_back(std::make_unique<Strip>(
        fabric, prepared, range,
        Strip::Options{
            .processors = {.calls = std::max(1, options.calls), .seed = options.seed, .initial = options.initial},
            .is_recorded = options.timeline,
            .has_history = engine.keeps_histories}));
  }
  return strips;
}

Timeline timeline_of(Strips& strips) {
  Recorder& all = *strips.front()->state.recorder;
  for (std::size_t s = 1; s < strips.size(); ++s) all.add(std::move(*strips[s]->state.recorder));
  return std::move(all).finish();
}

std::vector<std::uint64_t> histories_of(const Fabric& fabric, const Strips& strips) {
  std::vector<std::uint64_t> all;
  for (const auto& strip : strips) {
    if (!strip->state.history) return {};
    for (NodeId node = strip->state.nodes.first; node < strip->state.nodes.end; ++node) {
      std::uint64_t sum = 0;
      for (const Cell& cell : fabric.cells_of(node)) {
        const auto id = static_cast<std::int32_t>(&cell - fabric.cells.data());
        sum = History::mixed(sum ^ strip->state.history->of_cell(id));
      }
      all.push_back(sum);
    }
  }
  return all;
}

}  // namespace

Spread usual_spread(const SimulateOptions& options, std::size_t processors) {
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  return {.strips = std::min({at(std::max(options.threads, 1)), cores, processors / kLeastProcessors}),
          .least_in_flight = kLeastInFlight};
}

bool may_skip(const WaferProgram& program, const SimulateOptions& options) {
  return options.times_only && !options.timeline && options.calls <= 1 && program.steps > 2 && !program.has_pages();
}

Result simulate(const WaferProgram& program, const SimulateOptions& options) {
  const EngineOptions engine{.spread = usual_spread(options, program.class_of.size()),
                             .skips_repetitions = may_skip(program, options)};
  if (options.borderless) return simulate_borderless(program, options);
  if (auto alike = simulate_alike(program, options, {.engine = engine})) return *std::move(alike);
  EngineRun run = run_cycles(program, options, engine);
  run.result.note = note_of(run.skipped);
  return std::move(run.result);
}

Result simulate(const WaferProgram& program, const SimulateOptions& options, const Spread& spread) {
  return run_cycles(program, options, {.spread = spread}).result;
}

EngineRun run_cycles(const WaferProgram& program, const SimulateOptions& options, const EngineOptions& engine) {
  MUSTER_ASSERT(!program.exchanges() || program.extent[0] == program.extent[1], "buffers of two lengths are exchanged");
  Fabric fabric(program, engine.wraps);
  const PreparedProgram prepared(fabric);
  Strips strips = make_strips(fabric, prepared, options, engine);
  std::optional<Repetition> repetition;
  if (engine.skips_repetitions) repetition.emplace(fabric, strips);
  const auto skipped_cycles = [&] { return repetition ? repetition->skipped().cycles : 0; };
  Cycle cycle(strips, engine.spread.least_in_flight);
  const Tick patience = longest_delay(program.mesh(), prepared.longest_element);
  std::optional<Fault> fault;
  Tick last_change = 0;
  Tick next_question = kFirstQuestion;
  Tick now = 0;
  for (cycle.look(); !fault && !cycle.is_over(); ++now) {
    if (repetition) repetition->look(now);
    if (engine.goes_on && now == next_question) {
      if (!engine.goes_on(histories_of(fabric, strips))) return {};
      next_question *= 2;
    }
    cycle.run(now);
    if (cycle.has_fault()) fault = first_fault(strips, program.mesh().arbitration);
    if (cycle.was_busy()) last_change = now;
    if (now - last_change > patience) fault = standstill(fabric, strips, last_change + 1);
    const bool is_late = now >= kMostCycles - patience || now + skipped_cycles() >= options.give_up.value();
    if (is_late && !fault) fault = gave_up(cycle.in_flight(), now + skipped_cycles());
    if (options.progress && now % kProgressEvery == 0) options.progress(Cycles(now + skipped_cycles()));
  }
  if (!fault) fault = switch_left_over(fabric, now);
  EngineRun run{.result = {},
                .traffic = traffic_of(fabric, strips),
                .skipped = repetition ? repetition->skipped() : Skipped{},
                .histories = histories_of(fabric, strips)};
  for (std::size_t i = 0; i < run.skipped.traffic.size(); ++i) add_to(run.traffic[i], run.skipped.traffic[i]);
  run.skipped.traffic = {};
  run.result = make_result({.fabric = fabric, .strips = strips, .traffic = run.traffic, .skipped = run.skipped},
                           std::move(fault));
  if (options.timeline) run.result.timeline = timeline_of(strips);
  return run;
}

std::string note_of(const Skipped& skipped) {
  if (skipped.steps == 0) return "";
  return fmt::format(
      "from repetition {} on, the state of the simulation returns every {}: {} repetitions, {} cycles, were left out",
      skipped.first, skipped.period == 1 ? "repetition" : fmt::format("{} repetitions", skipped.period),
      grouped(skipped.steps), grouped(skipped.cycles));
}

}  // namespace muster::wafer
