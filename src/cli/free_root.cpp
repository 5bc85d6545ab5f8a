// --root any: the root is chosen before the question is answered.
#include "study/free_root.h"

#include "base/error.h"
#include "cli/progress.h"
#include "cli/question.h"

namespace muster {

bool is_free_root(const Arguments& arguments) { return arguments.has("--root") && arguments.text("--root") == "any"; }

void choose_root(const Arguments& arguments, Job& job) {
  RootRequest request{.job = job, .quick = arguments.has("--quick")};
  if (arguments.has("--algorithm")) {
    request.algorithm = arguments.text("--algorithm");
    request.given = parameters_of(arguments, &request.job.machine);
    (void)find_algorithm(job.collective, family_name(job.machine),
                         request.algorithm);  // a wrong name is reported first
  }
  const ProgressOf progress(request.job, arguments);
  job.roots_tried = try_roots(request);
  if (!job.roots_tried.empty()) job.root = static_cast<NodeId>(job.roots_tried.front().root);
}

}  // namespace muster
