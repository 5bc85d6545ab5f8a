// What the stages need to know about a job beyond the job itself.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plan/plan.h"
#include "result/time_base.h"

namespace muster {

/// The head of every answer to this job.
Question question_of(const Job& job);

/// The shape of a machine, as answers show it.
ShapeAnswer shape_answer(const Machine& machine);

/// Every bound that is proven for the job, largest first.
std::vector<BoundAnswer> bounds_of(const Job& job);

/// The largest vector, in elements as the user counts them, that a processor's memory holds beside a usual program: as
/// input and output, or once where the collective can work in place.
std::int64_t largest_count(const Job& job);

/// The vector in words. Where f16 do not fill it, the last word of the vector, or of each block of an all-to-all,
/// is padded.
std::int64_t words_of(const Job& job);

/// Whether every block of an all-to-all ends with padding.
bool pads_blocks(const Job& job);

/// Whether input and output share one buffer, because the memory does not hold both.
bool works_in_place(const Job& job);

/// The schedule of an algorithm for the job, in place where it must be.
Schedule make_schedule(const Job& job, const Algorithm& algorithm, const Parameters& parameters);

/// Throws InputError where nothing can be planned, because no schedule can be lowered to the machine.
void require_plans(const Machine& machine);

/// What the job asks of a simulator, without budgets.
SimulateOptions simulate_options(const Job& job);

/// The simulator that runs the job's programs. Throws InputError if none takes such a job.
const Simulator& simulator_of(const Job& job);

/// The cycles as an answer shows them: nothing where the machine has no clock.
std::optional<Cycles> shown_cycles(const Machine& machine, std::optional<Ticks> ticks);

/// A time of the machine in seconds.
Seconds seconds_of(const Machine& machine, Ticks ticks);

TimeBase time_base_of(const Machine& machine);

/// Parameters as an answer shows them: with the names of values that have one.
ParameterValues shown_parameters(const Algorithm& algorithm, const Parameters& parameters);

/// The same parameters without names.
Parameters parameters_behind(const ParameterValues& shown);

/// Tells the job's listener what happens now.
void tell(const Job& job, const std::string& what);

}  // namespace muster
