// An order in which the steps of a flat schedule can run whole, one after another.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "schedule/index.h"

namespace muster {

/// A step runs; an exchange step first sends its old elements, which may be long before it can take its streams.
struct RunEvent {
  StepId step = 0;
  bool sends_old = false;
};

enum class RunOrder : std::uint8_t {
  as_ready,  ///< a step runs as soon as it can
  by_lane,   ///< lanes that streams connect, one group after another: what phases stand for, phase by phase
  on_demand,  ///< depth first from the results: a step runs just before one that needs it, so few streams are full at a time
};

/// Every step once, each after the steps before it in its lane, those it waits for and those that push
/// its streams (a stream without elements is not waited for).
/// Throws InputError that names node and step if there is no such order. `index`: of checked_index(), which is made and may
/// throw where it is not given.
std::vector<RunEvent> run_order(const Schedule& flat, const ScheduleIndex& index, RunOrder how = RunOrder::as_ready);
std::vector<RunEvent> run_order(const Schedule& flat, RunOrder how = RunOrder::as_ready);

/// The same, one step at a time. If it throws, some steps may have been visited already.
void visit_run_order(const Schedule& flat, const ScheduleIndex& index, RunOrder how,
                     const std::function<void(const RunEvent&)>& visit);

}  // namespace muster
