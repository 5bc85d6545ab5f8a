// muster simulate: one algorithm, or a schedule from elsewhere, in the simulator.
#include "base/error.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "cli/question.h"
#include "report/json_report.h"
#include "report/text_report.h"

namespace muster {
namespace {

void check_engine(const Arguments& arguments) {
  const std::vector<std::string> engines{"auto", "cycle"};
  if (arguments.engine.empty()) return;
  const std::string& engine = arguments.engine[0];
  if (std::find(engines.begin(), engines.end(), engine) == engines.end()) {
    reject("--engine: unknown engine '{}'; use auto or cycle", engine);
  }
}

SimulationAnswer answer_of(const Arguments& arguments) {
  if (!arguments.schedule.empty()) {
    const Schedule schedule = read_schedule(arguments.schedule[0]);
    Job job = job_of(arguments, schedule);
    const ProgressOf progress(job, arguments);
    return simulate(job, schedule);
  }
  Job job = job_of(arguments);
  const ProgressOf progress(job, arguments);
  return simulate(job, choice_of(arguments, job));
}

}  // namespace

int run_simulate(const Arguments& arguments) {
  check_engine(arguments);
  const SimulationAnswer answer = answer_of(arguments);
  print(arguments.json ? json_report(answer) : text_report(answer));
  return answer.verified && answer.result_correct && !answer.result.fault ? kDone : kAnswerIsNo;
}

}  // namespace muster
