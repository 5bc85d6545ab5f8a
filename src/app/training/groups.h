// From scopes to the NPUs that they stand for.
#pragma once

#include "app/training/iteration.h"

namespace muster::training {

/// The NPUs of a communication on a cluster. Throws InputError "file:line: ..." if there are no such.
Group group_of(const Communication& communication, const Workload& workload, const Machine& machine);

/// Of a group: how many NPUs; bytes that each sends in a collective of so many words, at least (orders of dimensions differ
/// where a switch reduces); bandwidth of each, together.
std::int64_t members(const Group& group);
double sent_bytes(const Group& group, Collective collective, std::int64_t words);
BytesPerSecond bandwidth(const Group& group);

}  // namespace muster::training
