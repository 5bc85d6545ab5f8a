// The transposes of the phases of an equation.
#pragma once

#include <cstddef>
#include <memory>

#include "app/seismic/view.h"

namespace muster::seismic {

template <class Real>
class AdjointKernels {
 public:
  AdjointKernels() = default;
  AdjointKernels(const AdjointKernels&) = delete;
  AdjointKernels& operator=(const AdjointKernels&) = delete;
  virtual ~AdjointKernels() = default;

  /// The transpose of a phase on all cells, memory included. Adds to halos what the phase reads there. Of fields of second order in
  /// time, `fields` has the adjoint of the new values, and becomes that of the values before; `before` has the adjoint of the present
  /// values, and keeps it: exchange both behind the phase.
  virtual void update(const View<Real>& view, std::size_t phase) const = 0;
};

/// Of one equation. Bits do not depend on the number of threads.
template <class Equation, class Real>
std::unique_ptr<AdjointKernels<Real>> make_adjoint_kernels_of(int threads);

}  // namespace muster::seismic
