// The traces of a shot: what receivers record, and, backwards in time, what sources collect.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/seismic/file/gather.h"
#include "app/seismic/shot.h"

namespace muster::seismic {

/// Samples of a trace: after 0, every, 2 every, ... steps.
constexpr std::int64_t samples_of(const ReceiverSet& set, std::int64_t steps) { return steps / set.every + 1; }

/// A gather that has no values yet.
struct Traces {
  std::string name;        ///< as in names of files
  std::string set;         ///< of receivers; of sources empty
  std::int64_t every = 1;  ///< steps between samples
  Gather gather;
};

/// One per set of receivers and field, in their order. Shots count from 1.
std::vector<Traces> receiver_traces(const Shot& shot, std::int64_t number);

/// One per source, with one trace each: for the values of its wavelet at all steps, 0 and the last included.
std::vector<Traces> source_traces(const Shot& shot, std::int64_t number);

/// Those that the run writes: of receivers, or of sources if it runs backwards.
std::vector<Traces> written_traces(const Shot& shot, std::int64_t number);

}  // namespace muster::seismic
