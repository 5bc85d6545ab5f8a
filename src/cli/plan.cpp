// muster plan: every algorithm that supports the request, ranked.
#include "study/plan.h"

#include "cli/commands.h"
#include "cli/progress.h"
#include "cli/question.h"
#include "report/json_report.h"
#include "report/text_report.h"

namespace muster {

int run_plan(const Arguments& arguments) {
  Job job = with_parameters(arguments, job_of(arguments));
  if (arguments.sensitivity) return run_sensitivity(arguments, job);
  PlanAnswer answer;
  {
    const ProgressOf progress(job, arguments);
    answer = plan(job);
  }
  print(arguments.json ? json_report(answer) : text_report(answer));
  return answer.failed || answer.candidates.empty() || !answer.verified ? kAnswerIsNo : kDone;
}

}  // namespace muster
