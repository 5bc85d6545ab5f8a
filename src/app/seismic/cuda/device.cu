#include "app/seismic/cuda/device.h"

#include "app/seismic/cuda/check.cuh"

namespace muster::seismic {

bool find_device(DeviceInfo& info, std::string& reason) {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
    reason = "this machine has no GPU that CUDA can use";
    return false;
  }
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0), "properties of the device");
  info.name = properties.name;
  if (properties.major < 9) {
    reason = info.name + " has compute capability " + std::to_string(properties.major) + "." +
             std::to_string(properties.minor) + ", and the kernels need 9.0";
    return false;
  }
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  check(cudaMemGetInfo(&free_bytes, &total_bytes), "free memory");
  info.free_bytes = static_cast<std::int64_t>(free_bytes);
  return true;
}

void* allocate_on_device(std::size_t bytes) {
  void* data = nullptr;
  const cudaError_t error = cudaMalloc(&data, bytes);
  if (error == cudaErrorMemoryAllocation) {
    cudaGetLastError();  // or the next launch would seem to fail
    refuse_for_memory(static_cast<std::int64_t>(bytes));
  }
  check(error, "allocate");
  return data;
}

void free_on_device(void* data) noexcept { cudaFree(data); }

void copy_to_device(void* to, const void* from, std::size_t bytes) {
  check(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "copy to the device");
}

void copy_from_device(void* to, const void* from, std::size_t bytes) {
  check(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "copy from the device");
}

void wait_for_device() { check(cudaStreamSynchronize(cudaStreamPerThread), "wait for the device"); }

}  // namespace muster::seismic
