#include "app/stencil/run_shot.h"

#include <cmath>
#include <limits>
#include <utility>

#include "app/stencil/wafer_shot.h"
#include "backend/capabilities.h"
#include "base/error.h"
#include "machine/family.h"
#include "machine/shapes.h"
#include "plan/stages.h"
#include "schedule/verify.h"

namespace muster::stencil {
namespace {

Bytes memory_of(const Machine& machine) {
  return machine.family().memory_per_rank(machine.network).value_or(Bytes(std::numeric_limits<std::int32_t>::max()));
}

/// The static checks, then every cycle.
Result simulate_shot(const Machine& machine, const Program& program, const WaferShot& shot,
                     const ShotOptions& options) {
  if (const Checker* const checker = checker_for(machine)) {
    const ProgramCheck check = checker->check(program);
    MUSTER_ASSERT(!check.fault, "the program of a shot is wrong: {} at {}: {}", check.fault->kind,
                  check.fault->location, check.fault->message);
  }
  SimulateOptions simulate;
  simulate.engine = Engine::cycle;
  simulate.threads = options.threads;
  simulate.progress = options.progress;
  simulate.initial = initial_data_of(shot);
  Result result = simulator_for(machine, simulate).simulate(program, simulate);
  if (result.fault) {
    answer_no("the simulation of the shot ended in a fault: {} at {}: {}", result.fault->kind, result.fault->location,
              result.fault->message);
  }
  return result;
}

double energy_of(const std::vector<float>& wavefield) {
  double energy = 0;
  for (const float value : wavefield) energy += static_cast<double>(value) * static_cast<double>(value);
  if (!std::isfinite(energy))
    answer_no("the field is infinite or not a number after the last step; use a shorter time step");
  return energy;
}

}  // namespace

ShotOnWafer run_shot(const seismic::Shot& shot, const Machine& machine, const ShotOptions& options) {
  const seismic::Extent& extent = shot.grid.extent;
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  if (extent.x > kMost || extent.y > kMost) reject("grid: {}x{} columns are more than a wafer has", extent.x, extent.y);
  Job job{.machine = with_grid(machine, static_cast<std::int32_t>(extent.x), static_cast<std::int32_t>(extent.y)),
          .collective = Collective::stencil};
  const WaferShot on_wafer = make_wafer_shot(shot, memory_of(machine), options.number, options.block);
  const Schedule schedule = make_time_steps(on_wafer.step, on_wafer.steps);
  const Verdict verdict = verify(schedule, job.machine);
  MUSTER_ASSERT(verdict.verified(), "the schedule of a shot is wrong: {}", verdict.counterexample->message);
  const auto program = lower_for(job, schedule);
  if (!program) reject("grid: {}", program.reason());

  ShotOnWafer done{.block = on_wafer.step.block, .error_probability = verdict.error_probability};
  done.result = simulate_shot(job.machine, *program.value(), on_wafer, options);
  const std::vector<std::vector<Word>> outputs = std::move(done.result.outputs.front());
  done.result.outputs.clear();
  done.gathers = gathers_of(on_wafer, outputs);
  done.wavefield = wavefield_of(on_wafer, outputs);
  done.energy = energy_of(done.wavefield);
  return done;
}

}  // namespace muster::stencil
