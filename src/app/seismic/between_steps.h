// What a run does between two steps besides moving waves.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "app/seismic/file/gather.h"
#include "app/seismic/processes.h"
#include "app/seismic/run.h"
#include "app/seismic/wave_fields.h"

namespace muster::seismic {

/// A shot of a run, under way.
template <class Real>
struct ShotUnderWay {
  const Shot& shot;
  const RunOptions& options;
  Processes& processes;
  std::int64_t number = 1;  ///< counted from 1
  const WaveFields<Real>& fields;
  std::function<const std::vector<Gather>&()> gathers;  ///< that it will write, as far as they are known
};

/// After a step: refuses fields that are not finite, from time to time; writes the snapshots and the checkpoint that are due; ends the run if
/// it is interrupted; tells the progress.
template <class Real>
void look_after(const ShotUnderWay<Real>& under_way);

extern template void look_after(const ShotUnderWay<float>&);
extern template void look_after(const ShotUnderWay<double>&);

}  // namespace muster::seismic
