// muster figures: the papers' figures, computed, as pictures and tables.
#include "paper/figures.h"

#include <algorithm>

#include "base/error.h"
#include "base/progress.h"
#include "base/ranges.h"
#include "cli/applicability.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/progress.h"
#include "cli/question.h"
#include "cli/show.h"
#include "cli/train.h"
#include "machine/family.h"
#include "paper/piuma_figures.h"
#include "paper/themis_figures.h"
#include "paper/wormhole_figures.h"
#include "report/csv_report.h"
#include "report/svg_plot.h"
#include "report/svg_training.h"

namespace muster {
namespace {

constexpr int kTrainingFigure = 12;  ///< of themis

/// A figure as files.
struct Picture {
  std::string name;
  std::string title;
  std::string svg;
  std::string csv;
  bool failed = false;
};

Picture picture_of(const FigureAnswer& answer, const Arguments& arguments) {
  const Figure& figure = answer.figure;
  const bool failed =
      std::any_of(answer.sweeps.begin(), answer.sweeps.end(), [](const SweepAnswer& swept) { return swept.failed; });
  return {figure.name, figure.title, svg_plot(figure, arguments.command), csv_report(answer), failed};
}

/// The numbers that --figure names, each one of `known`; all of them without it.
std::vector<int> numbers_of(const Arguments& arguments, const std::vector<int>& known) {
  if (!arguments.has("--figure")) return known;
  std::vector<int> chosen;
  for (const std::int64_t number :
       parse_numbers(arguments.text("--figure"), {.flag = "--figure", .least = 1, .most = 1000, .example = "8,10"})) {
    if (std::find(known.begin(), known.end(), number) == known.end()) {
      reject("--figure: no figure {}; available: {}", number, fmt::join(known, ", "));
    }
    chosen.push_back(static_cast<int>(number));
  }
  return chosen;
}

Machine mesh_of(Arguments arguments) {
  if (!arguments.has("--machine")) arguments.set("--machine", {"wse2"});
  Machine machine = whole_machine_of(arguments);
  if (!machine.family().takes("--grid")) {
    reject("figures: {} is a {}; these figures need a mesh ('muster figures themis' draws those of clusters)",
           machine.name, family_name(machine));
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

std::vector<Picture> wafer_figures(const Arguments& arguments, FigureFilesAnswer& answer) {
  std::vector<int> known;
  for (const FigureSpec& spec : figure_specs()) known.push_back(spec.number);
  const std::vector<int> chosen = numbers_of(arguments, known);
  const Machine machine = mesh_of(arguments);
  answer.machine = machine.name;
  std::vector<Picture> figures;
  for (const int number : chosen) {
    const auto spec = std::find_if(figure_specs().begin(), figure_specs().end(),
                                   [&](const FigureSpec& candidate) { return candidate.number == number; });
    figures.push_back(picture_of(drawn(*spec, machine, arguments), arguments));
  }
  return figures;
}

/// The paper's workloads, in its order, as we derived them.
Picture training_figure(Arguments arguments) {
  arguments.set("--machine", {fmt::format("{}", fmt::join(themis_systems(), ","))});
  arguments.set("--workload", {"resnet-152,gnmt,dlrm,transformer-1t"});
  const std::vector<TrainingAnswer> answers = training_answers(arguments);
  const std::string title = "Themis, Figure 12. Training iterations: computation, and waiting for communication";
  return {.name = fmt::format("themis-figure-{}", kTrainingFigure),
          .title = title,
          .svg = svg_training(answers, title, arguments.command),
          .csv = csv_report(answers)};
}

/// On the paper's own systems.
std::vector<Picture> cluster_figures(const Arguments& arguments) {
  leave_out(arguments, {"--machine", "--param"}, "the Themis figures use their own six systems");
  const MachineByName by_name = [&](const std::string& name) {
    Arguments single = arguments;
    single.set("--machine", {name});
    return whole_machine_of(single);
  };
  std::vector<int> known = themis_figures();
  known.push_back(kTrainingFigure);
  std::vector<Picture> figures;
  for (const int number : numbers_of(arguments, known)) {
    if (number == kTrainingFigure) {
      figures.push_back(training_figure(arguments));
      continue;
    }
    ProgressLine line(fmt::format("figure {}", number), progress_stream(arguments));
    const FigureAnswer figure = make_themis_figure(number, by_name, [&line](double fraction) { line.show(fraction); });
    figures.push_back(picture_of(figure, arguments));
  }
  return figures;
}

/// Of each batch: hosts, the network without and with overlap, as `muster train` answers.
FigureAnswer piuma_training(Arguments arguments) {
  arguments.set("--machine", {"piuma-a100"});
  arguments.set("--workload", {"vgg16"});
  arguments.set("--batch", {"32,64,128,256,512"});
  std::vector<BatchPoint> points;
  for (const TrainingAnswer& answer : training_answers(arguments)) {
    const auto& all = answer.iterations;
    const auto wait = [](const IterationAnswer& iteration) { return 100 * (iteration.exposed_data / iteration.total); };
    points.push_back({.batch = static_cast<double>(answer.batch),
                      .host_wait = wait(all[0]),
                      .network_wait = wait(all[1]),
                      .speedup = all[1].speedup,
                      .overlapped = all[2].speedup});
  }
  return make_piuma_training(points);
}

std::vector<Picture> hyperx_figures(const Arguments& arguments) {
  leave_out(arguments, {"--machine", "--param"}, "the PIUMA figures use their own machines");
  Arguments piuma = arguments;
  piuma.set("--machine", {"piuma"});
  std::vector<Picture> figures;
  for (const int number : numbers_of(arguments, {4, 5})) {
    const FigureAnswer figure =
        number == 4 ? make_piuma_performance(whole_machine_of(piuma)) : piuma_training(arguments);
    figures.push_back(picture_of(figure, arguments));
  }
  return figures;
}

std::vector<Picture> chip_figures(const Arguments& arguments) {
  leave_out(arguments, {"--machine", "--param"}, "the Wormhole figures use their own machine");
  leave_out(arguments, {"--figure"}, "both are made of the same simulations");
  Arguments wormhole = arguments;
  wormhole.set("--machine", {"wormhole-n150"});
  ProgressLine line("figures 6.1 and 6.9", progress_stream(arguments));
  std::vector<Picture> figures;
  for (const FigureAnswer& figure : make_wormhole_times(whole_machine_of(wormhole), wormhole_sizes(),
                                                        [&line](double fraction) { line.show(fraction); })) {
    figures.push_back(picture_of(figure, arguments));
  }
  return figures;
}

std::vector<Picture> figures_of(const Arguments& arguments, FigureFilesAnswer& answer) {
  const std::vector<std::string> papers{"wafer", "themis", "piuma", "wormhole"};
  const std::string paper = arguments.positional.empty() ? papers.front() : arguments.positional[0];
  if (paper == "wafer") return wafer_figures(arguments, answer);
  if (paper == "themis") return cluster_figures(arguments);
  if (paper == "piuma") return hyperx_figures(arguments);
  if (paper == "wormhole") return chip_figures(arguments);
  reject("figures: unknown paper '{}'; {}", paper, suggest(paper, papers));
}

}  // namespace

int run_figures(const Arguments& arguments) {
  if (!arguments.has("--out")) reject("figures needs a folder for its files; use e.g. --out figures");
  FigureFilesAnswer answer{.machine = "", .folder = arguments.text("--out")};
  std::vector<EmittedFile> files;
  bool failed = false;
  for (const Picture& figure : figures_of(arguments, answer)) {
    failed = failed || figure.failed;
    FigureFilesAnswer::Figure written{.title = figure.title};
    files.push_back({.name = figure.name + ".svg", .text = figure.svg});
    files.push_back({.name = figure.name + ".csv", .text = figure.csv});
    for (const EmittedFile& file : {files[files.size() - 2], files.back()}) {
      written.files.push_back({file.name, Bytes(static_cast<std::int64_t>(file.text.size()))});
    }
    answer.figures.push_back(std::move(written));
  }
  const auto replaced =
      write_files(arguments.text("--out"), files, arguments.has("--force") ? Foreign::replace : Foreign::refuse);
  if (!replaced.empty() && !arguments.has("--quiet"))
    fmt::print(stderr, "muster: replaced: {}\n", fmt::join(replaced, ", "));
  show(arguments, answer);
  return failed ? kAnswerIsNo : kDone;
}

}  // namespace muster
