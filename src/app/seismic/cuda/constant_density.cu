// Blocks stream along x. Planes of the pressure come into a ring in shared memory, filled by the copy engine (TMA) ahead of their use; a
// thread keeps the column of its four cells in registers, and finds its neighbours along y and z in the ring.
//
// In CPMLs, memory variables are updated where they are used if a block holds all that is needed: along x they stay in registers, as
// blocks of a layer of x stream through the whole layer; along z, a layer lies within one tile, and threads of a row exchange them.
// Those of y have a kernel of their own before. All sums are those of cell.h, in the same order.
#include "app/seismic/cuda/constant_density.h"

#include <cuda.h>
#include <cudaTypedefs.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "app/seismic/cuda/check.cuh"
#include "app/seismic/cuda/vector.cuh"
#include "app/seismic/equation/acoustic_iso_cd.h"

namespace muster::seismic {
namespace {

constexpr int kRadius = 4;
constexpr int kTileY = 16;
constexpr int kTileZ = 64;
constexpr int kTileRow = kTileZ + 2 * kRadius;
constexpr int kPlane = kTileRow * (kTileY + 2 * kRadius);
constexpr int kPlaneBytes = kPlane * 4;
constexpr int kStage = (kPlaneBytes + 127) / 128 * 128 / 4;  ///< values from plane to plane: TMA writes to multiples of 128 bytes
constexpr int kStages = 10;
constexpr int kThreads = kTileY * kTileZ / 4;
constexpr std::int64_t kFront = kRow;  ///< values before the first cell of a row (volume.h)

/// Slots of the derivatives along x, y and z.
enum : int { kSlotX, kSlotY, kSlotZ };

/// The tiles of a plane, and those of them that no layer of y or z touches: from `first` up to `last`.
struct Tiles {
  int count_y;
  int count_z;
  int first_y;
  int last_y;
  int first_z;
  int last_z;

  [[nodiscard]] int all() const { return count_y * count_z; }
  [[nodiscard]] int inner() const { return (last_y - first_y) * (last_z - first_z); }
};

enum class Part : unsigned char { inner, frame };

/// Which cells a launch updates.
struct Job {
  int first_x[2];  ///< of up to two ranges of x
  int last_x[2];
  int chunk;   ///< planes of a block
  int chunks;  ///< of the first range
  int shift;   ///< of the tiles, towards low z
  Tiles tiles;
};

/// The tile of a block: the first cell of it along y and z.
template <Part Which>
__device__ __forceinline__ void find_tile(const Job& job, int& y, int& z) {
  const Tiles& tiles = job.tiles;
  int number = static_cast<int>(blockIdx.x);
  if constexpr (Which == Part::inner) {
    const int width = tiles.last_z - tiles.first_z;
    y = tiles.first_y + number / width;
    z = tiles.first_z + number % width;
  } else {
    // The rows of tiles before and behind the inner ones, then what is left beside those.
    const int across = (tiles.count_y - tiles.last_y + tiles.first_y) * tiles.count_z;
    if (number < across) {
      y = number / tiles.count_z;
      z = number % tiles.count_z;
      if (y >= tiles.first_y) y += tiles.last_y - tiles.first_y;
    } else {
      number -= across;
      const int width = tiles.count_z - tiles.last_z + tiles.first_z;
      y = tiles.first_y + number / width;
      z = number % width;
      if (z >= tiles.first_z) z += tiles.last_z - tiles.first_z;
    }
  }
  y *= kTileY;
  z = z * kTileZ - job.shift;
}

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

/// b remembered + a value.
__device__ __forceinline__ Four recur(const Four& a, const Four& b, const Four& value, const Four& remembered) {
  return fused(a, value, b * remembered);
}
__device__ __forceinline__ Four recur(float a, float b, const Four& value, const Four& remembered) {
  return fused(a, value, b * remembered);
}

/// The staggered derivative of at(shift) to half-way behind the node, or back from there.
template <bool IsForward, class At>
__device__ __forceinline__ Four first_derivative(const float* weights, const At& at) {
  constexpr int kAhead = IsForward ? 0 : -1;
  constexpr int kBehind = IsForward ? 1 : 0;
  Four sum = weights[0] * (at(1 + kAhead) - at(kBehind - 1));
#pragma unroll
  for (int m = 2; m <= kRadius; ++m) sum = fused(weights[m - 1], at(m + kAhead) - at(kBehind - m), sum);
  return sum;
}

template <class At>
__device__ __forceinline__ Four second_derivative(const AxisView<float>& along, const At& at) {
  Four sum = along.central_middle * at(0);
#pragma unroll
  for (int m = 1; m <= kRadius; ++m) sum = fused(along.central[m - 1], at(m) + at(-m), sum);
  return sum;
}

/// value + derivative of psi, and zeta of that.
template <class Factor>
__device__ __forceinline__ Four stretch(const Four& value, const Four& of_psi, Four& zeta, const Factor& a,
                                        const Factor& b) {
  const Four stretched = value + of_psi;
  zeta = recur(a, b, stretched, zeta);
  return stretched + zeta;
}

/// Memory of the layers that a thread needs for a plane, loaded one plane ahead of its use.
template <bool IsInX, bool IsInYZ>
struct Remembered {
  Four psi_x;  ///< of plane x + 3
  Four zeta_x;
  Four zeta_y;
  Four psi_z;
  Four zeta_z;
};

/// The four cells of a thread.
template <bool IsInX, bool IsInYZ>
struct Column {
  static constexpr int kLead = IsInX ? 7 : 4;  ///< planes that the column reaches ahead
  static constexpr int kLength = kLead + kRadius + 1;

