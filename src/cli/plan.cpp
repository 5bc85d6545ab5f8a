// muster plan: every algorithm that supports the request, ranked.
#include "cli/commands.h"
#include "cli/progress.h"
#include "cli/question.h"
#include "report/json_report.h"
#include "report/text_report.h"

namespace muster {

int run_plan(const Arguments& arguments) {
  Job job = job_of(arguments);
  PlanAnswer answer;
  {
    const ProgressOf progress(job, arguments);
    answer = plan(job);
  }
  print(arguments.json ? json_report(answer) : text_report(answer));
  if (answer.candidates.empty()) return kAnswerIsNo;
  const bool simulated = answer.candidates[0].simulated_seconds.has_value();
  return answer.verified && (answer.result_correct || !simulated) ? kDone : kAnswerIsNo;
}

}  // namespace muster
