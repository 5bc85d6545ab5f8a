// A shot on a simulated wafer: proven, lowered, and run by the cycle engine with the shot's own data.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "app/seismic/file/gather.h"
#include "app/seismic/shot.h"
#include "base/units.h"
#include "machine/machine.h"
#include "result/result.h"

namespace muster::stencil {

struct ShotOptions {
  std::int64_t number = 1;  ///< of the shots of a file that repeats them
  std::int64_t block = 0;   ///< cells that are sent at a time; 0: the fewest blocks that fit
  int threads = 1;          ///< of the simulator; the answer does not depend on them
  std::function<void(Ticks)> progress;
};

struct ShotOnWafer {
  std::vector<seismic::Gather> gathers;  ///< one per set of receivers and field, as `muster seismic run` writes them
  std::vector<float> wavefield;          ///< the pressure after the last step, x slowest, z fastest
  double energy = 0;                     ///< the sum of its squares, which the host computes
  std::int64_t block = 0;                ///< cells
  double error_probability = 0;          ///< of the proof
  Result result;                         ///< cycles, loads; without outputs
};

/// On as many PEs as the grid has columns and rows; `machine` is a wafer of any shape that has them. Throws InputError where make_wafer_shot() does and
/// where the machine lacks something, and NothingFits if the field becomes infinite or not a number, or the run takes more cycles than the simulator counts.
ShotOnWafer run_shot(const seismic::Shot& shot, const Machine& machine, const ShotOptions& options = {});

}  // namespace muster::stencil