  const View<float>& view;
  const Ring& ring;
  int own;  ///< offset in a plane of the ring
  int y;
  int z;
  bool is_inside;
  int first_x;
  int last_x;
  Four values[kLength];  ///< of planes x - 4 to x + kLead
  Four psi[IsInX ? 8 : 1];  ///< along x, of planes x - 4 to x + 3
  bool is_in_y;
  bool is_in_z[4];
  bool is_any_in_z;

  __device__ __forceinline__ void find_layers() {
    is_in_y = IsInYZ && is_inside && view.is_in_layer(Axis::y, y);
    is_any_in_z = false;
    for (int i = 0; i < 4; ++i) {
      is_in_z[i] = IsInYZ && is_inside && z + i < view.axes.z.extent && view.is_in_layer(Axis::z, z + i);
      is_any_in_z |= is_in_z[i];
    }
  }

  [[nodiscard]] __device__ __forceinline__ bool has_psi_x(int plane) const {
    return IsInX && is_inside && plane >= first_x && plane < last_x;
  }
  [[nodiscard]] __device__ __forceinline__ std::int64_t offset_x(int plane) const {
    return view.memory_offset(Axis::x, plane, y, z);
  }
  [[nodiscard]] __device__ __forceinline__ std::int64_t offset_y(int x) const {
    return view.memory_offset(Axis::y, x, y, z);
  }
  /// A group that reaches out of the layer is at its inner face.
  [[nodiscard]] __device__ __forceinline__ std::int64_t offset_z(int x) const {
    const int inside = is_in_z[0] ? z : z + 3;
    return view.memory_offset(Axis::z, x, y, inside) - (inside - z);
  }

  [[nodiscard]] __device__ __forceinline__ Remembered<IsInX, IsInYZ> recall(int x) const {
    Remembered<IsInX, IsInYZ> memory;
    if (IsInX && has_psi_x(x + 3)) memory.psi_x = load_once(view.psi[kSlotX] + offset_x(x + 3));
    if (IsInX && has_psi_x(x)) memory.zeta_x = load_once(view.zeta[kSlotX] + offset_x(x));
    if (is_in_y) memory.zeta_y = load_once(view.zeta[kSlotY] + offset_y(x));
    if (is_any_in_z) {
      memory.psi_z = load_once(view.psi[kSlotZ] + offset_z(x));
      memory.zeta_z = load_once(view.zeta[kSlotZ] + offset_z(x));
    }
    return memory;
  }

