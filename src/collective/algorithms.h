// The algorithms, one file each. registry.cpp lists them.
#pragma once

#include "collective/algorithm.h"

namespace muster {

Algorithm reduce_star();
Algorithm reduce_chain();
Algorithm reduce_tree();
Algorithm reduce_two_phase();
Algorithm broadcast_flood();

}  // namespace muster
