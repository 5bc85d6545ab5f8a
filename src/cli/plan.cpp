// muster plan: every algorithm that supports the request, ranked, and what to type next.
#include "study/plan.h"

#include "base/error.h"
#include "cli/commands.h"
#include "cli/next.h"
#include "cli/progress.h"
#include "cli/question.h"
#include "cli/show.h"

namespace muster {

int run_plan(const Arguments& arguments) {
  if (arguments.has("--quick") && arguments.has("--sensitivity")) {
    reject("--sensitivity needs simulation, --quick excludes it; leave out one of them");
  }
  Job job = with_parameters(arguments, job_of(arguments));
  if (arguments.has("--sensitivity")) return run_sensitivity(arguments, job);
  PlanAnswer answer;
  {
    const ProgressOf progress(job, arguments);
    answer = plan(job, {.quick = arguments.has("--quick")});
  }
  answer.next = next_commands(arguments, job, answer);
  show(arguments, answer);
  if (answer.failed || answer.candidates.empty()) return kAnswerIsNo;
  return answer.verified || answer.predicted_only ? kDone : kAnswerIsNo;
}

}  // namespace muster
