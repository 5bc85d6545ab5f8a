// What a run does between two steps besides moving waves.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "app/seismic/file/gather.h"
#include "app/seismic/processes.h"
#include "app/seismic/run.h"
#include "app/seismic/shots_in_flight.h"
#include "app/seismic/wave_fields.h"

namespace muster::seismic {

/// A shot of a run, under way.
template <class Real>
struct ShotUnderWay {
  const Shot& shot;
  const RunOptions& options;
  Processes& processes;
  ShotsInFlight& shots;
  std::int64_t number = 1;  ///< counted from 1
  WaveFields<Real>& fields;
  std::function<const std::vector<Gather>&()> gathers;  ///< that it will write, as far as they are known
};

/// After a step: refuses fields that are not finite, from time to time; writes the snapshots that are due. The first of the shots in flight also
/// writes the checkpoint that is due, ends the run if it is interrupted, and tells the progress.
template <class Real>
void look_after(const ShotUnderWay<Real>& under_way);

extern template void look_after(const ShotUnderWay<float>&);
extern template void look_after(const ShotUnderWay<double>&);

}  // namespace muster::seismic
