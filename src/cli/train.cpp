// muster train: one training iteration of a workload on a cluster, under every scheduler.
#include "app/training/train.h"

#include "app/training/workload_path.h"
#include "base/error.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/numbers.h"
#include "cli/question.h"
#include "report/csv_report.h"
#include "report/json_report.h"
#include "report/text_report.h"

namespace muster {
namespace {

constexpr std::int64_t kMostChunks = 1'000'000;

training::Workload workload_of(const Arguments& arguments) {
  const MachinePath path = machine_path(data_folder());
  if (arguments.workload.empty()) {
    reject("train needs --workload; use a file or {}", fmt::join(training::workload_names(path), ", "));
  }
  return training::load_workload(path, arguments.workload[0]);
}

training::TrainRequest request_of(const Arguments& arguments) {
  if (arguments.machine.empty()) reject("train needs --machine; use e.g. --machine themis-2d-sw-sw");
  training::TrainRequest request{.machine = whole_machine_of(arguments), .workload = workload_of(arguments)};
  if (!arguments.chunks.empty()) {
    request.chunks =
        parse_number(arguments.chunks[0], {.flag = "--chunks", .least = 1, .most = kMostChunks, .example = "64"});
  }
  return request;
}

}  // namespace

int run_train(const Arguments& arguments) {
  const std::string csv = arguments.csv.empty() ? "" : arguments.csv[0];
  if (csv == "-" && arguments.json) reject("--csv - and --json both want standard output; name a file for --csv");
  if (!csv.empty() && csv != "-") check_named_file(csv, "--csv");
  const TrainingAnswer answer = training::train(request_of(arguments));
  if (!csv.empty() && csv != "-") write_named_file(csv, csv_report(answer), "--csv");
  print(csv == "-" ? csv_report(answer) : arguments.json ? json_report(answer) : text_report(answer));
  return kDone;
}

}  // namespace muster
