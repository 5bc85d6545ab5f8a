// What a run of a wave propagation ends with.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"

namespace muster {

struct WavefieldAnswer {
  std::string shot;
  std::string propagator;
  std::string mode = "forward";  ///< or "adjoint"
  std::string target;
  std::vector<std::int64_t> grid;
  std::string precision;
  std::string arithmetic = "fused";  ///< or "wafer"
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
  Bytes sent;                 ///< by all ranks to their neighbours, over the run
  std::int64_t messages = 0;  ///< of that many
  // Over all cells of the first field.
  double least = 0;
  double most = 0;
  double norm = 0;       ///< root of the sum of squares
  std::string checksum;  ///< of all fields, as 16 hexadecimal digits
  std::vector<std::string> outputs;
  std::int64_t shots = 1;
  std::vector<std::string> warnings;
};

/// The communication of a time step on a described machine.
struct CommunicationPrediction {
  std::string machine;
  int ranks = 0;
  std::vector<int> processes;      ///< along x, y and z
  std::string placement;           ///< in words: which dimension of the machine serves which axis
  Bytes sent;                      ///< by all ranks in a step
  std::int64_t messages = 0;       ///< of that many
  std::vector<Seconds> exchanges;  ///< of halos in a step, one after another
  Seconds exchange;                ///< all of them
  Seconds sum;                     ///< of one number over all ranks, as for an energy
  std::string sum_algorithm;
};

/// What a wave propagation would need and do, before it does.
struct WavefieldPlan {
  std::string shot;
  std::string propagator;
  std::string mode = "forward";  ///< or "adjoint"
  std::string target;
  std::vector<std::int64_t> grid;
  std::string precision;
  std::string arithmetic = "fused";  ///< or "wafer"
  std::int64_t shots = 1;
  std::int64_t steps = 0;
  Seconds time_step;
  Seconds longest_step;  ///< the largest stable one
  double cfl = 0;
  Seconds duration;                             ///< that a shot covers
  double fastest = 0;                           ///< in m/s
  double slowest = 0;                           ///< in m/s
  double frequency = 0;                         ///< that the check of the resolution uses, in Hz; 0: no source
  double highest = 0;                           ///< above which sources have next to nothing, in Hz
  double points_per_wavelength = 0;             ///< of the slowest wave at `frequency`
  double points_per_wavelength_at_highest = 0;  ///< and at `highest`
  std::string layers;                           ///< in words: what is at the sides, and how thick
  double layer_share = 0;                       ///< of all cells
  std::int64_t receivers = 0;                   ///< of a shot
  Bytes memory;
  std::optional<Bytes> memory_available;
  Bytes disk;  ///< of all outputs
  std::optional<Bytes> disk_available;
  Bytes checkpoint;  ///< of one
  Seconds estimate;  ///< of the kernels, from the trial
  double cells_per_second = 0;
  std::vector<std::int64_t> trial_grid;
  int threads = 1;
  struct Output {
    std::string path;
    Bytes size;
  };
  std::vector<Output> outputs;
  std::optional<CommunicationPrediction> prediction;
  std::vector<std::string> refusals;  ///< why a run would be refused on this machine
  std::vector<std::string> warnings;
};

}  // namespace muster
