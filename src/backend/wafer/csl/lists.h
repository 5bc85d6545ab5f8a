// The operation lists of all processors as tables: parts, loops, and numbers that processors have of their own.
#pragma once

#include <algorithm>
#include <vector>

#include "backend/wafer/csl/program.h"

namespace muster::wafer {

/// Fills the program's operations, parts, kinds and own numbers from the operations of each class, which have no loops.
void add_lists(CslProgram& csl, const std::vector<CslOperations>& plain);

/// A sequence over all processors, from its numbers by class.
void compress(CslSequence& sequence, const WaferProgram& program);

/// The index of a value among the distinct ones, which it joins if it is new.
template <class T>
std::int32_t intern(std::vector<T>& known, const T& value) {
  const auto found = std::find(known.begin(), known.end(), value);
  if (found != known.end()) return static_cast<std::int32_t>(found - known.begin());
  known.push_back(value);
  return static_cast<std::int32_t>(known.size()) - 1;
}

}  // namespace muster::wafer
