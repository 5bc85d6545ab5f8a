// muster simulate: one algorithm, or a schedule or a program from elsewhere, in the simulator.
#include <utility>

#include "base/error.h"
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
  if (arguments.engine.empty() || arguments.engine[0] == "auto") return Engine::automatic;
  if (arguments.engine[0] == "cycle") return Engine::cycle;
  if (arguments.engine[0] == "stream") return Engine::stream;
  reject("--engine: unknown engine '{}'; use auto, cycle or stream", arguments.engine[0]);
}

/// What was simulated: the pictures need the schedule as well.
struct Simulated {
  Job job;
  Schedule schedule;
  SimulationAnswer answer;
};

bool is_drawn(const Arguments& arguments) { return !arguments.trace.empty() || !arguments.svg.empty(); }

/// What the parameters of the algorithm do not say.
std::string with_params(const Arguments& arguments) {
  std::vector<std::string> all = arguments.param;
  const std::pair<const Values*, const char*> flags[] = {{&arguments.jitter, "jitter"},
                                                         {&arguments.slow, "slow"},
                                                         {&arguments.late, "late"},
                                                         {&arguments.slow_link, "slow-link"},
                                                         {&arguments.missing_link, "missing-link"}};
  for (const auto& [values, name] : flags) {
    for (const std::string& value : *values) all.push_back(fmt::format("{} {}", name, value));
  }
  return all.empty() ? "" : fmt::format("with {}", fmt::join(all, ", "));
}

void check_pictures(const Arguments& arguments, const Job& job) {
  for (const auto& [flag, names] : {std::pair{"--trace", arguments.trace}, {"--svg", arguments.svg}}) {
    if (!names.empty() && names[0] == "-") reject("{}: standard output is for the answer; name a file", flag);
  }
  if (!arguments.trace.empty() && arguments.trace == arguments.svg) {
    reject("--trace and --svg both name {}; name two files", arguments.svg[0]);
  }
  if (!arguments.trace.empty()) check_named_file(arguments.trace[0], "--trace");
  if (arguments.svg.empty()) return;
  check_named_file(arguments.svg[0], "--svg");
  if (has_clock(job.machine)) check_line(job);
}

Simulated simulated(const Arguments& arguments) {
  Simulated run;
  const bool given = !arguments.schedule.empty();
  if (given) run.schedule = read_schedule(arguments.schedule[0]);
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
  if (!arguments.schedule.empty()) reject("--sensitivity ranks algorithms; leave out --schedule");
  if (!arguments.csl.empty()) reject("--sensitivity ranks algorithms; leave out --csl");
  if (!arguments.trace.empty()) reject("--sensitivity runs many simulations; leave out --trace");
  if (!arguments.svg.empty()) reject("--sensitivity runs many simulations; leave out --svg");
}

/// A program from files: read, simulated, and held to the collective that the flags name.
Simulated simulated_program(const Arguments& arguments) {
  if (!arguments.svg.empty()) reject("--svg draws the messages of a schedule; a program of --csl has none");
  if (!arguments.reserve_colors.empty()) reject("--reserve-colors: the program of --csl has its colors; leave it out");
  if (!arguments.nodes.empty()) reject("--nodes: the program of --csl has its PEs; leave it out");
  if (arguments.collective.empty()) reject("simulate --csl needs --collective, which its result is compared with");
  (void)collective_of(arguments);  // a wrong name is said before files are read
  const Machine machine = whole_machine_of(arguments);
  const ReadProgram read =
      read_program(machine, read_csl_files(arguments.csl[0], "--csl"), program_parameters(arguments));
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
  const std::pair<const Values*, const char*> others[] = {
      {&arguments.schedule, "--schedule"}, {&arguments.csl, "--csl"},
      {&arguments.type, "--type"},         {&arguments.op, "--op"},
      {&arguments.group, "--group"},       {&arguments.vectors, "--vectors"}};
  for (const auto& [values, flag] : others) {
    if (!values->empty()) reject("{}: leave it out with --registers", flag);
  }
  const Machine machine = machine_of(arguments);
  const EmittedFile file = read_emitted(arguments.registers[0]);
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
  if (!has_clock(run.job.machine)) return svg_timeline(run.answer, with_params(arguments), arguments.command);
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
  if (!arguments.trace.empty()) {
    write_named_file(arguments.trace[0], json_trace(*run.answer.result.timeline), "--trace");
  }
  if (arguments.svg.empty()) return;
  write_named_file(arguments.svg[0], picture_of(arguments, run), "--svg");
}

}  // namespace

int run_simulate(const Arguments& arguments) {
  const Engine engine = engine_of(arguments);  // a wrong name is said first
  if (arguments.sensitivity) {
    check_sensitivity(arguments);
    Job job = job_of(arguments);
    if (arguments.algorithm.empty()) job = with_parameters(arguments, std::move(job));
    job.engine = engine;
    return run_sensitivity(arguments, std::move(job));
  }
  const Simulated run = !arguments.registers.empty() ? simulated_registers(arguments)
                        : arguments.csl.empty()      ? simulated(arguments)
                                                     : simulated_program(arguments);
  write_pictures(arguments, run);
  const SimulationAnswer& answer = run.answer;
  show(arguments, answer);
  const bool accepted = answer.verified || answer.from_files;
  return accepted && answer.result_correct && !answer.result.fault ? kDone : kAnswerIsNo;
}

}  // namespace muster
