// muster emit: the program for the machine, or the schedule's text form. One file can go to standard output.
#include <algorithm>

#include "backend/capabilities.h"
#include "base/error.h"
#include "base/one_line.h"
#include "cli/applicability.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/progress.h"
#include "cli/question.h"
#include "cli/show.h"
#include "plan/job.h"

namespace muster {
namespace {

const char* const kScheduleTarget = "schedule";

/// The forms of a target; of an unknown one nothing, which is refused later.
std::optional<std::vector<std::string>> forms_of(const Job& job, const std::string& target) {
  if (target == kScheduleTarget) return std::vector<std::string>{};
  for (const Emitter* const emitter : emitters_for(job.machine)) {
    if (emitter->target().name != target) continue;
    std::vector<std::string> names;
    for (const Target& form : emitter->forms()) names.push_back(form.name);
    return names;
  }
  return std::nullopt;
}

/// The form of --form, one that the target has.
std::string form_of(const Arguments& arguments, const Job& job, const std::string& target) {
  if (!arguments.has("--form")) return "";
  const auto known = forms_of(job, target);
  if (known && known->empty()) leave_out(arguments, {"--form"}, fmt::format("{} has one form only", target));
  std::string form = arguments.text("--form");
  if (known && std::find(known->begin(), known->end(), form) == known->end()) {
    reject("--form: unknown form '{}'; {}", form, suggest(form, *known));
  }
  return form;
}

EmitOptions options_of(const Arguments& arguments, const Job& job) {
  if (!arguments.has("--target"))
    reject("emit needs --target; use e.g. --target schedule, or the code of the machine; see muster emit --help");
  if (!arguments.has("--out")) leave_out(arguments, {"--force"}, "it needs --out");
  EmitOptions options;
  options.target = arguments.text("--target");
  options.form = form_of(arguments, job, options.target);
  options.command = arguments.command;
  options.elements = job.count;
  options.options = job.options;
  if (options.target == kScheduleTarget) leave_out(arguments, {"--offset"}, "a schedule has no position on the fabric");
  return options;
}

/// What is to be written, and by whom it was made.
struct Made {
  Emission emission;
  EmitAnswer answer;
};

Made make(const Arguments& arguments) {
  const bool given = arguments.has("--schedule");
  const Schedule schedule = given ? read_schedule(arguments.text("--schedule")) : Schedule();
  Job job = given ? job_of(arguments, schedule, schedule_source(arguments)) : job_of(arguments);
  const EmitOptions options = options_of(arguments, job);
  const ProgressOf progress(job, arguments);
  Made made;
  made.answer.question = question_of(job);
  made.answer.target = options.target;
  if (given) {
    made.answer.algorithm = "schedule";
    made.emission = emit(job, schedule, options);
  } else {
    const Choice choice = choice_of(arguments, job);
    made.answer.algorithm = choice.algorithm->name;
    made.answer.parameters = shown_parameters(*choice.algorithm, choice.parameters);
    made.emission = emit(job, choice, options);
  }
  return made;
}

int print_only_file(const Arguments& arguments, const Made& made) {
  if (arguments.has("--json")) reject("emit: --json needs --out; use e.g. --out out");
  const std::vector<EmittedFile>& files = made.emission.files;
  if (files.size() != 1) {
    reject("emit: {} writes {} files; name a folder, e.g. --out out", made.answer.target, files.size());
  }
  print(files[0].text);
  return kDone;
}

}  // namespace

int run_emit(const Arguments& arguments) {
  Made made = make(arguments);
  const Emission& emission = made.emission;
  if (!emission.refusal.empty()) {
    fmt::print(stderr, "muster: the schedule is refused: {}\n", one_line(emission.refusal, 2000));
    return kAnswerIsNo;
  }
  if (!arguments.has("--out")) return print_only_file(arguments, made);

  const auto replaced = write_files(arguments.text("--out"), emission.files,
                                    arguments.has("--force") ? Foreign::replace : Foreign::refuse);
  if (!replaced.empty() && !arguments.has("--quiet"))
    fmt::print(stderr, "muster: replaced: {}\n", fmt::join(replaced, ", "));
  EmitAnswer& answer = made.answer;
  answer.folder = arguments.text("--out");
  answer.summary = emission.summary;
  answer.notes = emission.notes;
  for (const EmittedFile& file : emission.files) {
    answer.files.push_back({file.name, Bytes(static_cast<std::int64_t>(file.text.size()))});
  }
  show(arguments, answer);
  return kDone;
}

}  // namespace muster
