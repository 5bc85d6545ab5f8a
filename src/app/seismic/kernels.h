// What a target offers: the phases of an equation on a box of cells.
#pragma once

#include <cstddef>

#include "app/seismic/view.h"

namespace muster::seismic {

template <class Real>
class Kernels {
 public:
  Kernels() = default;
  Kernels(const Kernels&) = delete;
  Kernels& operator=(const Kernels&) = delete;
  virtual ~Kernels() = default;

  /// The memory that a phase's second derivatives differentiate (psi of their first derivatives). Comes before update(), with
  /// the halos of that memory exchanged in between.
  virtual void update_memory(const View<Real>& view, std::size_t phase, const Box& box) const = 0;
  /// Everything else of a phase. Fields of second order in time are written to `before`: exchange both behind the phase.
  virtual void update(const View<Real>& view, std::size_t phase, const Box& box) const = 0;
  /// Both, where no memory is to be exchanged: for the whole grid.
  virtual void update_with_memory(const View<Real>& view, std::size_t phase, const Box& box) const {
    update_memory(view, phase, box);
    update(view, phase, box);
  }
};

}  // namespace muster::seismic
