// Results of CUDA's calls.
#pragma once

#include <cuda_runtime.h>

#include <string>

#include "app/seismic/cuda/device.h"

namespace muster::seismic {

inline void check(cudaError_t result, const char* what) {
  if (result != cudaSuccess) throw CudaError(std::string("CUDA: ") + what + ": " + cudaGetErrorString(result));
}

/// Behind a launch.
inline void check_launch(const char* kernel) { check(cudaGetLastError(), kernel); }

}  // namespace muster::seismic
