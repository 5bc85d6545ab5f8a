// muster verify: a schedule from a file or a pipe, proven right or refused with a counterexample.
#include "base/error.h"
#include "cli/commands.h"
#include "cli/numbers.h"
#include "cli/question.h"
#include "report/json_report.h"
#include "report/text_report.h"
#include "schedule/interpret.h"

namespace muster {

namespace {

/// RANK,ELEMENT of --additions; the formula is filled in once the schedule is proven.
std::optional<AdditionsAnswer> asked_additions(const Arguments& arguments, const Schedule& schedule) {
  if (arguments.additions.empty()) return std::nullopt;
  const NumberRule rule{.flag = "--additions", .least = 0, .most = INT64_MAX, .example = "0,7"};
  const auto [rank, element] = parse_pair(arguments.additions[0], ',', rule);
  if (rank >= schedule.node_count) {
    reject("--additions: rank {} is not one of the schedule's {} nodes; at most {}", rank, schedule.node_count,
           schedule.node_count - 1);
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

}  // namespace

int run_verify(const Arguments& arguments) {
  if (arguments.positional.empty()) reject("verify needs a schedule; name a file, or - for standard input");
  const Machine machine = machine_of(arguments);
  const Schedule schedule = read_schedule(arguments.positional[0]);
  check_made_for(schedule, machine, arguments.positional[0]);
  std::optional<AdditionsAnswer> additions = asked_additions(arguments, schedule);
  VerifyAnswer answer = verify_schedule(schedule, machine, seed_of(arguments));
  if (answer.verified && additions) {
    additions->formula = formula_of(schedule, *additions);
    answer.additions = std::move(additions);
  }
  print(arguments.json ? json_report(answer) : text_report(answer));
  return answer.verified ? kDone : kAnswerIsNo;
}

}  // namespace muster
