// muster train: one training iteration of workloads on clusters, under every scheduler, or on a hyperx.
#include "cli/train.h"

#include "app/training/limits.h"
#include "app/training/train.h"
#include "app/training/workload_path.h"
#include "base/error.h"
#include "base/numbers.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "base/ranges.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/progress.h"
#include "cli/question.h"
#include "cli/show.h"
#include "machine/family.h"
#include "report/csv_report.h"
#include "report/svg_training.h"

namespace muster {
namespace {

constexpr double kSlowest = 0.001;

std::vector<Machine> machines_of(const Arguments& arguments) {
  if (!arguments.has("--machine")) reject("train needs --machine; use e.g. --machine themis-2d-sw-sw");
  std::vector<Machine> machines;
  for (const std::string& name : parse_words(arguments.text("--machine"), "--machine")) {
    Arguments single = arguments;
    single.set("--machine", {name});
    machines.push_back(!single.has("--nodes") && !single.has("--shape") ? whole_machine_of(single)
                                                                        : machine_of(single));
    const Machine& first = machines.front();
    const Machine& last = machines.back();
    if (family_name(first) != family_name(last)) {
      reject("--machine: {} is a {} and {} is a {}, with different schedulers; run them separately", first.name,
             family_name(first), last.name, family_name(last));
    }
  }
  return machines;
}

double faster_of(const Arguments& arguments) {
  if (!arguments.has("--faster")) return 1;
  const double faster =
      parse_decimal(arguments.text("--faster"), {.flag = "--faster", .least = 0, .most = 1'000'000, .example = "2.5"});
  if (faster < kSlowest) reject("--faster: {} is too small; use at least {}", arguments.text("--faster"), kSlowest);
  return faster;
}

/// 0: as the workload says.
std::vector<std::int64_t> batches_of(const Arguments& arguments) {
  if (!arguments.has("--batch")) return {0};
  std::vector<std::int64_t> batches;
  for (const std::string& text : parse_words(arguments.text("--batch"), "--batch")) {
    batches.push_back(
        parse_number(text, {.flag = "--batch", .least = 1, .most = training::kMostBatch, .example = "128"}));
  }
  return batches;
}

/// Every workload on every machine, with every batch.
std::vector<training::TrainRequest> requests_of(const Arguments& arguments) {
  std::int64_t chunks = training::TrainRequest().chunks;
  if (arguments.has("--chunks")) {
    chunks =
        parse_number(arguments.text("--chunks"), {.flag = "--chunks", .least = 1, .most = INT64_MAX, .example = "64"});
  }
  const double faster = faster_of(arguments);
  const std::vector<std::int64_t> batches = batches_of(arguments);
  const std::vector<Machine> machines = machines_of(arguments);
  std::vector<training::TrainRequest> requests;
  for (const training::Workload& workload : workloads_of(arguments)) {
    for (const Machine& machine : machines) {
      training::check_chunks(chunks, machine);
      for (const std::int64_t batch : batches) {
        requests.push_back({.machine = machine,
                            .workload = workload,
                            .chunks = chunks,
                            .faster = faster,
                            .batch = batch,
                            .options = machine.family().options(machine, arguments)});
      }
    }
  }
  return requests;
}

}  // namespace

std::vector<training::Workload> workloads_of(const Arguments& arguments) {
  const MachinePath path = machine_path(data_folder());
  if (!arguments.has("--workload")) {
    reject("train needs --workload; use a file or {}", fmt::join(training::workload_names(path), ", "));
  }
  std::vector<training::Workload> workloads;
  for (const std::string& name : parse_words(arguments.text("--workload"), "--workload")) {
    workloads.push_back(training::load_workload(path, name));
  }
  return workloads;
}

std::vector<TrainingAnswer> training_answers(const Arguments& arguments) {
  const std::vector<training::TrainRequest> requests = requests_of(arguments);
  std::vector<TrainingAnswer> answers(requests.size());
  ProgressLine line(fmt::format("{} iterations", requests.size()), progress_stream(arguments));
  for_each_index(requests.size(), [&](std::size_t i) { answers[i] = training::train(requests[i]); },
                 {.progress = [&](double done) { line.show(done); }});
  return answers;
}

int run_train(const Arguments& arguments) {
  const std::string csv = !arguments.has("--csv") ? "" : arguments.text("--csv");
  if (csv == "-" && arguments.has("--json"))
    reject("--csv - and --json both write to standard output; name a file for --csv");
  check_different_files(arguments, {"--csv", "--svg"});
  if (!csv.empty() && csv != "-") check_named_file(csv, "--csv");
  if (arguments.has("--svg")) check_named_file(arguments.text("--svg"), "--svg");
  const std::vector<TrainingAnswer> answers = training_answers(arguments);
  if (!csv.empty() && csv != "-") write_named_file(csv, csv_report(answers), "--csv");
  if (arguments.has("--svg")) {
    write_named_file(arguments.text("--svg"), svg_training(answers, "Training iterations", arguments.command), "--svg");
  }
  if (csv == "-") {
    print(csv_report(answers));
  } else {
    show(arguments, answers);
  }
  return kDone;
}

}  // namespace muster
