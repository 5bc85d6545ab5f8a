// muster simulate --kernels: a folder of kernels instead of a collective.
#include "result/kernels.h"

#include "backend/capabilities.h"
#include "cli/applicability.h"
#include "cli/commands.h"
#include "cli/question.h"
#include "cli/show.h"

namespace muster {

int run_kernels(const Arguments& arguments) {
  leave_out(arguments,
            {"--collective",  "--count",  "--bytes",    "--type", "--op",        "--root",           "--algorithm",
             "--set",         "--chunks", "--schedule", "--csl",  "--registers", "--traffic",        "--calls",
             "--sensitivity", "--trace",  "--svg",      "--grid", "--nodes",     "--noc-assignment", "--engine"},
            "means nothing with --kernels, whose files say what runs where");
  const Machine machine = whole_machine_of(arguments);
  check_family_flags(arguments, machine);
  const KernelSimulator& simulator = kernel_simulator_for(machine);
  const KernelsAnswer answer =
      simulator.simulate(machine, {.folder = arguments.text("--kernels"), .data = data_folder()}, seed_of(arguments));
  show(arguments, answer);
  return answer.is_right() ? kDone : kAnswerIsNo;
}

}  // namespace muster
