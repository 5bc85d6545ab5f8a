// --sensitivity of plan and simulate: how the ranking depends on the machine's timing parameters.
#include "study/sensitivity.h"

#include <utility>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "cli/question.h"
#include "cli/show.h"

namespace muster {

int run_sensitivity(const Arguments& arguments, Job job) {
  SensitivityRequest request{.job = std::move(job)};
  if (arguments.has("--algorithm")) request.algorithm = arguments.text("--algorithm");
  if (request.algorithm.empty() && arguments.has("--set")) {
    reject("--set needs --algorithm; 'muster algorithms' lists them");
  }
  request.given = parameters_of(arguments, &request.job.machine);
  SensitivityAnswer answer;
  {
    ProgressLine line("rankings", progress_stream(arguments));
    request.progress = [&line](double fraction) { line.show(fraction); };
    answer = sensitivity(request);
  }
  show(arguments, answer);
  return answer.failed ? kAnswerIsNo : kDone;
}

}  // namespace muster
