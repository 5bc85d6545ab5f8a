#include "app/seismic/adjoint_engine.h"

#include <algorithm>

#include "app/seismic/adjoint_cell.h"
#include "app/seismic/denormals.h"
#include "app/seismic/equation/equations.h"
#include "app/seismic/halos.h"
#include "app/seismic/points_on_host.h"

namespace muster::seismic {
namespace {

template <class Visit>
void for_each_cell(const Extent& extent, const Visit& visit) {
  for (std::int64_t x = 0; x < extent.x; ++x) {
    for (std::int64_t y = 0; y < extent.y; ++y) {
      for (std::int64_t z = 0; z < extent.z; ++z) visit(x, y, z);
    }
  }
}

template <class Equation, class Real>
class AdjointEngine final : public Engine<Real> {
 public:
  AdjointEngine(const GridOptions& options, const Model& model)
      : equation_(describe<Equation>()),
        sides_(options.sides),
        state_(make_state<Real>(equation_, options, whole_of(options), model)) {}

  void run(std::size_t phase) override {
    const FlushDenormals flush;
    const PhaseDescription& description = equation_.phases[phase];
    transpose_settle_mirrors(state_, equation_, description.writes, sides_);
    update(state_.view(), phase);
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
  void update(const View<Real>& view, std::size_t phase) const {
    const Extent& extent = state_.layout.extent();
    for_phase(phase, typename Equation::Phases{}, [&]<class Phase, std::size_t Slot>() {
      for_each_update<Slot>(Phase{}, [&]<class Update, std::size_t First>() {
        for_each_cell(extent, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
          AdjointCell<Real>{view, x, y, z}.template update<Equation, Update, First>();
        });
      });
      for_each_second<Equation, Slot>(Phase{}, [&]<class Derivative, std::size_t DerivativeSlot>() {
        for_each_cell(extent, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
          AdjointCell<Real>{view, x, y, z}.template differentiate<Equation, Derivative>(DerivativeSlot);
        });
      });
    });
  }

  Description equation_;
  PerAxis<Sides> sides_;
  State<Real> state_;
  std::vector<Points> points_;
};

}  // namespace

template <class Real>
std::unique_ptr<Engine<Real>> make_adjoint_engine(std::string_view propagator, const GridOptions& options,
                                                  const Model& model) {
  std::unique_ptr<Engine<Real>> engine;
  for_each_equation([&]<class Equation>() {
    if (Equation::kName == propagator) engine = std::make_unique<AdjointEngine<Equation, Real>>(options, model);
  });
  return engine;
}

template std::unique_ptr<Engine<float>> make_adjoint_engine(std::string_view, const GridOptions&, const Model&);
template std::unique_ptr<Engine<double>> make_adjoint_engine(std::string_view, const GridOptions&, const Model&);

}  // namespace muster::seismic
