// Blocks stream along x. Planes of the pressure come into a ring in shared memory, filled by the copy engine (TMA) ahead of their use; a
// thread keeps the column of its four cells in registers, and finds its neighbours along y and z in the ring.
//
// In CPMLs, memory variables are updated where they are used if a block holds all that is needed: along x they stay in registers, as
// blocks of a layer of x stream through the whole layer; along z, a layer lies within one tile, and threads of a row exchange them.
// Those of y have a kernel of their own before.
#include "app/seismic/cuda/constant_density.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "app/seismic/cuda/check.cuh"
#include "app/seismic/cuda/plane_ring.cuh"
#include "app/seismic/cuda/pressure_column.cuh"
#include "app/seismic/cuda/tiles.cuh"
#include "app/seismic/cuda/vector.cuh"
#include "app/seismic/equation/acoustic_iso_cd.h"

namespace muster::seismic {
namespace constant_density {
namespace {

/// What a thread reads of a plane besides the pressure, one plane ahead of its use.
struct Ahead {
  Four before;
  Four parameter;

  __device__ __forceinline__ Ahead(const View<float>& view, std::int64_t offset, bool is_inside)
      : before(is_inside ? load_once(view.before[AcousticIsoCd::p] + offset) : all<4>(0)),
        parameter(is_inside ? load_once(view.parameters[AcousticIsoCd::velocity_squared] + offset) : all<4>(0)) {}
};

__device__ __forceinline__ void write(float* to, const Four& value, int z, int extent) {
  if (z + 4 <= extent) return store_once(to, value);
  for (int i = 0; i < 4; ++i) {
    if (z + i < extent) to[i] = value[i];
  }
}

template <bool HasDamping, bool IsInX, bool IsInYZ>
__device__ __forceinline__ void stream(const View<float>& view, const Ring& ring, int first_x, int last_x) {
  using Cells = Column<IsInX, IsInYZ>;
  const int y = ring.y + static_cast<int>(threadIdx.y);
  const int z = ring.z + kRadius - static_cast<int>(kFront) + 4 * static_cast<int>(threadIdx.x);
  const int own = (static_cast<int>(threadIdx.y) + kRadius) * kTileRow + kRadius + 4 * static_cast<int>(threadIdx.x);
  const bool is_inside = y < view.axes.y.extent && z >= 0 && z < view.axes.z.extent;
  const bool is_lead = threadIdx.x == 0 && threadIdx.y == 0;
  Cells cells{view, ring, own, y, z, is_inside, first_x, last_x, {}, {}};
  cells.find_layers();
  if (is_lead) {
    ring.prepare();
    for (int s = 0; s < kStages; ++s) ring.request(ring.first + s);
  }
  __syncthreads();
  // The column fills. Planes before the first one that is updated are needed for nothing else.
#pragma unroll 1
  for (int plane = ring.first; plane < first_x + Cells::kLead; ++plane) {
    cells.push(plane);
    if constexpr (IsInX) {
      const int x = plane - Cells::kLead;
      cells.push_psi(x, cells.has_psi_x(x + 3) ? load_once(view.psi[kSlotX] + cells.offset_x(x + 3)) : all<4>(0));
    }
    if (plane >= first_x) continue;
    __syncthreads();
    if (is_lead) ring.request(plane + kStages);
  }
  std::int64_t offset = view.offset(first_x, y, z);
  Ahead next(view, offset, is_inside);
  Remembered<IsInX, IsInYZ> next_memory = cells.recall(first_x);
  float damping_y = 1;
  Four damping_z = all<4>(1);
  if (HasDamping && is_inside) {
    damping_y = view.axes.y.damping[0][y];
    damping_z = load<4>(view.axes.z.damping[0] + z);
  }
#pragma unroll 1
  for (int x = first_x; x < last_x; ++x) {
    const Ahead now = next;
    Remembered<IsInX, IsInYZ> memory = next_memory;
    if (x + 1 < last_x) {
      next = Ahead(view, offset + view.axes.x.stride, is_inside);
      next_memory = cells.recall(x + 1);
      cells.prefetch_psi_y(x + 1);
    }
    const Four slope_y = cells.is_in_y ? cells.slope_of_psi_y(x) : all<4>(0);
    cells.push(x + Cells::kLead);
    if constexpr (IsInX) cells.push_psi(x, memory.psi_x);
    const float* plane = ring[x];
    Four rate = cells.along_x(x, memory.zeta_x);
    rate = rate + cells.along_y(x, plane, slope_y, memory.zeta_y);
    rate = rate + cells.along_z(x, plane, memory);
    const Four& u = cells.values[4];
    Four value;
    if constexpr (HasDamping) {
      const Four damped = (view.axes.x.damping[0][x] * damping_y) * damping_z;
      value = damped * fused(now.parameter, rate, fused(-1 * damped, now.before, u + u));
    } else {
      value = fused(now.parameter, rate, (u + u) - now.before);
    }
    if (is_inside) write(view.before[AcousticIsoCd::p] + offset, value, z, static_cast<int>(view.axes.z.extent));
    offset += view.axes.x.stride;
    __syncthreads();
    if (is_lead) ring.request(x + kStages);
  }
}

template <bool HasDamping, bool IsInX, Part Which>
__global__ void __launch_bounds__(kThreads, 3 - (IsInX ? 1 : 0) - (Which == Part::frame ? 1 : 0))
    update_pressure(const __grid_constant__ CUtensorMap map, const __grid_constant__ View<float> view,
                    const __grid_constant__ Job job) {
  extern __shared__ __align__(128) float planes[];
  __shared__ std::uint64_t barriers[kStages];
  const int range = static_cast<int>(blockIdx.y) < job.chunks ? 0 : 1;
  const int chunk = static_cast<int>(blockIdx.y) - (range == 0 ? 0 : job.chunks);
  const int first_x = job.first_x[range] + chunk * job.chunk;
  const int last_x = min(first_x + job.chunk, job.last_x[range]);
  int y = 0;
  int z = 0;
  find_tile<Which>(job, y, z);
  const Ring ring{&map, planes, barriers, y, z - kRadius + static_cast<int>(kFront), first_x - kRadius, last_x + kRadius};
  stream<HasDamping, IsInX, Which == Part::frame>(view, ring, first_x, last_x);
}

/// psi of the layers of y, four cells a thread.
__global__ void __launch_bounds__(256) update_psi_y(const __grid_constant__ View<float> view) {
  const AxisView<float>& along = view.axes.y;
  const int z = 4 * static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const int x = static_cast<int>(blockIdx.z);
  if (z >= view.axes.z.extent || row >= along.layer_low + along.layer_high) return;
  const int y = row < along.layer_low ? row : row + static_cast<int>(along.extent - along.layer_low - along.layer_high);
  const float* at = view.fields[AcousticIsoCd::p] + view.offset(x, y, z);
  const Four slope =
      first_derivative<true>(along.staggered, [&](int m) { return load<4>(at + m * static_cast<int>(along.stride)); });
  float* memory = view.psi[kSlotY] + view.memory_offset(Axis::y, x, y, z);
  store(memory, recur(along.a[1][y], along.b[1][y], slope, load_once(memory)));
}

constexpr std::int64_t kMostBlocks = 65535;  // of a launch along its third axis: CUDA programming guide, compute capability 9.0

class ConstantDensity final : public Kernels<float> {
 public:
  explicit ConstantDensity(std::unique_ptr<Kernels<float>> others) : others_(std::move(others)) {}

