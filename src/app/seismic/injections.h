// What sources add to the fields of a propagator.
#pragma once

#include <vector>

#include "app/seismic/shot.h"
#include "app/seismic/simulation.h"
#include "app/seismic/time_function.h"

namespace muster::seismic {

/// In cells, from node 0.
PerAxis<double> coordinates(const PerAxis<double>& metres, const GridOptions& grid);

/// The weights of a position for the values of a field: what is gathered there.
std::vector<NodeWeight> weights_at(const GridOptions& grid, const PerAxis<double>& metres, const Description& equation,
                                   int field);

/// The cells of a field that a source adds to, with weights that have everything but the time function.
struct Spread {
  int field = 0;
  std::vector<NodeWeight> weights;
};

struct SpreadSource {
  std::vector<Spread> spreads;
  TimeFunction time_function = TimeFunction::value;  ///< of all of them
};

/// Of a source at its position in the shot with this number.
///
/// pressure: p_tt = ... + vp^2 s(t) delta, so that p = s(t - r/c) / (4 pi r) in a medium of constant density.
/// force:    rho dv/dt = ... + f(t) delta.
/// moment:   sigma = C grad u - M(t) delta, whose divergence is the body force of Aki and Richards.
SpreadSource spread(const Source& source, const Shot& shot, const Description& equation, std::int64_t number);

/// The same with the samples of the source's wavelet.
std::vector<Injection> injections_of(const Source& source, const Shot& shot, const Description& equation,
                                     std::int64_t number);

/// The bytes of the samples of all sources' injections.
std::int64_t injection_bytes(const Shot& shot, const Description& equation);

}  // namespace muster::seismic
