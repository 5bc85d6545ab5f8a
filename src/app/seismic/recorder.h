// Receivers at work: they sample fields while a shot runs.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "app/seismic/file/gather.h"
#include "app/seismic/shot.h"
#include "app/seismic/simulation.h"
#include "app/seismic/traces.h"

namespace muster::seismic {

/// What receivers take of a field (or the pressure), as points of the fields that are summed. Taking samples at them and adding samples to
/// them are each other's transpose.
std::vector<Points> receiver_points(const Shot& shot, const Description& equation, const Gather& gather);

class Recorder {
 public:
  /// For the shot with this number, which the simulation will make.
  template <class Real>
  Recorder(const Shot& shot, Simulation<Real>& simulation, std::int64_t number);

  /// Takes the samples that are due after this many steps of the simulation.
  template <class Real>
  void record(Simulation<Real>& simulation);

  /// One per set and field, in their order; samples that were not taken yet are 0.
  [[nodiscard]] std::vector<Gather>& gathers();

 private:
  /// How a gather is sampled: as the sum of the engine's points, of one field each.
  struct Channel {
    std::int64_t every = 1;
    std::vector<std::size_t> points;
    std::size_t receivers = 0;
    /// The latest samples, time after time: one by one they would all go to different lines of the cache.
    std::vector<double> latest;
    std::int64_t first = 0;  ///< number of the first of them
  };

  void store(Channel& channel, Gather& gather);

  std::vector<Channel> channels_;
  std::vector<Gather> gathers_;
};

/// The bytes that a recorder needs: samples, and the weights of nodes around receivers.
std::int64_t recorder_bytes(const Shot& shot);

extern template Recorder::Recorder(const Shot&, Simulation<float>&, std::int64_t);
extern template Recorder::Recorder(const Shot&, Simulation<double>&, std::int64_t);
extern template void Recorder::record(Simulation<float>&);
extern template void Recorder::record(Simulation<double>&);

}  // namespace muster::seismic
