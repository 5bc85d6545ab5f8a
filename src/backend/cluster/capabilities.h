// What Muster can do with programs of clusters, for the table in backend/registry.cpp.
#pragma once

#include "backend/capabilities.h"

namespace muster::cluster {

const Lowering& lowering();
/// Follows every NPU: for ranks and links that are not alike.
const Simulator& npu_simulator();
/// Follows the operations of a dimension; all NPUs are alike.
const Simulator& phase_simulator();
const Emitter& msccl_emitter();
const Reader& msccl_reader();

}  // namespace muster::cluster