  void update_memory(const View<float>& view, std::size_t phase, const Box& box) const override {
    if (!takes(view, box)) return others_->update_memory(view, phase, box);
    const AxisView<float>& along = view.axes.y;
    const std::int64_t rows = along.layer_low + along.layer_high;
    if (rows == 0) return;
    const dim3 threads(32, 8);
    const auto blocks = [](std::int64_t cells, std::int64_t per_block) {
      return static_cast<unsigned>((cells + per_block - 1) / per_block);
    };
    const dim3 grid(blocks(view.axes.z.extent, 128), blocks(rows, 8), static_cast<unsigned>(view.axes.x.extent));
    update_psi_y<<<grid, threads>>>(view);
    check_launch("update_psi_y");
  }

  void update(const View<float>& view, std::size_t phase, const Box& box) const override {
    if (!takes(view, box)) return others_->update(view, phase, box);
    view.has_damping ? update_all<true>(view) : update_all<false>(view);
  }

 private:
  template <bool HasDamping>
  void update_all(const View<float>& view) const {
    const AxisView<float>& along = view.axes.x;
    const int low = static_cast<int>(along.layer_low);
    const int high = static_cast<int>(along.extent - along.layer_high);
    const int shift = tile_shift(view.axes.z);
    const Tiles tiles = tiles_of(view, shift);
    Job job{{low, 0}, {high, 0}, chunk_of(tiles.all(), high - low), 0, shift, tiles};
    job.chunks = (high - low + job.chunk - 1) / job.chunk;
    const int frame = tiles.all() - tiles.inner();
    const int widest = std::max(low, static_cast<int>(along.layer_high));
    const Job in_x{{0, high}, {low, static_cast<int>(along.extent)}, widest, low > 0 ? 1 : 0, shift, tiles};
    if (widest > 0) {
      launch<HasDamping, true, Part::frame>(view, in_x, frame);
      launch<HasDamping, true, Part::inner>(view, in_x, tiles.inner());
    }
    launch<HasDamping, false, Part::frame>(view, job, frame);
    launch<HasDamping, false, Part::inner>(view, job, tiles.inner());
  }

  static bool takes(const View<float>& view, const Box& box) {
    const PerAxis<AxisView<float>>& axes = view.axes;
    const bool is_whole = box == whole({axes.x.extent, axes.y.extent, axes.z.extent});
    return view.radius == kRadius && is_whole && !view.is_multiaxial && tile_shift(axes.z) >= 0 &&
           axes.x.extent - axes.x.layer_low - axes.x.layer_high > 0 && axes.x.extent <= kMostBlocks;
  }

  template <bool HasDamping, bool IsInX, Part Which>
  static void launch(const View<float>& view, const Job& job, int tiles) {
    const int chunks = job.chunks + (job.last_x[1] > job.first_x[1] ? 1 : 0);
    if (tiles == 0 || chunks == 0) return;
    constexpr int kBytes = kStages * kStage * 4;
    const auto kernel = update_pressure<HasDamping, IsInX, Which>;
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes), "shared memory");
    const dim3 grid(static_cast<unsigned>(tiles), static_cast<unsigned>(chunks));
    kernel<<<grid, dim3(kTileZ / 4, kTileY), kBytes>>>(tensor_map(view), view, job);
    check_launch("update_pressure");
  }

  std::unique_ptr<Kernels<float>> others_;
};

}  // namespace
}  // namespace constant_density

std::unique_ptr<Kernels<float>> with_constant_density(std::unique_ptr<Kernels<float>> others) {
  return std::make_unique<constant_density::ConstantDensity>(std::move(others));
}

}  // namespace muster::seismic
