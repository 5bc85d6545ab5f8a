// The pipeline itself: machine and question in; candidates, bounds, proof, program, simulation and answer out. What cli
// and claims call; nothing here prints.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backend/capabilities.h"
#include "collective/algorithm.h"
#include "machine/machine.h"
#include "result/answer.h"
#include "schedule/arithmetic.h"
#include "schedule/schedule.h"
#include "schedule/verify.h"

namespace muster {

/// One question, complete and checked: count is at least 1 (barrier: 1), the root is a rank of the machine.
struct Job {
  Machine machine;  ///< in the shape in use
  Collective collective = Collective::reduce;
  std::int64_t count = 0;  ///< elements as the user counts them
  Arithmetic arithmetic;
  NodeId root = 0;
  Options options = {};                      ///< the family's own
  std::vector<RootAnswer> roots_tried = {};  ///< how the root was chosen, if it was (free_root.h)
  Parameters given = {};                     ///< where algorithms are compared: for each that has such a parameter
  int calls = 1;
  bool timeline = false;  ///< simulate(): write down what happens when
  Engine engine = Engine::automatic;
  int threads = 1;  ///< of one simulation: its answer does not depend on them
  std::uint64_t seed = 1;
  // plan(): a candidate that needs more is not simulated. About as much time, or less.
  std::int64_t hop_budget = 50'000'000;              ///< of the cycle engine: words times hops
  std::int64_t transit_budget = 10'000'000;          ///< of the stream engine: messages times routers that they pass
  std::int64_t effort_budget = 256'000'000;          ///< of the stream engine, over all candidates: Result::effort
  bool both_budgets = false;                         ///< whichever engine runs
  std::function<void(const std::string&)> progress;  ///< told what happens now, if set
};

/// Throws InputError unless the job makes sense: count, root, groups, type and operator, memory.
void check_job(const Job& job);

Request request_of(const Job& job);

/// An algorithm with its parameters complete; throws InputError if it does not support the job.
struct Choice {
  const Algorithm* algorithm = nullptr;
  Parameters parameters;
};
/// What is not given is chosen as plan() chooses it: the default, or the value worth trying with the best prediction.
Choice choose(const Job& job, const std::string& algorithm, const Parameters& given);
/// The same with the default of every parameter that is not given, as papers have it.
Choice choose_with_defaults(const Job& job, const std::string& algorithm, const Parameters& given);
/// The winner of plan(), never one that failed. Throws NothingFits with the reasons if there is none.
Choice choose_best(const Job& job);

/// make → verify → lower → simulate → compare with the reference.
SimulationAnswer simulate(const Job& job, const Choice& choice);
/// The same for a schedule from elsewhere.
SimulationAnswer simulate(const Job& job, const Schedule& schedule);
/// The same for a program that was read from files of the format `name`, and the schedule that it was lifted to.
SimulationAnswer simulate_lifted(const Job& job, const Schedule& schedule, const Program& program,
                                 const std::string& name);

VerifyAnswer verify_schedule(const Schedule& schedule, const Machine& machine, const VerifyOptions& options);

/// make → verify → lower → emit. Throws InputError for an unknown target.
struct Emission {
  std::vector<EmittedFile> files;
  std::string summary;
  std::string refusal;                  ///< why the verifier refused a schedule from elsewhere; there are no files then
  std::vector<std::string> notes = {};  ///< where the files take longer than what is simulated
};
Emission emit(const Job& job, const Choice& choice, const EmitOptions& options);
/// The same for a schedule from elsewhere.
Emission emit(const Job& job, const Schedule& schedule, const EmitOptions& options);
/// What is known about writing a choice for the targets of its machine: it is made, lowered and written, but not verified. Schedules
/// that would take seconds (a split reduce on a whole wafer, a thousand GPUs) are not tried.
struct OnTargets {
  std::vector<std::string> remarks = {};  ///< why it cannot be written, or takes longer as written
  bool emittable = true;                  ///< or nothing says otherwise; of phases: tried and done
};
OnTargets on_targets(const Job& job, const Choice& choice);

}  // namespace muster
