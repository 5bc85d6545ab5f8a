#include "app/seismic/adjoint_engine.h"

#include <utility>

#include "app/seismic/adjoint_kernels.h"
#include "app/seismic/denormals.h"
#include "app/seismic/equation/equations.h"
#include "app/seismic/halos.h"
#include "app/seismic/points_on_host.h"

namespace muster::seismic {
namespace {

template <class Real>
class AdjointEngine final : public Engine<Real> {
 public:
  AdjointEngine(Description equation, const GridOptions& options, const Model& model,
                std::unique_ptr<AdjointKernels<Real>> kernels)
      : equation_(std::move(equation)),
        sides_(options.sides),
        state_(make_state<Real>(equation_, options, whole_of(options), model)),
        kernels_(std::move(kernels)) {}

  void run(std::size_t phase) override {
    const FlushDenormals flush;
    const PhaseDescription& description = equation_.phases[phase];
    transpose_settle_mirrors(state_, equation_, description.writes, sides_);
    kernels_->update(state_.view(), phase);
    for (const int field : description.writes) {
      const auto f = static_cast<std::size_t>(field);
      if (equation_.fields[f].time_order == 2) std::swap(state_.fields[f], state_.before[f]);
    }
    for (const Read& read : description.reads) {
      const auto f = static_cast<std::size_t>(read.field);
      transpose_fill_halo(state_.fields[f], equation_.fields[f], read, sides_);
    }
  }

  std::size_t add(Points points) override {
    points_.push_back(std::move(points));
    return points_.size() - 1;
  }
  void clear() override { points_.clear(); }
  void inject(std::size_t points, std::span<const double> amplitudes) override {
    inject_points(state_, points_[points], amplitudes);
  }
  void gather(std::size_t points, std::span<double> values) override { gather_points(state_, points_[points], values); }
  State<Real>& state() override { return state_; }
  void upload() override {}

 private:
  Description equation_;
  PerAxis<Sides> sides_;
  State<Real> state_;
  std::unique_ptr<AdjointKernels<Real>> kernels_;
  std::vector<Points> points_;
};

}  // namespace

template <class Real>
std::unique_ptr<Engine<Real>> make_adjoint_engine(std::string_view propagator, const GridOptions& options,
                                                  const Model& model, int threads) {
  std::unique_ptr<Engine<Real>> engine;
  for_each_equation([&]<class Equation>() {
    if (Equation::kName != propagator) return;
    engine = std::make_unique<AdjointEngine<Real>>(describe<Equation>(), options, model,
                                                   make_adjoint_kernels_of<Equation, Real>(threads));
  });
  return engine;
}

template std::unique_ptr<Engine<float>> make_adjoint_engine(std::string_view, const GridOptions&, const Model&, int);
template std::unique_ptr<Engine<double>> make_adjoint_engine(std::string_view, const GridOptions&, const Model&, int);

}  // namespace muster::seismic
