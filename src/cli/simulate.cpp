// muster simulate: one algorithm, or a schedule or a program from elsewhere, in the simulator.
#include <utility>

#include "backend/capabilities.h"
#include "base/error.h"
#include "base/numbers.h"
#include "cli/applicability.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/given_files.h"
#include "cli/progress.h"
#include "cli/question.h"
#include "cli/show.h"
#include "machine/timing_keys.h"
#include "plan/job.h"
#include "report/json_trace.h"
#include "report/svg_line.h"
#include "report/svg_timeline.h"
#include "study/families.h"
#include "study/line_picture.h"

namespace muster {
namespace {

constexpr std::int64_t kMostThreads = 1024;

Engine engine_of(const Arguments& arguments) {
  if (!arguments.has("--engine") || arguments.text("--engine") == "auto") return Engine::automatic;
  if (arguments.text("--engine") == "cycle") return Engine::cycle;
  if (arguments.text("--engine") == "stream") return Engine::stream;
  reject("--engine: unknown engine '{}'; use auto, cycle or stream", arguments.text("--engine"));
}

/// Only the cycle engine of a mesh uses several.
int threads_of(const Arguments& arguments) {
  if (!arguments.has("--threads")) return 1;
  if (engine_of(arguments) == Engine::stream) leave_out(arguments, {"--threads"}, "the stream engine uses one thread");
  return static_cast<int>(parse_number(arguments.text("--threads"),
                                       {.flag = "--threads", .least = 1, .most = kMostThreads, .example = "2"}));
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
    if (arguments.text(flag) == "-") reject("{}: standard output is already used by the answer; name a file", flag);
  }
  check_different_files(arguments, {"--trace", "--svg"});
  if (arguments.has("--trace")) check_named_file(arguments.text("--trace"), "--trace");
  if (!arguments.has("--svg")) return;
  check_named_file(arguments.text("--svg"), "--svg");
  if (studies_of(job.machine).draws_lines) check_line(job);
}

Simulated simulated(const Arguments& arguments) {
  Simulated run;
  const bool given = arguments.has("--schedule");
  if (given) run.schedule = read_schedule(arguments.text("--schedule"));
  run.job = given ? job_of(arguments, run.schedule, schedule_source(arguments)) : job_of(arguments);
  run.job.engine = engine_of(arguments);
  run.job.threads = threads_of(arguments);
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

/// An engine that is asked for by name must be able to simulate every machine that sensitivity tries.
void check_engine_for_all(const Job& job) {
  if (job.engine != Engine::stream) return;
  for (const TimingKey& key : timing_keys(job.machine)) {
    for (const auto& value : key.values) (void)simulator_for(value.machine, {.engine = job.engine});
  }
}

/// Many simulations have neither a single schedule nor a single picture.
void check_sensitivity(const Arguments& arguments) {
  leave_out(arguments, {"--schedule", "--csl", "--registers"}, "--sensitivity ranks algorithms");
  leave_out(arguments, {"--trace", "--svg", "--threads"}, "--sensitivity runs many simulations");
}

/// What the files leave to the flags: with a schedule nothing, else the collective.
Job job_of_files(const Arguments& arguments, const GivenFiles& given) {
  const ReadFiles& read = given.read;
  if (!read.contents.lifted) return job_of(arguments, *read.facts, given.source());
  const Schedule& schedule = read.contents.lifted->schedule;
  Job job = job_of(arguments, schedule, given.source());
  job.arithmetic = read.facts->arithmetic;
  job.count = schedule.contracts[0].count * elements_per_word(job.arithmetic.type);
  return job;
}

/// Files with a program: simulated as they are, after the proof of their schedule; or, if they have none, compared with the
/// collective that the flags name.
Simulated simulated_files(const Arguments& arguments, const Reader& reader) {
  const FileFormat format = reader.format();
  const std::string flag = flag_of(format);
  if (!format.has_schedule) {
    leave_out(arguments, {"--svg"},
              fmt::format("it draws the messages of a schedule, which a program of {} does not have", flag));
    leave_to(arguments, flag, "program", {"--reserve-colors"});
    if (!arguments.has("--collective")) {
      reject("simulate {} needs --collective to check the result; use e.g. --collective reduce", flag);
    }
    if (collective_of(arguments) == Collective::stencil) {  // a wrong name is reported before files are read
      reject(
          "--collective: the result of a stencil from files is not compared; 'muster verify {} DIR' checks its program",
          flag);
    }
  }
  const GivenFiles given = read_given(arguments, reader);
  if (given.read.contents.program == nullptr) {
    reject("{}: such files describe a schedule, not a program; 'muster verify {} FILE' proves it", flag, flag);
  }
  Simulated run;
  run.job = job_of_files(arguments, given);
  run.job.engine = engine_of(arguments);
  run.job.threads = threads_of(arguments);
  check_pictures(arguments, run.job);
  run.job.timeline = is_drawn(arguments);
  const ProgressOf progress(run.job, arguments);
  run.answer = simulate_files(run.job, given.read);
  return run;
}

/// The messages along a line of PEs, or what was busy when.
std::string picture_of(const Arguments& arguments, const Simulated& run) {
  if (!studies_of(run.job.machine).draws_lines) {
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
  if (arguments.has("--kernels")) return run_kernels(arguments);
  if (arguments.has("--traffic")) return run_traffic(arguments);
  const Reader* const reader = given_reader(arguments);
  const Engine engine = engine_of(arguments);  // a wrong name is reported first
  if (arguments.has("--sensitivity")) {
    check_sensitivity(arguments);
    Job job = job_of(arguments);
    if (!arguments.has("--algorithm")) job = with_parameters(arguments, std::move(job));
    job.engine = engine;
    check_engine_for_all(job);
    return run_sensitivity(arguments, std::move(job));
  }
  const Simulated run = reader == nullptr ? simulated(arguments) : simulated_files(arguments, *reader);
  write_pictures(arguments, run);
  const SimulationAnswer& answer = run.answer;
  show(arguments, answer);
  const bool accepted = answer.verified || answer.from_files;
  return accepted && answer.result_correct && !answer.result.fault ? kDone : kAnswerIsNo;
}

}  // namespace muster
