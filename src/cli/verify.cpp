// muster verify: a schedule from a file or a pipe, proven right or refused with a counterexample.
#include "base/error.h"
#include "cli/commands.h"
#include "cli/question.h"
#include "report/json_report.h"
#include "report/text_report.h"
#include "schedule/text.h"

namespace muster {

int run_verify(const Arguments& arguments) {
  if (arguments.positional.empty()) reject("verify needs a schedule; name a file, or - for standard input");
  const Machine machine = machine_of(arguments);
  const std::string& file = arguments.positional[0];
  const Schedule schedule = parse_schedule(read_text(file), file == "-" ? "standard input" : file);
  const VerifyAnswer answer = verify_schedule(schedule, machine, seed_of(arguments));
  print(arguments.json ? json_report(answer) : text_report(answer));
  return answer.verified ? kDone : kAnswerIsNo;
}

}  // namespace muster
