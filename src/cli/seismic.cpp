// muster seismic: waves through the ground.
#include <algorithm>
#include <array>
#include <filesystem>
#include <thread>

#include "app/seismic/run.h"
#include "app/seismic/shot.h"
#include "base/error.h"
#include "base/file.h"
#include "base/numbers.h"
#include "base/one_line.h"
#include "cli/applicability.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "cli/question.h"
#include "cli/show.h"

namespace muster {
namespace {

constexpr std::int64_t kMostThreads = 1024;

std::map<std::string, std::string> overrides_of(const Arguments& arguments) {
  std::map<std::string, std::string> overrides;
  for (const std::string& text : arguments.values("--set")) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      reject("--set: '{}' has no '='; use e.g. --set grid=240x240x240", text);
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

seismic::Target target_of(const Arguments& arguments) {
  seismic::Target target;
  target.threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  if (arguments.has("--threads")) {
    target.threads = static_cast<int>(parse_number(
        arguments.text("--threads"), {.flag = "--threads", .least = 1, .most = kMostThreads, .example = "2"}));
  }
  if (!arguments.has("--target")) return target;
  static const std::array<std::string, 2> kTargets{"reference", "cpu"};
  const std::string& name = arguments.text("--target");
  if (name == "reference") {
    target = {.kind = seismic::Target::Kind::reference, .threads = 1};
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

int print_example(const std::string& name) {
  const std::vector<std::string> names = example_names();
  if (!std::ranges::count(names, name)) reject("unknown example '{}'; {}", one_line(name), suggest(name, names));
  print(read_file(data_folder() / "shots" / (name + ".toml")));
  return kDone;
}

int run_shot(const Arguments& arguments, const std::string& file) {
  const seismic::Shot shot = seismic::read_shot(read_file(file), file, overrides_of(arguments));
  ProgressLine line(shot.name, progress_stream(arguments));
  show(arguments, seismic::run(shot, target_of(arguments), [&](double done) { line.show(done); }));
  return kDone;
}

}  // namespace

int run_seismic(const Arguments& arguments) {
  const Values& words = arguments.positional;
  const std::string what = words.empty() ? "" : words[0];
  if (what != "run" && what != "example" && what != "view") {
    reject("seismic: {}; use e.g. muster seismic run shot.toml",
           words.empty() ? "say what to do" : fmt::format("'{}' is not one of run, example, view", one_line(what)));
  }
  if (words.size() < 2) {
    reject("seismic {} needs {}", what,
           what == "run"    ? "a shot file; use e.g. muster seismic run shot.toml"
           : what == "view" ? "a file; use e.g. muster seismic view shot.segy --out shot.png"
                            : fmt::format("a name; use {}", fmt::join(example_names(), ", ")));
  }
  if (what == "view") {
    leave_out(arguments, {"--set", "--steps", "--target", "--threads"}, "a picture needs no run");
    return run_seismic_view(arguments, words[1]);
  }
  leave_out(arguments, {"--out", "--slice", "--style", "--clip", "--grid", "--samples", "--precision"},
            "only seismic view draws a picture");
  if (what == "run") return run_shot(arguments, words[1]);
  leave_out(arguments, {"--set", "--steps", "--target", "--threads", "--json"}, "an example is printed as it is");
  return print_example(words[1]);
}

}  // namespace muster
