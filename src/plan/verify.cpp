// `muster verify`: the verifier's verdict as an answer.
#include "machine/cluster.h"
#include "plan/job.h"
#include "plan/plan.h"
#include "schedule/flat_counts.h"
#include "schedule/interpret.h"

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

VerifyAnswer verify_file(const EmittedFile& file, const Machine& machine, std::uint64_t seed,
                         const std::optional<AdditionsAnswer>& asked) {
  const Outcome<LiftedFiles> lifted = require_backend(machine)->lift({file}, machine);
  if (!lifted) reject("{}", lifted.reason());
  VerifyAnswer answer = verify_schedule(lifted.value().schedule, lifted.value().machine,
                                        {.seed = seed, .step_name = lifted.value().step_name});
  answer.facts = lifted.value().facts;
  if (!lifted.value().stuck.empty() && answer.verified) {
    answer.verified = false;
    answer.counterexample = CounterexampleAnswer{.kind = "wait-cycle", .message = lifted.value().stuck};
  }
  if (answer.verified && asked) {
    answer.additions = asked;
    answer.additions->formula =
        order_of_additions(lifted.value().schedule, static_cast<NodeId>(asked->rank), asked->element);
  }
  return answer;
}

VerifyAnswer verify_msccl(const EmittedFile& file, std::uint64_t seed) {
  const Machine any{.name = "msccl", .summary = "", .network = Cluster{}};  // the file says how many GPUs there are
  return verify_file(file, any, seed, std::nullopt);
}

}  // namespace muster
