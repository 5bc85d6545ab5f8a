// What can be said about the values of fields: whether they are finite, their range, their bits.
#pragma once

#include <string>

#include "app/seismic/simulation.h"

namespace muster::seismic {

struct FieldSummary {
  double least = 0;
  double most = 0;
  double norm = 0;  ///< root of the sum of squares
};

template <class Real>
FieldSummary summary_of(const Volume<Real>& field);

/// Throws NothingFits about the first value that is not finite, with its step and cell.
template <class Real>
void check_finite(Simulation<Real>& simulation);

/// A hash of the bits of all fields' cells, in the order x, y, z (fastest), one field after another.
template <class Real>
std::string checksum_of(const Simulation<Real>& simulation);

extern template FieldSummary summary_of(const Volume<float>&);
extern template FieldSummary summary_of(const Volume<double>&);
extern template void check_finite(Simulation<float>&);
extern template void check_finite(Simulation<double>&);
extern template std::string checksum_of(const Simulation<float>&);
extern template std::string checksum_of(const Simulation<double>&);

}  // namespace muster::seismic
