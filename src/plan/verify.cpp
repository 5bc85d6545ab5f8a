// `muster verify`: the verifier's verdict as an answer.
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

}  // namespace muster
