// What an MSCCL algorithm is as a schedule, so that the verifier can judge it, and whether it ends with finite connections.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "backend/cluster/msccl/algo.h"
#include "schedule/schedule.h"

namespace muster::msccl {

/// Chunks are the schedule's elements, thread blocks its lanes. A nop's dependency becomes one of the next step.
/// Throws InputError where messages of a connection do not fit each other, where buffers do not have the sizes that the
/// collective asks for, and for `re`, which no step of ours is.
Schedule lift(const Algo& algo, std::string_view file);

/// The location of step `id` of the lifted schedule: "f.xml:12 (GPU 0, thread block 1, step 3)".
std::string step_text(const Algo& algo, std::string_view file, StepId id);

/// How many messages a connection must buffer so that all thread blocks terminate: 0 means that every send can wait for its
/// receive. Nothing if they deadlock with any buffer; `stuck` then says who waits for what.
struct Slots {
  std::optional<std::int32_t> least;
  std::string stuck;
};
Slots least_slots(const Algo& algo);

}  // namespace muster::msccl
