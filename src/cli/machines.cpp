// muster machines: the list, one machine with every value's source, advice for its designer, the check of a file, or a
// template of one.
#include <algorithm>
#include <sstream>

#include "app/training/spread.h"
#include "base/error.h"
#include "base/one_line.h"
#include "base/progress.h"
#include "cli/applicability.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "cli/question.h"
#include "cli/show.h"
#include "cli/train.h"
#include "machine/keys.h"
#include "study/advise.h"

namespace muster {
namespace {

MachineAnswer describe(const Machine& machine) {
  return {machine.name, family_name(machine), shape_text(machine), machine.summary, "", ""};
}

/// The comment that a machine file opens with: it says what its sources stand for.
std::string opening_remarks(const std::string& text) {
  std::istringstream lines(text);
  std::string remarks;
  for (std::string line; std::getline(lines, line) && line.rfind('#', 0) == 0;) {
    remarks += line.substr(std::min(line.find_first_not_of("# "), line.size())) + "\n";
  }
  return remarks;
}

int check_file(const Arguments& arguments) {
  const std::string& file = arguments.text("--check");
  const Machine machine = parse_machine(read_text(file), file);
  print(arguments.has("--json")
            ? json_report(std::vector{describe(machine)})
            : fmt::format("{}: valid: a {} of {}\n", file, family_name(machine), shape_text(machine)));
  return kDone;
}

MachineTemplateAnswer::Key describe(const MachineKey& key) {
  return {.name = std::string(key.name),
          .type = std::string(key.type),
          .allowed = std::string(key.allowed),
          .example = std::string(key.example),
          .meaning = std::string(key.meaning),
          .required = key.need != MachineKey::Need::optional};
}

FamilyKeys family_of(const std::string& name) {
  try {
    return machine_keys(name);
  } catch (const InputError& error) {
    reject("--template: {}", error.what());
  }
}

int show_template(const Arguments& arguments) {
  const FamilyKeys family = family_of(arguments.text("--template"));
  MachineTemplateAnswer answer{.family = std::string(family.family), .text = machine_template(family), .keys = {}};
  for (const MachineKey& key : common_machine_keys()) answer.keys.push_back(describe(key));
  for (const MachineKey& key : family.keys) answer.keys.push_back(describe(key));
  print(arguments.has("--json") ? json_report(answer) : answer.text);
  return kDone;
}

int show_machine(const Arguments& arguments) {
  const FoundMachine found = find_machine(machine_path_of(arguments), arguments.positional[0]);
  mention_shadowed(found, arguments);
  const std::string text = read_text(found.file.string());
  const Machine machine = parse_machine(text, found.file.string());
  std::vector<MachineValueAnswer> values;
  for (const MachineEntry& entry : machine_entries(text, found.file.string())) {
    values.push_back({entry.key, entry.value, entry.source});
  }
  MachineAnswer answer = describe(machine);
  answer.remarks = opening_remarks(text);
  if (arguments.has("--json")) {
    print(json_report(answer, values));
  } else {
    const Style style = style_of(arguments);
    print(fitted(text_report(answer, values, style), style));
  }
  return kDone;
}

int give_advice(const Arguments& arguments) {
  Arguments named = arguments;
  named.set("--machine", arguments.positional);
  const Machine machine = whole_machine_of(named);
  AdviceAnswer answer = advise(machine);
  if (arguments.has("--workload")) {
    for (training::Workload& workload : workloads_of(arguments)) {
      ProgressLine line("spreads for " + workload.name, progress_stream(arguments));
      answer.spreads.push_back(training::best_spread({.machine = machine, .workload = std::move(workload)},
                                                     [&](double done) { line.show(done); }));
    }
  }
  show(arguments, answer);
  return kDone;
}

/// A broken file must not hide the others.
MachineAnswer describe_file(const std::string& name, const std::filesystem::path& file) {
  try {
    return describe(load_machine(file));
  } catch (const InputError& error) {
    MachineAnswer broken;
    broken.name = name;
    broken.error = one_line(error.what(), 160);  // --check shows all of it
    return broken;
  }
}

/// Throws InputError where two questions are asked at once, or a flag would change nothing.
void check_flags(const Arguments& arguments) {
  if (arguments.has("--template") && arguments.has("--check")) {
    reject("machines: give either --template or --check, not both");
  }
  if (arguments.has("--template")) {
    leave_out(arguments, {"--param", "--workload", "--advise"}, "--template takes a family, not a machine");
    if (!arguments.positional.empty()) {
      reject("machines: --template takes a family, not a machine; leave out {}", arguments.positional[0]);
    }
  }
  if (arguments.has("--check") && !arguments.positional.empty()) {
    reject("machines: give either --check {} or '{}', not both", arguments.text("--check"), arguments.positional[0]);
  }
  if (arguments.has("--advise") && arguments.positional.empty()) {
    reject("--advise needs a cluster; use e.g. muster machines themis-2d-sw-sw --advise");
  }
  if (!arguments.has("--advise") && arguments.has("--param"))
    reject("--param: only --advise uses it; machine files are shown unchanged");
  if (!arguments.has("--advise") && arguments.has("--workload")) {
    reject("--workload: only --advise uses it; add --advise, or leave it out");
  }
}

int list_all(const Arguments& arguments) {
  const MachinePath path = machine_path_of(arguments);
  std::vector<MachineAnswer> answers;
  for (const std::string& name : machine_names(path)) {
    answers.push_back(describe_file(name, find_machine(path, name).file));
  }
  show(arguments, answers);
  return kDone;
}

}  // namespace

int run_machines(const Arguments& given) {
  Arguments arguments = given;
  if (given.has("--machine")) {  // as other commands have it
    if (!given.positional.empty()) {
      reject("machines: give either --machine {} or '{}', not both", given.text("--machine"), given.positional[0]);
    }
    arguments.positional = {given.text("--machine")};
  }
  check_flags(arguments);
  if (arguments.has("--template")) return show_template(arguments);
  if (arguments.has("--advise")) return give_advice(arguments);
  if (arguments.has("--check")) return check_file(arguments);
  return arguments.positional.empty() ? list_all(arguments) : show_machine(arguments);
}

}  // namespace muster
