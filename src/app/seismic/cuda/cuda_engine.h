// The engine in the memory of a GPU.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/seismic/cuda/device.h"
#include "app/seismic/cuda/points.h"
#include "app/seismic/engine.h"
#include "app/seismic/equation/description.h"
#include "app/seismic/kernels.h"

namespace muster::seismic {

class CudaEngine final : public Engine<float> {
 public:
  /// Takes over a state at time zero, and keeps it as the place where the host sees it.
  CudaEngine(Description equation, const PerAxis<Sides>& sides, State<float> state,
             std::unique_ptr<Kernels<float>> kernels);

  void run(std::size_t phase) override;
  std::size_t add(Points points) override;
  void clear() override { points_.clear(); }
  void inject(std::size_t points, std::span<const double> amplitudes) override;
  void gather(std::size_t points, std::span<double> values) override;
  State<float>& state() override;
  void upload() override;
  std::optional<NotFinite> first_not_finite() override;
  void wait() override { wait_for_device(); }

 private:
  struct DeviceMemory {
    DeviceArray<float> psi;
    DeviceArray<float> zeta;
  };

  void allocate();
  void place_profiles();
  [[nodiscard]] View<float> device_view();
  const float* keep(const std::vector<float>& values);

  Description equation_;
  PerAxis<Sides> sides_;
  State<float> state_;
  std::unique_ptr<Kernels<float>> kernels_;
  View<float> view_;  ///< with everything but the fields
  std::vector<DeviceArray<float>> fields_;
  std::vector<DeviceArray<float>> before_;
  std::vector<DeviceArray<float>> parameters_;
  std::vector<DeviceMemory> memory_;
  std::vector<DeviceArray<float>> profiles_;
  std::vector<DevicePoints> points_;
  DeviceArray<unsigned long long> found_{1};  ///< for first_not_finite()
  bool is_host_current_ = true;
};

}  // namespace muster::seismic
