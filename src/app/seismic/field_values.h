// What can be said about the values of fields: whether they are finite, their range, their bits. Nothing here depends on how many
// processes share the grid, and all of them must ask.
#pragma once

#include <string>

#include "app/seismic/processes.h"
#include "app/seismic/wave_fields.h"

namespace muster::seismic {

struct FieldSummary {
  double least = 0;
  double most = 0;
  double norm = 0;  ///< root of the sum of squares
};

template <class Real>
FieldSummary summary_of(const Volume<Real>& field, Processes& processes);

/// Throws NothingFits about the first value that is not finite, with its step and cell.
template <class Real>
void check_finite(WaveFields<Real>& simulation, Processes& processes);

/// The sum of a hash of field, cell and bits over all cells of all fields, modulo 2^64.
template <class Real>
std::string checksum_of(const WaveFields<Real>& simulation, Processes& processes);

extern template FieldSummary summary_of(const Volume<float>&, Processes&);
extern template FieldSummary summary_of(const Volume<double>&, Processes&);
extern template void check_finite(WaveFields<float>&, Processes&);
extern template void check_finite(WaveFields<double>&, Processes&);
extern template std::string checksum_of(const WaveFields<float>&, Processes&);
extern template std::string checksum_of(const WaveFields<double>&, Processes&);

}  // namespace muster::seismic