  __device__ __forceinline__ void push(int plane) {
#pragma unroll
    for (int k = 0; k + 1 < kLength; ++k) values[k] = values[k + 1];
    if (plane >= ring.last) return;
    ring.wait(plane);
    values[kLength - 1] = load<4>(ring[plane] + own);
  }

  /// psi of plane x + 3, from what it was.
  __device__ __forceinline__ void push_psi(int x, const Four& remembered) {
#pragma unroll
    for (int k = 0; k < 7; ++k) psi[k] = psi[k + 1];
    psi[7] = all<4>(0);
    const int plane = x + 3;
    if (!has_psi_x(plane)) return;
    const AxisView<float>& along = view.axes.x;
    const Four slope = first_derivative<true>(along.staggered, [&](int m) { return values[4 + 3 + m]; });
    psi[7] = recur(along.a[1][plane], along.b[1][plane], slope, remembered);
    store_once(view.psi[kSlotX] + offset_x(plane), psi[7]);
  }

  __device__ __forceinline__ Four along_x(int x, Four& zeta) const {
    const AxisView<float>& along = view.axes.x;
    const Four value = second_derivative(along, [&](int m) { return values[4 + m]; });
    if constexpr (!IsInX) {
      return value;
    } else {
      if (!is_inside) return value;
      const Four of_psi = first_derivative<false>(along.staggered, [&](int m) { return psi[4 + m]; });
      const Four sum = stretch(value, of_psi, zeta, along.a[0][x], along.b[0][x]);
      store_once(view.zeta[kSlotX] + offset_x(x), zeta);
      return sum;
    }
  }

  /// The derivative of psi along y.
  [[nodiscard]] __device__ __forceinline__ Four slope_of_psi_y(int x) const {
    const AxisView<float>& along = view.axes.y;
    const float* memory = view.psi[kSlotY] + offset_y(x);
    return first_derivative<false>(along.staggered,
                                   [&](int m) { return load<4>(memory + m * static_cast<int>(along.slab.stride.y)); });
  }

  __device__ __forceinline__ Four along_y(int x, const float* plane, const Four& of_psi, Four& zeta) const {
    const AxisView<float>& along = view.axes.y;
    const Four value =
        second_derivative(along, [&](int m) { return m == 0 ? values[4] : load<4>(plane + own + m * kTileRow); });
    if (!is_in_y) return value;
    const Four sum = stretch(value, of_psi, zeta, along.a[0][y], along.b[0][y]);
    store_once(view.zeta[kSlotY] + offset_y(x), zeta);
    return sum;
  }

  __device__ __forceinline__ Four along_z(int x, const float* plane, Remembered<IsInX, IsInYZ>& memory) const {
    const AxisView<float>& along = view.axes.z;
    const Window<4> row([&](int shift) { return shift == 0 ? values[4] : load<4>(plane + own + shift); });
    const Four value = second_derivative(along, [&](int m) { return row.shifted(m); });
    if constexpr (!IsInYZ) {
      return value;
    } else {
      return in_layer_of_z(x, row, value, memory);
    }
  }

