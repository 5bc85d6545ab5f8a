// What a run of a wave propagation ends with.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/units.h"

namespace muster {

struct WavefieldAnswer {
  std::string shot;
  std::string propagator;
  std::string target;
  std::vector<std::int64_t> grid;
  std::string precision;
  std::int64_t steps = 0;
  Seconds time_step;
  double cfl = 0;                    ///< the time step over the largest stable one
  double points_per_wavelength = 0;  ///< of the slowest wave at the highest peak frequency of a source; 0: no source
  Seconds total;                     ///< from reading to writing
  Seconds kernels;                   ///< of that, updating the fields
  double cells_per_second = 0;       ///< of the kernels
  Bytes memory;
  int threads = 1;
  int ranks = 1;
  // Over all cells of the first field.
  double least = 0;
  double most = 0;
  double norm = 0;       ///< root of the sum of squares
  std::string checksum;  ///< of all fields, as 16 hexadecimal digits
  std::vector<std::string> outputs;
};

}  // namespace muster
