// The transpose of the host's engine: adjoint fields run backwards in time. Everything is transposed: differences, coefficients,
// absorbing layers, mirrors. With inject() and gather(), which are each other's transpose, this makes adjoints of whole simulations.
#pragma once

#include <memory>
#include <string_view>

#include "app/seismic/engine.h"
#include "app/seismic/setup.h"

namespace muster::seismic {

/// run() takes the phases in reverse. Bits do not depend on the number of threads.
template <class Real>
std::unique_ptr<Engine<Real>> make_adjoint_engine(std::string_view propagator, const GridOptions& options,
                                                  const Model& model, int threads = 1);

extern template std::unique_ptr<Engine<float>> make_adjoint_engine(std::string_view, const GridOptions&, const Model&,
                                                                   int);
extern template std::unique_ptr<Engine<double>> make_adjoint_engine(std::string_view, const GridOptions&, const Model&,
                                                                    int);

}  // namespace muster::seismic
