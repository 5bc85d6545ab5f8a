// The rank where the sums of an allreduce meet, if it reduces to one rank first: a parameter, since an allreduce has no root.
#pragma once

#include "collective/algorithm.h"

namespace muster {

/// The parameter "root".
ParameterSpec root_parameter();

/// The reduce to that rank.
Request with_root_parameter(Request request, const Parameters& parameters);

}  // namespace muster
