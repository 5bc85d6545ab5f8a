// Expressions of numbers alone: constants, names, elements of arrays, operators and @as. Layouts compute little else for each
// of a wafer's PEs, so these are evaluated without values in between.
#pragma once

#include "backend/wafer/csl_reader/evaluate.h"

namespace muster::wafer::csl {

/// What `evaluate` gives for a node that prepare() has marked, without its object, which integers and booleans lack. Undefined where
/// something else is met, or a mistake: `evaluate` must look then. Throws InputError only where that would.
Number plain_number(const Node& node, const Scope& scope);

/// The same for any node; undefined where it is not marked, and in tasks, where data may not be looked at.
inline Number number_at_once(const Node& node, const Scope& scope) {
  return node.is_plain && !scope.evaluator.is_running() ? plain_number(node, scope) : Number{};
}

}  // namespace muster::wafer::csl
