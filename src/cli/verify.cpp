// muster verify: a schedule from a file or a pipe, proven right or refused with a counterexample; or the program of a folder,
// checked without simulating it.
#include "base/error.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/numbers.h"
#include "cli/question.h"
#include "cli/show.h"
#include "machine/routing.h"
#include "plan/program_files.h"
#include "schedule/interpret.h"

namespace muster {

namespace {

/// RANK,ELEMENT of --additions; the formula is filled in once the schedule is proven.
std::optional<AdditionsAnswer> asked_additions(const Arguments& arguments, NodeId nodes) {
  if (arguments.additions.empty()) return std::nullopt;
  const NumberRule rule{.flag = "--additions", .least = 0, .most = INT64_MAX, .example = "0,7"};
  const auto [rank, element] = parse_pair(arguments.additions[0], ',', rule);
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

/// What is said of schedules has no meaning for a program, which has its own shape.
void check_program_flags(const Arguments& arguments) {
  if (!arguments.positional.empty()) {
    reject("verify: --csl and {} are two programs; name one of them", arguments.positional[0]);
  }
  if (!arguments.grid.empty()) reject("--grid: the program of --csl has its PEs; leave it out");
  if (!arguments.nodes.empty()) reject("--nodes: the program of --csl has its PEs; leave it out");
  if (!arguments.additions.empty()) reject("--additions: the program of --csl has no schedule; leave it out");
}

int verify_program(const Arguments& arguments) {
  check_program_flags(arguments);
  const Machine machine = whole_machine_of(arguments);
  const ReadProgram read =
      read_program(machine, read_csl_files(arguments.csl[0], "--csl"), program_parameters(arguments));
  const ProgramCheckAnswer answer = check_program(machine, read);
  show(arguments, answer);
  return answer.verified ? kDone : kAnswerIsNo;
}

int verify_registers(const Arguments& arguments) {
  const std::pair<const Values*, const char*> others[] = {
      {&arguments.grid, "--grid"}, {&arguments.csl, "--csl"}, {&arguments.set, "--set"}, {&arguments.msccl, "--msccl"}};
  for (const auto& [values, flag] : others) {
    if (!values->empty()) reject("{}: registers say what they do; leave it out with --registers", flag);
  }
  if (!arguments.positional.empty()) {
    reject("verify: --registers and {} are two programs; name one of them", arguments.positional[0]);
  }
  const Machine machine = machine_of(arguments);
  const std::optional<AdditionsAnswer> additions = asked_additions(arguments, node_count(machine));
  const VerifyAnswer answer = verify_file(read_emitted(arguments.registers[0]), machine, seed_of(arguments), additions);
  show(arguments, answer);
  return answer.verified ? kDone : kAnswerIsNo;
}

int verify_msccl_file(const Arguments& arguments) {
  const std::pair<const Values*, const char*> others[] = {
      {&arguments.machine, "--machine"},    {&arguments.param, "--param"}, {&arguments.grid, "--grid"},
      {&arguments.nodes, "--nodes"},        {&arguments.csl, "--csl"},     {&arguments.set, "--set"},
      {&arguments.additions, "--additions"}};
  for (const auto& [values, flag] : others) {
    if (!values->empty()) reject("{}: an MSCCL file stands for itself; leave it out with --msccl", flag);
  }
  if (!arguments.positional.empty()) {
    reject("verify: --msccl and {} are two programs; name one of them", arguments.positional[0]);
  }
  const VerifyAnswer answer = verify_msccl(read_emitted(arguments.msccl[0]), seed_of(arguments));
  show(arguments, answer);
  return answer.verified ? kDone : kAnswerIsNo;
}

}  // namespace

int run_verify(const Arguments& arguments) {
  if (!arguments.registers.empty()) return verify_registers(arguments);
  if (!arguments.msccl.empty()) return verify_msccl_file(arguments);
  if (!arguments.csl.empty()) return verify_program(arguments);
  if (!arguments.set.empty()) reject("--set: a schedule has no parameters; leave it out, or use --csl");
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
