// muster explain: the winner, or the algorithm that was named, next to the best of the others.
#include "study/explain.h"

#include <utility>

#include "cli/commands.h"
#include "cli/progress.h"
#include "cli/question.h"
#include "cli/show.h"

namespace muster {

int run_explain(const Arguments& arguments) {
  Job job = job_of(arguments);
  if (!arguments.has("--algorithm")) job = with_parameters(arguments, std::move(job));
  const ProgressOf progress(job, arguments);
  std::optional<Choice> choice;
  if (arguments.has("--algorithm")) choice = choice_of(arguments, job);
  show(arguments, explain(job, choice));
  return kDone;
}

}  // namespace muster
