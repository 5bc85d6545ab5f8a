// How long the processes of a shot would communicate on a described machine.
#pragma once

#include "app/seismic/shot.h"
#include "machine/machine.h"
#include "result/wavefield.h"

namespace muster::seismic {

/// One process per NPU. Exchanges are schedules like any other, proven and simulated, and the sum is planned. Throws InputError if
/// the machine is no cluster, or the grid too small for so many processes.
CommunicationPrediction predict(const Shot& shot, const Machine& machine);

}  // namespace muster::seismic
