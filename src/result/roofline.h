// What a machine can do at most, and how near to it the propagators come.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/units.h"

namespace muster {

struct RooflineAnswer {
  struct Propagator {
    std::string name;
    std::vector<std::int64_t> grid;
    double operations = 0;        ///< per cell and step
    double bytes = 0;             ///< per cell and step
    double cells_per_second = 0;  ///< measured
    double bound = 0;             ///< cells per second at most, by the lower of bandwidth and arithmetic
    bool is_bound_by_memory = true;

    [[nodiscard]] double intensity() const { return operations / bytes; }
    [[nodiscard]] double share() const { return cells_per_second / bound; }
  };

  int threads = 1;
  BytesPerSecond bandwidth_of_one;  ///< with one thread
  BytesPerSecond bandwidth;         ///< with all
  double operations_of_one = 0;     ///< per second
  double operations = 0;
  int order = 8;
  std::string precision;
  std::vector<Propagator> propagators;
};

}  // namespace muster
