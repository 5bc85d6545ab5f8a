#include "app/seismic/cuda/finite.h"

#include "app/seismic/cuda/check.cuh"

namespace muster::seismic {
namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned long long kNone = ~0ULL;

struct Cells {
  Extent extent;
  std::int64_t stride_x;
  std::int64_t stride_y;
};

/// A block has a row of cells along z; only what is wrong costs an atomic operation.
__global__ void __launch_bounds__(kThreads) find_not_finite(const float* field, const Cells cells, unsigned long long* found) {
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x);
  const float* values = field + row / cells.extent.y * cells.stride_x + row % cells.extent.y * cells.stride_y;
  for (std::int64_t z = threadIdx.x; z < cells.extent.z; z += kThreads) {
    if (!isfinite(values[z])) atomicMin(found, static_cast<unsigned long long>(row * cells.extent.z + z));
  }
}

}  // namespace

std::int64_t first_not_finite_on_device(const float* field, const Layout& layout, DeviceArray<unsigned long long>& found) {
  const Extent& extent = layout.extent();
  unsigned long long number = kNone;
  found.upload(&number);
  const Cells cells{extent, layout.stride(Axis::x), layout.stride(Axis::y)};
  find_not_finite<<<static_cast<unsigned>(extent.x * extent.y), kThreads>>>(field, cells, found.data());
  check_launch("find_not_finite");
  found.download(&number);
  return number == kNone ? -1 : static_cast<std::int64_t>(number);
}

}  // namespace muster::seismic
