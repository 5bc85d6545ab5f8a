// The reference: one cell after another. The other targets are compared with it, bit for bit.
#pragma once

#include <cstdint>

#include "app/seismic/cell.h"
#include "app/seismic/denormals.h"
#include "app/seismic/equation/walk.h"
#include "app/seismic/kernels.h"

namespace muster::seismic {

template <class Equation, class Real>
class ReferenceKernels final : public Kernels<Real> {
 public:
  void update_memory(const View<Real>& view, std::size_t phase, const Box& box) const override {
    for_phase(phase, typename Equation::Phases{}, [&]<class Phase, std::size_t Slot>() {
      for_each_second<Equation, Slot>(Phase{}, [&]<class Derivative, std::size_t DerivativeSlot>() {
        for_each_cell<LayerKind::axial>(
            view, box, [](const auto& cell) { cell.template differentiate<Equation, Derivative>(DerivativeSlot); });
      });
    });
  }

  void update(const View<Real>& view, std::size_t phase, const Box& box) const override {
    for_phase(phase, typename Equation::Phases{}, [&]<class Phase, std::size_t Slot>() {
      for_each_update<Slot>(Phase{}, [&]<class Update, std::size_t First>() {
        const auto update = [](const auto& cell) { cell.template update<Equation, Update, First>(); };
        if (view.is_multiaxial) {
          for_each_cell<LayerKind::multiaxial>(view, box, update);
        } else {
          for_each_cell<LayerKind::axial>(view, box, update);
        }
      });
    });
  }

 private:
  template <LayerKind Layers, class Visit>
  static void for_each_cell(const View<Real>& view, const Box& box, const Visit& visit) {
    const FlushDenormals flush;
    for (std::int64_t x = box.first.x; x < box.last.x; ++x) {
      for (std::int64_t y = box.first.y; y < box.last.y; ++y) {
        for (std::int64_t z = box.first.z; z < box.last.z; ++z)
          visit(Cell<Real, CellTraits{.layers = Layers}>{view, x, y, z});
      }
    }
  }
};

}  // namespace muster::seismic
