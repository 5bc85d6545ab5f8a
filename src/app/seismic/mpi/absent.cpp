// A build without MPI.
#include "app/seismic/mpi/mpi_processes.h"
#include "base/error.h"

namespace muster::seismic {

std::unique_ptr<Processes> mpi_processes() {
  reject("--target mpi: this Muster was built without MPI; install libopenmpi-dev and build again");
}

}  // namespace muster::seismic
