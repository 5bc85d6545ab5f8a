// The processes of an MPI run.
#pragma once

#include <memory>

#include "app/seismic/processes.h"

namespace muster::seismic {

/// MPI begins with it and ends with it. Throws InputError if Muster was built without MPI.
std::unique_ptr<Processes> mpi_processes();

}  // namespace muster::seismic
