// A GPU as a target.
#pragma once

#include <memory>
#include <string_view>

#include "app/seismic/engine.h"
#include "app/seismic/model.h"
#include "app/seismic/setup.h"

namespace muster::seismic {

/// Throws InputError if Muster was built without CUDA, if there is no GPU, or if the state does not fit into its memory.
std::unique_ptr<Engine<float>> make_cuda_engine(std::string_view propagator, const GridOptions& options,
                                                const Model& model);

}  // namespace muster::seismic