  /// All threads of a warp come here: they exchange psi with those of the same row.
  __device__ __forceinline__ Four in_layer_of_z(int x, const Window<4>& row, const Four& value,
                                                Remembered<IsInX, IsInYZ>& memory) const {
    const AxisView<float>& along = view.axes.z;
    Four psi_here = all<4>(0);
    if (is_any_in_z) {
      const Four slope = first_derivative<true>(along.staggered, [&](int m) { return row.shifted(m); });
      psi_here = recur(load<4>(along.a[1] + z), load<4>(along.b[1] + z), slope, memory.psi_z);
      store_once(view.psi[kSlotZ] + offset_z(x), psi_here);
    }
    Four before;
    Four behind;
    const int lane = static_cast<int>(threadIdx.x);
    for (int i = 0; i < 4; ++i) {
      const float from_before = __shfl_up_sync(~0U, psi_here[i], 1, kTileZ / 4);
      const float from_behind = __shfl_down_sync(~0U, psi_here[i], 1, kTileZ / 4);
      before[i] = lane == 0 ? 0 : from_before;
      behind[i] = lane == kTileZ / 4 - 1 ? 0 : from_behind;
    }
    if (!is_any_in_z) return value;
    const Window<4> psi_row([&](int shift) { return shift < 0 ? before : shift > 0 ? behind : psi_here; });
    const Four of_psi = first_derivative<false>(along.staggered, [&](int m) { return psi_row.shifted(m); });
    const Four stretched = stretch(value, of_psi, memory.zeta_z, load<4>(along.a[0] + z), load<4>(along.b[0] + z));
    store_once(view.zeta[kSlotZ] + offset_z(x), memory.zeta_z);
    return each<4>([&](int i) { return is_in_z[i] ? stretched[i] : value[i]; });
  }
};

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

PFN_cuTensorMapEncodeTiled_v12000 encoder() {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result{};
  check(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &result),
        "cuTensorMapEncodeTiled");
  if (found == nullptr) throw CudaError("CUDA: the driver has no cuTensorMapEncodeTiled");
  return reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(found);
}

/// An array with its halos, in tiles of planes.
CUtensorMap tensor_map(const View<float>& view) {
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

/// How far tiles are moved towards low z so that each layer of z lies within one of them; -1: there is no way.
int tile_shift(const AxisView<float>& along) {
  const std::int64_t last = (along.extent - along.layer_high) / 4 * 4;
  for (int shift = 0; shift < kTileZ; shift += 4) {
    const bool low_fits = along.layer_low <= kTileZ - shift;
    const bool high_fits = along.layer_high == 0 || (last + shift) / kTileZ == (along.extent - 1 + shift) / kTileZ;
    if (low_fits && high_fits) return shift;
  }
  return -1;
}

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
    if (widest > 0) {
      const Job in_x{{0, high}, {low, static_cast<int>(along.extent)}, widest, low > 0 ? 1 : 0, shift, tiles};
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
           axes.x.extent - axes.x.layer_low - axes.x.layer_high > 0;
  }

  static Tiles tiles_of(const View<float>& view, int shift) {
    const AxisView<float>& y = view.axes.y;
    const AxisView<float>& z = view.axes.z;
    const auto up = [](std::int64_t cells, int tile) { return static_cast<int>((cells + tile - 1) / tile); };
    Tiles tiles{.count_y = up(y.extent, kTileY), .count_z = up(z.extent + shift, kTileZ)};
    tiles.first_y = up(y.layer_low, kTileY);
    tiles.first_z = z.layer_low == 0 ? 0 : up(z.layer_low + shift, kTileZ);
    const auto last_y = y.layer_high == 0 ? tiles.count_y : static_cast<int>((y.extent - y.layer_high) / kTileY);
    const auto last_z =
        z.layer_high == 0 ? tiles.count_z : static_cast<int>((z.extent - z.layer_high + shift) / kTileZ);
    tiles.last_y = std::max(tiles.first_y, last_y);
    tiles.last_z = std::max(tiles.first_z, last_z);
    return tiles;
  }

  /// Long enough that the halo of a chunk costs little, short enough that the device has work for all its processors.
  static int chunk_of(int tiles, int planes) {
    constexpr std::int64_t kBlocks = 132 * 3 * 4;  // an H200 has 132 processors with 3 blocks each
    constexpr int kLongest = 96;
    const int longest = std::clamp(static_cast<int>(planes * static_cast<std::int64_t>(tiles) / kBlocks), 16, kLongest);
    const int chunks = (planes + longest - 1) / longest;
    return (planes + chunks - 1) / chunks;
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

std::unique_ptr<Kernels<float>> with_constant_density(std::unique_ptr<Kernels<float>> others) {
  return std::make_unique<ConstantDensity>(std::move(others));
}

}  // namespace muster::seismic
