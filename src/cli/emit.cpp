// muster emit: the program for the machine, or the schedule's text form. One file can go to standard output.
#include "base/error.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/numbers.h"
#include "cli/progress.h"
#include "cli/question.h"
#include "plan/job.h"
#include "report/json_report.h"
#include "report/text_report.h"

namespace muster {
namespace {

EmitOptions options_of(const Arguments& arguments, const Job& job) {
  if (arguments.target.empty()) reject("emit needs --target; use e.g. --target csl or --target schedule");
  EmitOptions options;
  options.target = arguments.target[0];
  options.command = arguments.command;
  options.elements = job.count;
  if (!arguments.offset.empty()) {
    const Mesh* const mesh = job.machine.mesh();
    if (mesh == nullptr) reject("--offset: {} is no mesh; leave it out", job.machine.name);
    const NumberRule rule{.flag = "--offset", .least = 0, .most = INT32_MAX, .example = "4,1"};
    const auto [x, y] = parse_pair(arguments.offset[0], ',', rule);
    if (x + mesh->width > mesh->max_width || y + mesh->height > mesh->max_height) {
      reject("--offset: {} at {},{} leaves the fabric of {}x{}; at most {},{}", shape_text(job.machine), x, y,
             mesh->max_width, mesh->max_height, mesh->max_width - mesh->width, mesh->max_height - mesh->height);
    }
    options.offset_x = static_cast<std::int32_t>(x);
    options.offset_y = static_cast<std::int32_t>(y);
  }
  return options;
}

}  // namespace

int run_emit(const Arguments& arguments) {
  Job job = job_of(arguments);
  const EmitOptions options = options_of(arguments, job);
  Choice choice;
  Emission emission;
  {
    const ProgressOf progress(job, arguments);
    choice = choice_of(arguments, job);
    emission = emit(job, choice, options);
  }
  if (arguments.out.empty()) {
    if (arguments.json) reject("emit: --json answers about files; name their folder with e.g. --out out");
    if (emission.files.size() != 1) {
      reject("emit: {} needs a folder for its {} files; use e.g. --out out", options.target, emission.files.size());
    }
    print(emission.files[0].text);
    return kDone;
  }
  write_files(arguments.out[0], emission.files);
  EmitAnswer answer{.question = question_of(job),
                    .algorithm = choice.algorithm->name,
                    .parameters = choice.parameters,
                    .target = options.target,
                    .folder = arguments.out[0],
                    .files = {},
                    .summary = emission.summary};
  for (const EmittedFile& file : emission.files) {
    answer.files.push_back({file.name, Bytes(static_cast<std::int64_t>(file.text.size()))});
  }
  print(arguments.json ? json_report(answer) : text_report(answer));
  return kDone;
}

}  // namespace muster
