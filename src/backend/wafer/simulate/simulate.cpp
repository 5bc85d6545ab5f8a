// The plain cycle-level simulator: every wavelet in every cycle, and all decisions of a cycle see the state at its
// start.
#include <algorithm>

#include "backend/wafer/simulate/make_result.h"
#include "backend/wafer/simulate/processor.h"
#include "backend/wafer/simulate/recorder.h"
#include "backend/wafer/simulate/router.h"
#include "backend/wafer/wafer.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

constexpr Tick kProgressEvery = 1 << 16;  ///< cycles

/// If nothing has moved for this long, nothing will: no delay in the machine is longer.
Tick longest_delay(const Mesh& mesh, const Processors& processors) {
  const std::int64_t element = processors.longest_element() * mesh.receive_interval.value();
  return static_cast<Tick>(mesh.operation_start.value() + mesh.receive_gap.value() + mesh.hop_latency.value() +
                           2 * mesh.ramp_latency.value() + element + 4);
}

}  // namespace

Result simulate(const WaferProgram& program, const SimulateOptions& options) {
  Fabric fabric(program);
  std::optional<Recorder> recorder;
  if (options.timeline) recorder.emplace(program);
  Recorder* const record = recorder ? &*recorder : nullptr;
  NumberSet active(program.class_of.size());
  Routers routers(fabric, active, record);
  Processors processors(fabric, routers, active,
                        {.calls = std::max(1, options.calls), .seed = options.seed, .recorder = record});
  const Tick patience = longest_delay(program.mesh(), processors);
  const auto give_up = static_cast<Tick>(std::min<std::int64_t>(options.give_up.value(), kMostCycles));
  Tick last_change = 0;
  Tick now = 0;
  for (; !fabric.fault && !(processors.done() && fabric.in_flight == 0); ++now) {
    const bool moved = routers.run(now);
    const bool worked = processors.run(now);
    if (moved || worked) last_change = now;
    if (now - last_change > patience) fabric.fault = standstill(fabric, processors, last_change + 1);
    if (now >= give_up && !fabric.fault) fabric.fault = gave_up(fabric, now);
    if (options.progress && now % kProgressEvery == 0) options.progress(Cycles(now));
  }
  if (!fabric.fault) fabric.fault = switch_left_over(fabric, now);
  Result result = make_result(fabric, processors);
  if (recorder) result.timeline = std::move(*recorder).finish();
  return result;
}

}  // namespace muster::wafer
