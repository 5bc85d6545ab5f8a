#include "app/seismic/cuda/target.h"

#include <string>

#include "app/seismic/cuda/cuda_engine.h"
#include "app/seismic/cuda/device.h"
#include "app/seismic/cuda/kernels.h"
#include "app/seismic/equation/equations.h"
#include "base/error.h"
#include "base/saturating.h"

namespace muster::seismic {
namespace {

double gib(std::int64_t bytes) { return static_cast<double>(bytes) * 0x1p-30; }

/// Refuses before any work.
void check_device(const Description& equation, const GridOptions& options) {
  DeviceInfo device;
  std::string reason;
  if (!find_device(device, reason)) reject("--target cuda: {}; use --target cpu", reason);
  const std::int64_t needed = state_bytes(equation, options, whole_of(options), sizeof(float));
  if (needed <= device.free_bytes) return;
  reject("--target cuda: {} needs {:.1f} GiB, {} has {:.1f} GiB free; use a smaller grid, or --target cpu",
         equation.name, gib(needed), device.name, gib(device.free_bytes));
}

}  // namespace

void refuse_for_memory(std::int64_t bytes) {
  DeviceInfo device;
  std::string reason;
  find_device(device, reason);
  reject(
      "--target cuda: {:.2f} GiB more are needed, {} has {:.2f} GiB free; use a smaller grid, fewer sources and "
      "receivers off the grid, or --in-flight 1",
      gib(bytes), device.name, gib(device.free_bytes));
}

std::unique_ptr<Engine<float>> make_cuda_engine(std::string_view propagator, const GridOptions& options,
                                                const Model& model) {
  std::unique_ptr<Engine<float>> engine;
  for_each_equation([&]<class Equation>() {
    if (Equation::kName != propagator) return;
    const Description equation = describe<Equation>();
    check_device(equation, options);
    engine = std::make_unique<CudaEngine>(equation, options.sides,
                                          make_state<float>(equation, options, whole_of(options), model),
                                          make_cuda_kernels_of<Equation>());
  });
  return engine;
}

std::int64_t cuda_engines_that_fit(std::string_view propagator, const GridOptions& options, std::int64_t points) {
  DeviceInfo device;
  std::string reason;
  if (!find_device(device, reason)) return 0;
  std::int64_t count = 0;
  for_each_equation([&]<class Equation>() {
    if (Equation::kName != propagator) return;
    const std::int64_t state = state_bytes(describe<Equation>(), options, whole_of(options), sizeof(float));
    count = device.free_bytes / saturating_sum(state, points);
  });
  return count;
}

}  // namespace muster::seismic
