// What a build without CUDA has instead of target.cpp.
#include "app/seismic/cuda/target.h"
#include "base/error.h"

namespace muster::seismic {

std::unique_ptr<Engine<float>> make_cuda_engine(std::string_view /*propagator*/, const GridOptions& /*options*/,
                                                const Model& /*model*/) {
  reject("--target cuda: this Muster was built without CUDA; use --target cpu, or build with -DMUSTER_CUDA=ON");
}

std::int64_t cuda_engines_that_fit(std::string_view /*propagator*/, const GridOptions& /*options*/,
                                   std::int64_t /*points*/) {
  return 0;
}

}  // namespace muster::seismic
