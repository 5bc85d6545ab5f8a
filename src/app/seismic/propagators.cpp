#include "app/seismic/propagators.h"

#include <type_traits>

#include "app/seismic/cpu/kernels.h"
#include "app/seismic/cuda/target.h"
#include "app/seismic/equation/equations.h"
#include "app/seismic/host_engine.h"
#include "app/seismic/reference.h"
#include "app/seismic/wafer_kernels.h"
#include "base/error.h"

namespace muster::seismic {

Part part_of(const GridOptions& options, const Target& target) {
  if (target.processes == nullptr || target.processes->count() == 1) return whole_of(options);
  return Decomposition(options, target.processes->count()).part(target.processes->rank());
}

template <class Real>
std::unique_ptr<Kernels<Real>> make_kernels(std::string_view propagator, const Target& target) {
  std::unique_ptr<Kernels<Real>> kernels;
  for_each_equation([&]<class Equation>() {
    if (Equation::kName != propagator) return;
    if (target.kind != Target::Kind::reference) kernels = make_cpu_kernels_of<Equation, Real>(target.threads);
    if (!kernels) kernels = std::make_unique<ReferenceKernels<Equation, Real>>();
  });
  return kernels;
}

namespace {

/// Of the arithmetic that was asked for.
template <class Real>
std::unique_ptr<Kernels<Real>> make_kernels(std::string_view propagator, const GridOptions& options, const Model& model,
                                            const Target& target) {
  if (options.arithmetic == Arithmetic::fused) return make_kernels<Real>(propagator, target);
  if constexpr (std::is_same_v<Real, float>) return make_wafer_kernels(options, model, target.threads);
  MUSTER_ASSERT(false, "the arithmetic of a wafer in f64");
}

}  // namespace

template <class Real>
Simulation<Real> make_simulation(std::string_view propagator, const GridOptions& options, const Model& model,
                                 const Target& target) {
  const Description equation = describe_propagator(propagator);
  if (target.kind == Target::Kind::cuda) {
    if constexpr (std::is_same_v<Real, float>) {
      return {equation, make_cuda_engine(propagator, options, model), whole_of(options)};
    }
    reject("--target cuda computes in f32 only; use precision = \"f32\", or --target cpu");
  }
  const Part part = part_of(options, target);
  std::unique_ptr<Exchange<Real>> exchange;
  if (target.processes != nullptr) {
    exchange = exchange_of<Real>(*target.processes, Decomposition(options, target.processes->count()));
  }
  auto engine =
      std::make_unique<HostEngine<Real>>(equation, make_state<Real>(equation, options, part, model), part,
                                         make_kernels<Real>(propagator, options, model, target), std::move(exchange));
  return {equation, std::move(engine), part};
}

template std::unique_ptr<Kernels<float>> make_kernels(std::string_view, const Target&);
template std::unique_ptr<Kernels<double>> make_kernels(std::string_view, const Target&);

template Simulation<float> make_simulation(std::string_view, const GridOptions&, const Model&, const Target&);
template Simulation<double> make_simulation(std::string_view, const GridOptions&, const Model&, const Target&);

}  // namespace muster::seismic
