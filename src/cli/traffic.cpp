// muster simulate --traffic: a list of transactions instead of a collective.
#include "result/traffic.h"

#include "backend/capabilities.h"
#include "cli/applicability.h"
#include "cli/commands.h"
#include "cli/question.h"
#include "cli/show.h"

namespace muster {

int run_traffic(const Arguments& arguments) {
  leave_out(arguments, {"--collective",     "--count",       "--bytes",  "--type",     "--op",   "--root",
                        "--algorithm",      "--set",         "--chunks", "--schedule", "--csl",  "--registers",
                        "--calls",          "--sensitivity", "--trace",  "--svg",      "--grid", "--nodes",
                        "--noc-assignment", "--sync",        "--engine"},
            "means nothing with --traffic, whose file lists the transactions");
  const Machine machine = whole_machine_of(arguments);
  check_family_flags(arguments, machine);
  const TrafficSimulator& simulator = traffic_simulator_for(machine);
  const TrafficAnswer answer =
      simulator.simulate(machine, read_emitted(arguments.text("--traffic")), seed_of(arguments));
  show(arguments, answer);
  return answer.fault ? kAnswerIsNo : kDone;
}

}  // namespace muster
