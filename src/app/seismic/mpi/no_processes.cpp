// A build without MPI.
#include "app/seismic/mpi/processes.h"
#include "base/error.h"

namespace muster::seismic {

Processes::Processes() {
  reject("--target mpi: this Muster was built without MPI; install libopenmpi-dev and build again");
}
Processes::~Processes() = default;

template <class Real>
std::unique_ptr<Exchange<Real>> Processes::exchange(const Decomposition& /*decomposition*/) {
  return nullptr;
}

template std::unique_ptr<Exchange<float>> Processes::exchange(const Decomposition&);
template std::unique_ptr<Exchange<double>> Processes::exchange(const Decomposition&);

}  // namespace muster::seismic
