// muster seismic: waves through the ground.
#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "app/seismic/mpi/mpi_processes.h"
#include "app/seismic/plan.h"
#include "app/seismic/predict/predict.h"
#include "app/seismic/roofline.h"
#include "app/seismic/run.h"
#include "app/seismic/shot.h"
#include "base/error.h"
#include "base/file.h"
#include "base/numbers.h"
#include "base/one_line.h"
#include "cli/applicability.h"
#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/files.h"
#include "cli/progress.h"
#include "cli/question.h"
#include "cli/show.h"
#include "machine/loader.h"
#include "report/roofline_figure.h"
#include "report/svg_plot.h"

namespace muster {
namespace {

constexpr std::int64_t kMostThreads = 1024;

std::map<std::string, std::string> overrides_of(const Arguments& arguments) {
  std::map<std::string, std::string> overrides;
  for (const std::string& text : arguments.values("--set")) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      reject("--set: '{}' has no {}; use e.g. --set grid=240x240x240", text,
             equals == 0 ? "key before its '='" : "'='");
    }
    overrides[text.substr(0, equals)] = text.substr(equals + 1);
  }
  if (arguments.has("--steps")) {
    const std::string& steps = arguments.text("--steps");
    (void)parse_number(steps, {.flag = "--steps", .least = 1, .most = seismic::kMostSteps, .example = "300"});
    overrides["steps"] = steps;
  }
  return overrides;
}

/// Whether processes of MPI share the grid.
bool is_shared(const Arguments& arguments) { return arguments.has("--target") && arguments.text("--target") == "mpi"; }

seismic::Target target_of(const Arguments& arguments) {
  seismic::Target target;
  // The processes of an MPI run share the cores.
  target.threads = is_shared(arguments) ? 1 : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  if (arguments.has("--threads")) {
    target.threads = static_cast<int>(parse_number(
        arguments.text("--threads"), {.flag = "--threads", .least = 1, .most = kMostThreads, .example = "2"}));
  }
  if (!arguments.has("--target")) return target;
  static const std::array<std::string, 4> kTargets{"reference", "cpu", "mpi", "cuda"};
  const std::string& name = arguments.text("--target");
  if (name == "reference") {
    target = {.kind = seismic::Target::Kind::reference, .threads = 1};
  } else if (name == "mpi") {
    target.kind = seismic::Target::Kind::mpi;
  } else if (name == "cuda") {
    target = {.kind = seismic::Target::Kind::cuda, .threads = 1};
  } else if (name != "cpu") {
    reject("--target: unknown target '{}'; {}", name, suggest(name, kTargets));
  }
  return target;
}

std::vector<std::string> example_names() {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(data_folder() / "shots", error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() == ".toml") names.push_back(entry->path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

int list_examples() {
  std::string text;
  for (const std::string& name : example_names()) {
    const std::filesystem::path file = data_folder() / "shots" / (name + ".toml");
    text += fmt::format("{:<13} {}\n", name, seismic::read_shot(read_file(file), file.string()).title);
  }
  print(text);
  return kDone;
}

int print_example(const std::string& name) {
  const std::vector<std::string> names = example_names();
  if (!std::ranges::count(names, name)) reject("unknown example '{}'; {}", one_line(name), suggest(name, names));
  print(read_file(data_folder() / "shots" / (name + ".toml")));
  return kDone;
}

/// A handler of a signal reaches nothing but globals.
volatile std::sig_atomic_t was_interrupted = 0;

/// While it lives, the first SIGINT and the first SIGTERM are only noted; a second one of its kind ends the process.
class NotedSignals {
 public:
  NotedSignals() {
    was_interrupted = 0;
    struct sigaction action {};
    action.sa_handler = [](int) { was_interrupted = 1; };
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &action, &before_[i]);
  }
  ~NotedSignals() {
    for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before_[i], nullptr);
  }
  NotedSignals(const NotedSignals&) = delete;
  NotedSignals& operator=(const NotedSignals&) = delete;

 private:
  static constexpr std::array kSignals{SIGINT, SIGTERM};
  std::array<struct sigaction, kSignals.size()> before_{};
};

seismic::Arithmetic arithmetic_of(const Arguments& arguments) {
  static const std::vector<std::string> kNames(seismic::kArithmeticNames.begin(), seismic::kArithmeticNames.end());
  const std::string& name = arguments.has("--arithmetic") ? arguments.text("--arithmetic") : kNames.front();
  const auto found = std::ranges::find(kNames, name);
  if (found == kNames.end()) reject("--arithmetic: unknown arithmetic '{}'; {}", name, suggest(name, kNames));
  return static_cast<seismic::Arithmetic>(found - kNames.begin());
}

seismic::Shot shot_of(const Arguments& arguments, const std::string& file) {
  seismic::Shot shot = seismic::read_shot(read_file(file), file, overrides_of(arguments));
  shot.grid.arithmetic = arithmetic_of(arguments);
  return shot;
}

std::filesystem::path folder_of(const Arguments& arguments) {
  return arguments.has("--out") ? arguments.text("--out") : "";
}

/// 0: not given.
std::int64_t shots_in_flight_of(const Arguments& arguments) {
  if (!arguments.has("--in-flight")) return 0;
  return parse_number(arguments.text("--in-flight"),
                      {.flag = "--in-flight", .least = 1, .most = kMostThreads, .example = "4"});
}

