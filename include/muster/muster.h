// Muster as a library: collectives on a machine, planned, proven, simulated and written as code. docs/library.md shows how.
#pragma once

#include "muster/answers.h"
#include "muster/ask.h"
#include "muster/error.h"
#include "muster/machine.h"

namespace muster {
using namespace library;  // a user writes muster::plan
}
