// Values inside values: how deep they may nest.
#pragma once

#include "backend/wafer/csl_reader/values.h"

namespace muster::wafer::csl {

inline constexpr int kDeepestValue = 32;

/// Notes that `object` holds `value`.
inline void hold(Object& object, const Value& value, const Location& location) {
  if (value.object == nullptr || value.object->depth < object.depth) return;
  object.depth = value.object->depth + 1;
  if (object.depth > kDeepestValue) fail(location, "values nested more than {} deep", kDeepestValue);
}

}  // namespace muster::wafer::csl
