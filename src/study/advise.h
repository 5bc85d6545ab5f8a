// Advice for those who design a machine: of a cluster, how its bandwidth is spread over the dimensions, and how it would best be.
#pragma once

#include "machine/machine.h"
#include "result/advice.h"

namespace muster {

/// What the machine's family has to say (families.h). Throws InputError where that is nothing.
AdviceAnswer advise(const Machine& machine);

}  // namespace muster
