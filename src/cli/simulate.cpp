// muster simulate: one algorithm, or a schedule or a program from elsewhere, in the simulator.
#include <utility>

#include "base/error.h"
#include "cli/applicability.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/progress.h"
#include "cli/question.h"
#include "cli/show.h"
#include "plan/job.h"
#include "plan/program_files.h"
#include "report/json_trace.h"
#include "report/svg_line.h"
#include "report/svg_timeline.h"
#include "study/line_picture.h"

namespace muster {
namespace {

Engine engine_of(const Arguments& arguments) {
  if (!arguments.has("--engine") || arguments.text("--engine") == "auto") return Engine::automatic;
  if (arguments.text("--engine") == "cycle") return Engine::cycle;
  if (arguments.text("--engine") == "stream") return Engine::stream;
  reject("--engine: unknown engine '{}'; use auto, cycle or stream", arguments.text("--engine"));
}

/// What was simulated: the pictures need the schedule as well.
struct Simulated {
  Job job;
  Schedule schedule;
  SimulationAnswer answer;
};

bool is_drawn(const Arguments& arguments) { return arguments.has("--trace") || arguments.has("--svg"); }

/// What the parameters of the algorithm do not say.
std::string with_params(const Arguments& arguments) {
  std::vector<std::string> all = arguments.values("--param");
  for (const char* const flag : {"--jitter", "--slow", "--late", "--slow-link", "--missing-link"}) {
    for (const std::string& value : arguments.values(flag)) all.push_back(fmt::format("{} {}", flag + 2, value));
  }
  return all.empty() ? "" : fmt::format("with {}", fmt::join(all, ", "));
}

void check_pictures(const Arguments& arguments, const Job& job) {
  for (const char* const flag : {"--trace", "--svg"}) {
    if (!arguments.has(flag)) continue;
    if (arguments.text(flag) == "-") reject("{}: standard output is for the answer; name a file", flag);
  }
  if (arguments.has("--trace") && arguments.values("--trace") == arguments.values("--svg")) {
    reject("--trace and --svg both name {}; name two files", arguments.text("--svg"));
  }
  if (arguments.has("--trace")) check_named_file(arguments.text("--trace"), "--trace");
  if (!arguments.has("--svg")) return;
  check_named_file(arguments.text("--svg"), "--svg");
  if (time_base_of(job.machine).is_clock) check_line(job);
}

Simulated simulated(const Arguments& arguments) {
  Simulated run;
  const bool given = arguments.has("--schedule");
  if (given) run.schedule = read_schedule(arguments.text("--schedule"));
  run.job = given ? job_of(arguments, run.schedule) : job_of(arguments);
  run.job.engine = engine_of(arguments);
  check_pictures(arguments, run.job);
  const ProgressOf progress(run.job, arguments);
  if (given) {
    run.job.timeline = is_drawn(arguments);
    run.answer = simulate(run.job, run.schedule);
    return run;
  }
  const Choice choice = choice_of(arguments, run.job);
  run.job.timeline = is_drawn(arguments);
  run.answer = simulate(run.job, choice);
  if (is_drawn(arguments)) run.schedule = make_schedule(run.job, *choice.algorithm, choice.parameters);
  return run;
}

/// Many simulations have no one schedule and no one picture.
void check_sensitivity(const Arguments& arguments) {
  leave_out(arguments, {"--schedule", "--csl", "--registers"}, "--sensitivity ranks algorithms");
  leave_out(arguments, {"--trace", "--svg"}, "--sensitivity runs many simulations");
}

/// A program from files: read, simulated, and held to the collective that the flags name.
Simulated simulated_program(const Arguments& arguments) {
  leave_out(arguments, {"--svg"}, "it draws the messages of a schedule, and a program of --csl has none");
  leave_to(arguments, "--csl", "program", {"--reserve-colors", "--nodes", "--shape"});
  if (!arguments.has("--collective")) reject("simulate --csl needs --collective, which its result is compared with");
  (void)collective_of(arguments);  // a wrong name is said before files are read
  const Machine machine = whole_machine_of(arguments);
  const ReadProgram read =
      read_program(machine, read_csl_files(arguments.text("--csl"), "--csl"), program_parameters(arguments));
  Simulated run;
  run.job = job_of(arguments, read.facts);
  run.job.engine = engine_of(arguments);
  check_pictures(arguments, run.job);
  run.job.timeline = is_drawn(arguments);
  const ProgressOf progress(run.job, arguments);
  run.answer = simulate(run.job, read);
  return run;
}

/// Registers from a file: read, lifted to a schedule that is proven, and simulated as they are.
Simulated simulated_registers(const Arguments& arguments) {
  leave_to(arguments, "--registers", "file", {"--type", "--op", "--group", "--vectors"});
  const Machine machine = machine_of(arguments);
  const EmittedFile file = read_emitted(arguments.text("--registers"));
  const auto backend = require_backend(machine);
  const auto program = backend->read({file}, machine, {});
  if (!program) reject("{}", program.reason());
  auto lifted = backend->lift({file}, machine);
  if (!lifted) reject("{}", lifted.reason());
  Simulated run;
  run.job = job_of(arguments, lifted.value().schedule);
  run.job.arithmetic = program.value()->facts().arithmetic;
  run.job.count = lifted.value().schedule.contracts[0].count * elements_per_word(run.job.arithmetic.type);
  run.job.engine = engine_of(arguments);
  check_pictures(arguments, run.job);
  run.job.timeline = is_drawn(arguments);
  const ProgressOf progress(run.job, arguments);
  run.answer = simulate_file(run.job, lifted.value(), *program.value());
  return run;
}

/// Where time is counted in cycles, the messages of a line of PEs; else what was busy when.
std::string picture_of(const Arguments& arguments, const Simulated& run) {
  if (!time_base_of(run.job.machine).is_clock) {
    return svg_timeline(run.answer, with_params(arguments), arguments.command);
  }
  LinePicture picture = line_picture(run.job, run.schedule, run.answer);
  const std::string settings = settings_text(arguments);
  if (!settings.empty()) picture.title += ", " + settings;
  return svg_line(picture, arguments.command);
}

/// Nothing is drawn of what did not run.
void write_pictures(const Arguments& arguments, const Simulated& run) {
  const bool ran = run.answer.verified || run.answer.from_files;
  if (!is_drawn(arguments) || !ran || run.answer.result.fault) return;
  MUSTER_ASSERT(run.answer.result.timeline.has_value(), "the simulator was asked for a timeline and made none");
  if (arguments.has("--trace")) {
    write_named_file(arguments.text("--trace"), json_trace(*run.answer.result.timeline), "--trace");
  }
  if (!arguments.has("--svg")) return;
  write_named_file(arguments.text("--svg"), picture_of(arguments, run), "--svg");
}

}  // namespace

int run_simulate(const Arguments& arguments) {
  at_most_one(arguments, {"--schedule", "--csl", "--registers"});
  const Engine engine = engine_of(arguments);  // a wrong name is said first
  if (arguments.has("--sensitivity")) {
    check_sensitivity(arguments);
    Job job = job_of(arguments);
    if (!arguments.has("--algorithm")) job = with_parameters(arguments, std::move(job));
    job.engine = engine;
    return run_sensitivity(arguments, std::move(job));
  }
  const Simulated run = arguments.has("--registers") ? simulated_registers(arguments)
                        : !arguments.has("--csl")    ? simulated(arguments)
                                                     : simulated_program(arguments);
  write_pictures(arguments, run);
  const SimulationAnswer& answer = run.answer;
  show(arguments, answer);
  const bool accepted = answer.verified || answer.from_files;
  return accepted && answer.result_correct && !answer.result.fault ? kDone : kAnswerIsNo;
}

}  // namespace muster
