// Functions that @map applies to every pair of elements: which operator they are.
#pragma once

#include "backend/wafer/csl_reader/evaluator.h"
#include "schedule/arithmetic.h"

namespace muster::wafer::csl {

/// The operator of a function of two parameters a, b that returns a + b, a * b, or one of the two by a comparison of
/// them. Throws InputError for any other.
Operator operator_of(const Value& callback, const Location& location);

}  // namespace muster::wafer::csl
