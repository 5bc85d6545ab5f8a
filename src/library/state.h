// Between the library's values and ours.
#pragma once

#include <muster/ask.h>
#include <muster/error.h>

#include <string>
#include <utility>

#include "base/error.h"
#include "machine/machine.h"
#include "plan/plan.h"

namespace muster::library {

struct Machine::State {
  ::muster::Machine machine;
};

/// Calls `action`; whatever it throws comes out as Error.
template <class Action>
auto guarded(Action action) {
  try {
    return action();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    throw Error(error.what());
  }
}

/// The question as the pipeline takes it, checked. Throws InputError.
Job job_of(const Question& question);

/// The question's algorithm with its parameters complete, or the best one. Throws InputError.
Choice choice_of(const Question& question, const Job& job);

Parameters parameters_of(const ParameterValues& values);
Time time_of(std::optional<Cycles> cycles, Seconds seconds);
Bound bound_of(const BoundAnswer& bound);

}  // namespace muster::library
