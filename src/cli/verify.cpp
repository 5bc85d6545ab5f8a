// muster verify: a schedule, proven right or refused with a counterexample; or a program, checked without simulating it.
#include "base/error.h"
#include "base/numbers.h"
#include "cli/applicability.h"
#include "cli/commands.h"
#include "cli/given_files.h"
#include "cli/question.h"
#include "cli/show.h"
#include "schedule/interpret.h"

namespace muster {

namespace {

/// RANK,ELEMENT of --additions; the formula is filled in once the schedule is proven.
std::optional<AdditionsAnswer> asked_additions(const Arguments& arguments, NodeId nodes) {
  if (!arguments.has("--additions")) return std::nullopt;
  const NumberRule rule{.flag = "--additions", .least = 0, .most = INT64_MAX, .example = "0,7"};
  const auto [rank, element] = parse_pair(arguments.text("--additions"), ',', rule);
  if (rank >= nodes) {
    reject("--additions: rank {} is not one of the schedule's {} nodes; at most {}", rank, nodes, nodes - 1);
  }
  return AdditionsAnswer{.rank = rank, .element = element, .formula = ""};
}

std::string formula_of(const Schedule& schedule, const AdditionsAnswer& asked) {
  try {
    return order_of_additions(schedule, static_cast<NodeId>(asked.rank), asked.element);
  } catch (const InputError& error) {
    reject("--additions: {}", error.what());
  }
}

template <class Answer>
int shown(const Arguments& arguments, const Answer& answer) {
  show(arguments, answer);
  return answer.verified ? kDone : kAnswerIsNo;
}

/// The verdict on a schedule, with the order of additions that is asked for.
int shown_with_additions(const Arguments& arguments, VerifyAnswer answer, const Schedule& schedule) {
  std::optional<AdditionsAnswer> additions = asked_additions(arguments, schedule.node_count);
  if (answer.verified && additions) {
    additions->formula = formula_of(schedule, *additions);
    answer.additions = std::move(additions);
  }
  return shown(arguments, answer);
}

/// Files with a schedule are proven, programs without one are checked.
int verify_given(const Arguments& arguments, const Reader& reader) {
  const FileFormat format = reader.format();
  if (!format.has_schedule) {
    leave_to(arguments, flag_of(format), "program", {"--grid"});
    leave_out(arguments, {"--additions"}, fmt::format("a program of {} has no schedule", flag_of(format)));
  }
  const GivenFiles given = read_given(arguments, reader);
  if (!format.has_schedule) return shown(arguments, check_files(*given.machine, given.read));
  return shown_with_additions(arguments, verify_files(given.read, seed_of(arguments)),
                              given.read.contents.lifted->schedule);
}

}  // namespace

int run_verify(const Arguments& arguments) {
  if (const Reader* const reader = given_reader(arguments)) return verify_given(arguments, *reader);
  if (arguments.has("--set")) reject("--set: a schedule has no parameters; leave it out, or use --csl");
  if (arguments.positional.empty()) {
    reject(
        "verify needs a schedule or a program; name a file, - for standard input, a CSL folder with --csl, an XML file "
        "with --msccl, or a JSON file with --registers");
  }
  const Machine machine = machine_of(arguments);
  const Schedule schedule = read_schedule(arguments.positional[0]);
  check_made_for(schedule, machine, arguments.positional[0]);
  return shown_with_additions(arguments, verify_schedule(schedule, machine, {.seed = seed_of(arguments)}), schedule);
}

}  // namespace muster
