// The plain cycle-level simulator: all decisions of a cycle see the state at its start, then everything moves.
#include <algorithm>

#include "backend/wafer/simulate/make_result.h"
#include "backend/wafer/simulate/processor.h"
#include "backend/wafer/simulate/router.h"
#include "backend/wafer/wafer.h"

namespace muster::wafer {
namespace {

constexpr std::int64_t kProgressEvery = 1 << 16;  ///< cycles

/// If nothing has moved for this long, nothing will: no delay in the machine is longer.
std::int64_t longest_delay(const Mesh& mesh, const Processors& processors) {
  return mesh.operation_start.value() + mesh.receive_gap.value() + mesh.hop_latency.value() +
         2 * mesh.ramp_latency.value() + processors.longest_element() + 4;
}

}  // namespace

Result simulate(const WaferProgram& program, const SimulateOptions& options) {
  Fabric fabric(program);
  Routers routers(fabric);
  Processors processors(fabric, routers, std::max(1, options.calls), options.seed);
  const std::int64_t patience = longest_delay(program.mesh(), processors);
  std::int64_t last_change = 0;
  std::int64_t now = 0;
  for (; !fabric.fault && !(processors.done() && fabric.in_flight == 0); ++now) {
    routers.decide(now);
    const bool worked = processors.run(now);
    routers.commit(
        now, [&](NodeId node, std::int64_t ready) { processors.wake(node, std::max(ready, now + 1)); },
        [&](NodeId node) { processors.wake(node, now + 1); });
    if (worked || routers.moved()) last_change = now;
    if (now - last_change > patience) fabric.fault = standstill(fabric, processors, last_change + 1);
    if (now >= options.give_up.value() && !fabric.fault) fabric.fault = gave_up(fabric, now);
    if (options.progress && now % kProgressEvery == 0) options.progress(Cycles(now));
  }
  if (!fabric.fault) fabric.fault = switch_left_over(fabric, now);
  return make_result(fabric, processors);
}

}  // namespace muster::wafer