void run_shot(const Arguments& arguments, const std::string& file, seismic::Processes* processes) {
  seismic::Processes alone;
  seismic::Target target;
  seismic::Shot shot;
  together(processes == nullptr ? alone : *processes, [&] {
    if (processes != nullptr) leave_out(arguments, {"--in-flight"}, "processes make one shot at a time, together");
    target = target_of(arguments);
    shot = shot_of(arguments, file);
  });
  target.processes = processes;
  const NotedSignals signals;
  const bool is_first = processes == nullptr || processes->is_first();
  ProgressLine line(shot.name, is_first ? progress_stream(arguments) : nullptr);
  const seismic::RunOptions options{.target = target,
                                    .folder = folder_of(arguments),
                                    .resume = arguments.has("--resume") ? arguments.text("--resume") : "",
                                    .progress = [&](double done) { line.show(done); },
                                    .is_interrupted = [] { return was_interrupted != 0; },
                                    .shots_in_flight = shots_in_flight_of(arguments)};
  const WavefieldAnswer answer = seismic::run(shot, options);
  if (is_first) show(arguments, answer);
}

/// The first process speaks for all where they fail together. One that fails alone speaks for itself, and ends the others, which may wait for it.
int run_shot_together(const Arguments& arguments, const std::string& file) {
  const std::unique_ptr<seismic::Processes> processes = seismic::mpi_processes();
  try {
    run_shot(arguments, file, processes.get());
    return kDone;
  } catch (...) {
    const bool is_common = processes->have_failed_together() || processes->count() == 1;
    const Failure failure = failure_of(std::current_exception());
    if (is_common) {
      // Before MPI ends: the first process that has left with a failure ends the others.
      if (processes->is_first()) complain(failure.message);
      return failure.exit_code;
    }
    complain(fmt::format("process {} of {}: {}", processes->rank() + 1, processes->count(), failure.message));
    processes->abort(failure.exit_code);
    return failure.exit_code;
  }
}

/// As mpiexec says it to each of several processes: of OpenMPI, and of others.
void check_alone() {
  for (const char* const name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    const char* const count = std::getenv(name);
    if (count == nullptr || std::atoi(count) <= 1) continue;
    reject(
        "seismic run: {} processes of mpiexec would all make the same run and write the same files; use --target mpi",
        one_line(count));
  }
}

int run_shot(const Arguments& arguments, const std::string& file) {
  if (is_shared(arguments)) return run_shot_together(arguments, file);
  check_alone();
  run_shot(arguments, file, nullptr);
  return kDone;
}

int plan_shot(const Arguments& arguments, const std::string& file) {
  leave_out(arguments, {"--resume", "--in-flight"}, "a plan starts nothing");
  const seismic::Shot shot = shot_of(arguments, file);
  std::optional<CommunicationPrediction> prediction;
  if (arguments.has("--predict")) {
    const FoundMachine machine = find_machine(machine_path_of(arguments), arguments.text("--predict"));
    prediction = seismic::predict(shot, load_machine(machine.file));
  }
  WavefieldPlan plan = seismic::plan(shot, target_of(arguments), folder_of(arguments));
  plan.prediction = std::move(prediction);
  show(arguments, plan);
  // What is too large for this machine may fit the one that was asked about.
  const bool is_for_this_machine = !plan.prediction.has_value();
  return is_for_this_machine && !plan.refusals.empty() ? kAnswerIsNo : kDone;
}

int run_roofline(const Arguments& arguments) {
  leave_out(arguments, {"--set", "--steps", "--target", "--arithmetic", "--in-flight", "--out", "--resume"},
            "a roofline is of this machine's CPU");
  const bool is_drawn = arguments.has("--svg");
  if (is_drawn) check_named_file(arguments.text("--svg"), "--svg");
  ProgressLine line("roofline", progress_stream(arguments));
  const RooflineAnswer answer =
      seismic::measure_roofline(target_of(arguments).threads, [&](double done) { line.show(done); });
  if (is_drawn) {
    write_named_file(arguments.text("--svg"), svg_plot(roofline_figure(answer), arguments.command), "--svg");
  }
  show(arguments, answer);
  return kDone;
}

}  // namespace

int run_seismic(const Arguments& arguments) {
  const Values& words = arguments.positional;
  const std::string what = words.empty() ? "" : words[0];
  if (what != "run" && what != "plan" && what != "example" && what != "view" && what != "roofline") {
    reject("seismic: {}; use e.g. muster seismic run shot.toml",
           words.empty() ? "say what to do"
                         : fmt::format("'{}' is not one of run, plan, example, view, roofline", one_line(what)));
  }
  if (what != "view") {
    leave_out(arguments, {"--slice", "--style", "--clip", "--grid", "--samples", "--precision"},
              "only seismic view draws a picture");
  }
  if (what != "plan") leave_out(arguments, {"--predict"}, "only seismic plan predicts");
  if (what != "roofline") leave_out(arguments, {"--svg"}, "only seismic roofline draws one");
  if (what == "roofline") return run_roofline(arguments);
  if (what == "example") {
    leave_out(
        arguments,
        {"--set", "--steps", "--target", "--arithmetic", "--threads", "--in-flight", "--out", "--resume", "--json"},
        "an example is printed as it is");
    return words.size() < 2 ? list_examples() : print_example(words[1]);
  }
  if (words.size() < 2) {
    reject("seismic {} needs {}", what,
           what == "view" ? "a file; use e.g. muster seismic view shot.segy --out shot.png"
                          : fmt::format("a shot file; use e.g. muster seismic {} shot.toml", what));
  }
  if (what == "view") {
    leave_out(arguments, {"--set", "--steps", "--target", "--arithmetic", "--threads", "--in-flight", "--resume"},
              "a picture needs no run");
    return run_seismic_view(arguments, words[1]);
  }
  return what == "run" ? run_shot(arguments, words[1]) : plan_shot(arguments, words[1]);
}

}  // namespace muster
