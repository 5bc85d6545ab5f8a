// A flat schedule as an MSCCL algorithm.
#pragma once

#include "backend/cluster/msccl/algo.h"
#include "base/error.h"
#include "schedule/schedule.h"

namespace muster::msccl {

/// Steps that receive from several or send to several become several; a value that is only forwarded is kept in scratch where
/// one thread block cannot both receive and send it. Steps on one GPU are ordered where they touch the same chunks, by the
/// order within a thread block or by dependencies, of which a step has one: others become nops before it.
/// A refusal says which of the format's limits is exceeded, and by what, in elements of which a word has so many.
Outcome<Algo> from_schedule(const Schedule& flat, const std::string& name, std::int64_t per_word = 1);

}  // namespace muster::msccl
