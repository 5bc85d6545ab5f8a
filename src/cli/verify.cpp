// muster verify: a schedule from a file or a pipe, proven right or refused with a counterexample; or the program of a folder,
// checked without simulating it.
#include "base/error.h"
#include "base/numbers.h"
#include "cli/applicability.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/question.h"
#include "cli/show.h"
#include "machine/routing.h"
#include "plan/program_files.h"
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

int verify_program(const Arguments& arguments) {
  leave_to(arguments, "--csl", "program", {"--grid", "--nodes", "--shape"});
  leave_out(arguments, {"--additions"}, "a program of --csl has no schedule");
  const Machine machine = whole_machine_of(arguments);
  const ReadProgram read =
      read_program(machine, read_csl_files(arguments.text("--csl"), "--csl"), program_parameters(arguments));
  const ProgramCheckAnswer answer = check_program(machine, read);
  show(arguments, answer);
  return answer.verified ? kDone : kAnswerIsNo;
}

int verify_registers(const Arguments& arguments) {
  leave_to(arguments, "--registers", "file", {"--set"});
  const Machine machine = machine_of(arguments);
  const std::optional<AdditionsAnswer> additions = asked_additions(arguments, node_count(machine));
  const VerifyAnswer answer =
      verify_file(read_emitted(arguments.text("--registers")), machine, seed_of(arguments), additions);
  show(arguments, answer);
  return answer.verified ? kDone : kAnswerIsNo;
}

int verify_msccl_file(const Arguments& arguments) {
  leave_out(arguments, {"--machine", "--param", "--grid", "--nodes", "--shape", "--set", "--additions"},
            "an MSCCL file needs no machine");
  const VerifyAnswer answer = verify_msccl(read_emitted(arguments.text("--msccl")), seed_of(arguments));
  show(arguments, answer);
  return answer.verified ? kDone : kAnswerIsNo;
}

}  // namespace

int run_verify(const Arguments& arguments) {
  at_most_one(arguments, {"--registers", "--msccl", "--csl"});
  for (const char* const flag : {"--registers", "--msccl", "--csl"}) {
    if (!arguments.has(flag) || arguments.positional.empty()) continue;
    reject("verify: {} and {} are two programs; name one of them", flag, arguments.positional[0]);
  }
  if (arguments.has("--registers")) return verify_registers(arguments);
  if (arguments.has("--msccl")) return verify_msccl_file(arguments);
  if (arguments.has("--csl")) return verify_program(arguments);
  if (arguments.has("--set")) reject("--set: a schedule has no parameters; leave it out, or use --csl");
  if (arguments.positional.empty()) {
    reject(
        "verify needs a schedule or a program; name a file, - for standard input, a folder with --csl, or an XML file "
        "with --msccl");
  }
  const Machine machine = machine_of(arguments);
  const Schedule schedule = read_schedule(arguments.positional[0]);
  check_made_for(schedule, machine, arguments.positional[0]);
  std::optional<AdditionsAnswer> additions = asked_additions(arguments, schedule.node_count);
  VerifyAnswer answer = verify_schedule(schedule, machine, {.seed = seed_of(arguments)});
  if (answer.verified && additions) {
    additions->formula = formula_of(schedule, *additions);
    answer.additions = std::move(additions);
  }
  show(arguments, answer);
  return answer.verified ? kDone : kAnswerIsNo;
}

}  // namespace muster
