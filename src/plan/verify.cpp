// `muster verify`: the verifier's verdict as an answer.
#include "plan/job.h"
#include "plan/plan.h"
#include "schedule/flat_counts.h"

namespace muster {

VerifyAnswer verify_schedule(const Schedule& schedule, const Machine& machine, const VerifyOptions& options) {
  const Verdict verdict = verify(schedule, machine, options);
  VerifyAnswer answer{.verified = verdict.verified()};
  answer.error_probability = verdict.error_probability;
  answer.nodes = schedule.node_count;
  const FlatCounts counts = flat_counts(schedule);
  answer.streams = counts.streams;
  answer.steps = counts.steps;
  if (const auto& found = verdict.counterexample) {
    answer.counterexample = CounterexampleAnswer{.kind = std::string(kind_name(found->kind)),
                                                 .node = found->node,
                                                 .element = found->element,
                                                 .step = found->step,
                                                 .stream = found->stream,
                                                 .message = found->message};
  }
  return answer;
}

VerifyAnswer verify_msccl(const EmittedFile& file, std::uint64_t seed) {
  const Machine any{.name = "msccl", .summary = "", .network = Cluster{}};  // the file says how many GPUs there are
  const Outcome<LiftedFiles> lifted = require_backend(any)->lift({file});
  if (!lifted) reject("{}", lifted.reason());
  VerifyAnswer answer = verify_schedule(lifted.value().schedule, lifted.value().machine,
                                        {.seed = seed, .step_name = lifted.value().step_name});
  answer.facts = lifted.value().facts;
  if (!lifted.value().stuck.empty() && answer.verified) {
    answer.verified = false;
    answer.counterexample = CounterexampleAnswer{.kind = "wait-cycle", .message = lifted.value().stuck};
  }
  return answer;
}

}  // namespace muster
