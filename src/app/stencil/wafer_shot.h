// A shot of app/seismic as a program for a wafer: its time steps, and the data that the PEs begin with.
//
// A PE has a column of cells along z; the grid's x is its column of PEs, y its row. A source that lies between cells adds to the cells
// around it, in the PEs that have them, as a series of numbers for each cell, rounded once. Receivers record cells, and the host sums them up with their
// weights, as seismic's recorder does.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "app/seismic/file/gather.h"
#include "app/seismic/shot.h"
#include "app/stencil/memory.h"
#include "app/stencil/time_step.h"
#include "base/units.h"
#include "schedule/arithmetic.h"
#include "schedule/holdings.h"

namespace muster::stencil {

/// Where a gather's samples are among what PEs record.
struct ReadOut {
  struct Tap {
    NodeId node = 0;
    std::int64_t element = 0;  ///< of a page of the node's record
    double weight = 0;
  };
  std::int64_t every = 1;              ///< steps between samples
  std::vector<std::vector<Tap>> taps;  ///< of each receiver
  seismic::Gather gather;              ///< without values
};

struct WaferShot {
  TimeStep step;
  std::int64_t steps = 1;
  Column column;  ///< of the PE that has most
  std::vector<std::vector<float>>
      model;  ///< of each PE: the factors of its cells, one array behind the other; empty if there are none
  std::map<NodeId, std::vector<float>> series;  ///< of PEs with sources: all pages
  std::vector<ReadOut> read_outs;
};

/// The shot with this number. Throws InputError for what --arithmetic wafer refuses, for no steps, and if a block of one cell does not fit into
/// `memory`. `block`: cells; 0: the fewest blocks that fit.
WaferShot make_wafer_shot(const seismic::Shot& shot, Bytes memory, std::int64_t number = 1, std::int64_t block = 0);

/// Zeros at the start, the model and the series. The shot must outlive it.
InitialData initial_data_of(const WaferShot& shot);

/// What the program's outputs say (interpret.h): of each PE its column with margins, then what it recorded.
std::vector<seismic::Gather> gathers_of(const WaferShot& shot, std::span<const std::vector<Word>> outputs);
/// The pressure after the last step, x slowest, z fastest.
std::vector<float> wavefield_of(const WaferShot& shot, std::span<const std::vector<Word>> outputs);

}  // namespace muster::stencil
