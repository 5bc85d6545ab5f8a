// The engine in the memory of this process.
#pragma once

#include <memory>

#include "app/seismic/engine.h"
#include "app/seismic/equation/description.h"
#include "app/seismic/kernels.h"
#include "app/seismic/setup.h"

namespace muster::seismic {

template <class Real>
class HostEngine final : public Engine<Real> {
 public:
  HostEngine(const Description& equation, const GridOptions& options, const Model& model,
             std::unique_ptr<Kernels<Real>> kernels);

  void run(std::size_t phase) override;
  std::size_t add(Points points) override;
  void inject(std::size_t points, std::span<const double> amplitudes) override;
  void gather(std::size_t points, std::span<double> values) override;
  State<Real>& state() override { return state_; }
  void upload() override {}

 private:
  Description equation_;
  PerAxis<Sides> sides_;
  std::unique_ptr<Kernels<Real>> kernels_;
  State<Real> state_;
  std::vector<Points> points_;
};

extern template class HostEngine<float>;
extern template class HostEngine<double>;

}  // namespace muster::seismic
