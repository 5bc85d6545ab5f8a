// Wave fields over time: phases one after another, with sources in between.
#pragma once

#include <cstdint>
#include <vector>

#include "app/seismic/wave_fields.h"

namespace muster::seismic {

/// What a source adds to a field in every step, after the phase that updates the field.
struct Injection {
  int field = 0;
  std::vector<NodeWeight> weights;  ///< with everything but the time function
  std::vector<double> samples;      ///< by step; nothing is added behind the last
};

template <class Real>
class Simulation : public WaveFields<Real> {
 public:
  using WaveFields<Real>::WaveFields;

  void add(Injection injection);
  void step();
  /// Forgets sources, and all points of the engine.
  void clear() {
    sources_.clear();
    this->engine().clear();
  }

 private:
  struct Source {
    int field = 0;
    std::size_t points = 0;  ///< of the engine
    std::vector<double> samples;
  };

  void inject(const PhaseDescription& phase);

  std::vector<Source> sources_;
};

extern template class Simulation<float>;
extern template class Simulation<double>;

}  // namespace muster::seismic
