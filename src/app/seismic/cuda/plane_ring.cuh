// A ring of planes of the pressure in shared memory, which the copy engine (TMA) fills ahead of their use.
#pragma once

#include <cuda.h>
#include <cudaTypedefs.h>

#include <cstdint>

#include "app/seismic/cuda/check.cuh"
#include "app/seismic/cuda/tiles.cuh"
#include "app/seismic/equation/acoustic_iso_cd.h"
#include "app/seismic/view.h"
#include "app/seismic/volume.h"

namespace muster::seismic::constant_density {

inline constexpr int kTileRow = kTileZ + 2 * kRadius;
inline constexpr int kPlane = kTileRow * (kTileY + 2 * kRadius);
inline constexpr int kPlaneBytes = kPlane * 4;
inline constexpr int kStage = (kPlaneBytes + 127) / 128 * 128 / 4;  ///< values from plane to plane: TMA writes to multiples of 128 bytes
inline constexpr int kStages = 10;
inline constexpr std::int64_t kFront = kRow;  ///< values before the first cell of a row (volume.h)


__device__ __forceinline__ std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

/// A ring of planes: each has a barrier that it completes when its bytes have arrived.
struct Ring {
  const CUtensorMap* map;
  float* planes;
  std::uint64_t* barriers;
  int y;  ///< of the tile in the array, halos included
  int z;
  int first;  ///< plane of the first stage
  int last;   ///< behind the last plane to come

  __device__ __forceinline__ int stage(int plane) const { return (plane - first) % kStages; }

  __device__ __forceinline__ void prepare() const {
    for (int s = 0; s < kStages; ++s) {
      asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared_address(barriers + s)));
    }
    asm volatile("fence.mbarrier_init.release.cluster;");
  }
  /// By one thread, once nobody reads the stage any more.
  __device__ __forceinline__ void request(int plane) const {
    if (plane >= last) return;
    const int s = stage(plane);
    const std::uint32_t barrier = shared_address(barriers + s);
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(barrier), "r"(kPlaneBytes) : "memory");
    asm volatile(
        "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], [%5];" ::"r"(
            shared_address(planes + s * kStage)),
        "l"(map), "r"(z), "r"(y), "r"(plane + kRadius), "r"(barrier)
        : "memory");
  }
  __device__ __forceinline__ void wait(int plane) const {
    const std::uint32_t barrier = shared_address(barriers + stage(plane));
    const std::uint32_t parity = static_cast<std::uint32_t>((plane - first) / kStages) & 1U;
    asm volatile(
        "{\n .reg .pred done;\n"
        "again: mbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n"
        " @done bra arrived;\n bra again;\n arrived:\n}" ::"r"(barrier),
        "r"(parity)
        : "memory");
  }
  __device__ __forceinline__ const float* operator[](int plane) const { return planes + stage(plane) * kStage; }
};

inline PFN_cuTensorMapEncodeTiled_v12000 encoder() {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result{};
  check(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &result),
        "cuTensorMapEncodeTiled");
  if (found == nullptr) throw CudaError("CUDA: the driver has no cuTensorMapEncodeTiled");
  return reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(found);
}

/// An array with its halos, in tiles of planes.
inline CUtensorMap tensor_map(const View<float>& view) {
  const PerAxis<AxisView<float>>& axes = view.axes;
  float* begin = view.fields[AcousticIsoCd::p] - kRadius * axes.x.stride - kRadius * axes.y.stride - kFront;
  const cuuint64_t sizes[3] = {static_cast<cuuint64_t>(axes.y.stride),
                               static_cast<cuuint64_t>(axes.y.extent + 2 * kRadius),
                               static_cast<cuuint64_t>(axes.x.extent + 2 * kRadius)};
  const cuuint64_t strides[2] = {static_cast<cuuint64_t>(axes.y.stride * 4), static_cast<cuuint64_t>(axes.x.stride * 4)};
  const cuuint32_t tile[3] = {kTileRow, kTileY + 2 * kRadius, 1};
  const cuuint32_t steps[3] = {1, 1, 1};
  CUtensorMap map;
  static const PFN_cuTensorMapEncodeTiled_v12000 kEncode = encoder();
  const CUresult result = kEncode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 3, begin, sizes, strides, tile, steps,
                                  CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                                  CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS) throw CudaError("CUDA: the copy engine refuses the array's layout");
  return map;
}

}  // namespace muster::seismic::constant_density
