// muster explain: the winner, or the algorithm that was named, next to the best of the others.
#include "base/error.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "cli/question.h"
#include "plan/explanation.h"
#include "report/json_report.h"
#include "report/text_report.h"

namespace muster {
namespace {

ExplainAnswer answer_of(const Arguments& arguments) {
  Job job = job_of(arguments);
  const ProgressOf progress(job, arguments);
  std::optional<Choice> choice;
  if (!arguments.algorithm.empty()) choice = choice_of(arguments, job);
  if (arguments.algorithm.empty() && !arguments.set.empty()) {
    reject("--set needs --algorithm; 'muster algorithms' lists them");
  }
  return explain(job, choice);
}

}  // namespace

int run_explain(const Arguments& arguments) {
  const ExplainAnswer answer = answer_of(arguments);
  print(arguments.json ? json_report(answer) : text_report(answer));
  return kDone;
}

}  // namespace muster
