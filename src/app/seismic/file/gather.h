// What receivers record during one shot.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "app/seismic/axis.h"

namespace muster::seismic {

/// The traces of one field: one per receiver, all with the same samples in time.
struct Gather {
  std::string field;                       ///< its name: p, vx, sxx, ...
  std::int64_t shot = 1;                   ///< counted from 1
  PerAxis<double> source;                  ///< in metres
  std::vector<PerAxis<double>> receivers;  ///< in metres
  double start = 0;                        ///< time of the first sample, in seconds
  double interval = 0;                     ///< between samples, in seconds
  std::int64_t samples = 0;                ///< of a trace
  std::vector<double> values;              ///< trace after trace

  [[nodiscard]] std::span<const double> trace(std::size_t receiver) const {
    return std::span(values).subspan(receiver * static_cast<std::size_t>(samples), static_cast<std::size_t>(samples));
  }
};

}  // namespace muster::seismic
