// muster figures: the paper's figures, computed, as pictures and tables.
#include "plan/figures.h"

#include "base/error.h"
#include "base/progress.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/progress.h"
#include "cli/question.h"
#include "cli/ranges.h"
#include "report/csv_report.h"
#include "report/json_report.h"
#include "report/svg_plot.h"
#include "report/text_report.h"

namespace muster {
namespace {

std::vector<const FigureSpec*> figures_of(const Arguments& arguments) {
  std::vector<const FigureSpec*> all;
  std::vector<int> known;
  for (const FigureSpec& spec : figure_specs()) {
    all.push_back(&spec);
    known.push_back(spec.number);
  }
  if (arguments.figure.empty()) return all;
  std::vector<const FigureSpec*> chosen;
  for (const std::int64_t number :
       parse_numbers(arguments.figure[0], {.flag = "--figure", .least = 1, .most = 1000, .example = "1,8"})) {
    const auto found = std::find(known.begin(), known.end(), number);
    if (found == known.end()) reject("--figure: {} cannot be drawn; there are {}", number, fmt::join(known, ", "));
    chosen.push_back(all[static_cast<std::size_t>(found - known.begin())]);
  }
  return chosen;
}

Machine mesh_of(Arguments arguments) {
  if (arguments.machine.empty()) arguments.machine = {"wse2"};
  Machine machine = whole_machine_of(arguments);
  if (machine.mesh() == nullptr) {
    reject("figures: {} is a {}; the figures are of a mesh", machine.name, family_name(machine));
  }
  return machine;
}

/// A picture of another machine than the paper's says so.
FigureAnswer drawn(const FigureSpec& spec, const Machine& machine, const Arguments& arguments) {
  ProgressLine line(fmt::format("figure {}", spec.number), progress_stream(arguments));
  FigureAnswer answer = make_figure(spec, machine, [&line](double fraction) { line.show(fraction); });
  const std::string settings = settings_text(arguments);
  if (!settings.empty()) answer.figure.note += fmt::format(" Drawn for {} {}.", machine.name, settings);
  return answer;
}

}  // namespace

int run_figures(const Arguments& arguments) {
  if (arguments.out.empty()) reject("figures needs a folder for its files; use e.g. --out figures");
  const std::vector<const FigureSpec*> chosen = figures_of(arguments);
  const Machine machine = mesh_of(arguments);
  FigureFilesAnswer answer{.machine = machine.name, .folder = arguments.out[0]};
  std::vector<EmittedFile> files;
  bool failed = false;
  for (const FigureSpec* const spec : chosen) {
    const FigureAnswer figure = drawn(*spec, machine, arguments);
    for (const SweepAnswer& one : figure.sweeps) failed = failed || one.failed;
    FigureFilesAnswer::One one{.title = figure.figure.title};
    files.push_back({.name = figure.figure.name + ".svg", .text = svg_plot(figure.figure, arguments.command)});
    files.push_back({.name = figure.figure.name + ".csv", .text = csv_report(figure)});
    for (const EmittedFile& file : {files[files.size() - 2], files.back()}) {
      one.files.push_back({file.name, Bytes(static_cast<std::int64_t>(file.text.size()))});
    }
    answer.figures.push_back(std::move(one));
  }
  const auto replaced = write_files(arguments.out[0], files, arguments.force ? Foreign::replace : Foreign::refuse);
  if (!replaced.empty() && !arguments.quiet) fmt::print(stderr, "muster: replaced: {}\n", fmt::join(replaced, ", "));
  print(arguments.json ? json_report(answer) : text_report(answer));
  return failed ? kAnswerIsNo : kDone;
}

}  // namespace muster
