// A GPU as a target.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "app/seismic/engine.h"
#include "app/seismic/model.h"
#include "app/seismic/setup.h"

namespace muster::seismic {

/// Throws InputError if Muster was built without CUDA, if there is no GPU, or if the state does not fit into its memory.
std::unique_ptr<Engine<float>> make_cuda_engine(std::string_view propagator, const GridOptions& options,
                                                const Model& model);

/// How many such engines, each with this many bytes for points, fit into the free memory of the GPU; 0: not one, or there is none.
std::int64_t cuda_engines_that_fit(std::string_view propagator, const GridOptions& options, std::int64_t points);

}  // namespace muster::seismic
