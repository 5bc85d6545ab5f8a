// --app stencil of plan, simulate, verify, emit and explain.
#include <algorithm>
#include <array>
#include <filesystem>

#include "app/stencil/mesh.h"
#include "app/stencil/plan.h"
#include "base/error.h"
#include "base/numbers.h"
#include "base/one_line.h"
#include "base/progress.h"
#include "cli/applicability.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/progress.h"
#include "cli/question.h"
#include "cli/shell_word.h"
#include "cli/show.h"

namespace muster {
namespace {

/// A stencil is no collective: what says which one, and how, has no effect.
void leave_out_others(const Arguments& arguments) {
  leave_out(arguments, {"--collective", "--root", "--count", "--bytes", "--type", "--op"},
            "a stencil is no collective");
  leave_out(arguments, {"--algorithm"},
            "a stencil has one algorithm; 'muster plan' compares blocks, which --set block= sets");
  leave_out(arguments, {"--schedule", "--csl", "--msccl", "--registers", "--traffic", "--kernels"},
            "--app makes its own schedule");
  leave_out(arguments,
            {"--calls", "--trace", "--svg", "--threads", "--engine", "--sensitivity", "--verbose", "--additions",
             "--form", "--offset", "--reserve-colors"},
            "a stencil does not take it");
}

std::map<std::string, std::string> settings_of(const Arguments& arguments) {
  std::map<std::string, std::string> settings;
  for (const std::string& text : arguments.values("--set")) {
    const auto [key, value] = parse_assignment(text, "--set", "cfl=0.5");
    if (!settings.emplace(key, value).second) reject("--set: '{}' was given twice; give it once", key);
  }
  return settings;
}

std::optional<std::string> text_of(const Arguments& arguments, const char* flag) {
  return arguments.has(flag) ? std::optional(arguments.text(flag)) : std::nullopt;
}

/// The machine in the shape of the grid's columns and rows. Flags of the stencil have another meaning for families.
Machine machine_for(const Arguments& arguments, const stencil::GridText& grid) {
  Arguments question = arguments;
  question.set("--order", {});
  question.set("--grid", {grid.of_pes});
  Arguments without_shape = question;
  without_shape.set("--grid", {});
  stencil::check_mesh(whole_machine_of(without_shape));
  question.set("--quiet", {""});  // what is shadowed was mentioned
  return machine_of(question);
}

stencil::Asked asked_of(const Arguments& arguments) {
  if (!arguments.has("--grid")) {
    reject("{} --app stencil needs --grid; use e.g. --grid 755x994x1000", arguments.subcommand);
  }
  const stencil::DescriptionTexts texts{.grid = arguments.text("--grid"),
                                        .order = text_of(arguments, "--order"),
                                        .steps = text_of(arguments, "--steps"),
                                        .settings = settings_of(arguments)};
  const stencil::GridText grid = stencil::parse_grid(texts.grid);
  stencil::Asked asked{
      .machine = machine_for(arguments, grid), .description = stencil::describe(texts), .seed = seed_of(arguments)};
  stencil::check(asked);
  return asked;
}

/// The commands that simulate and emit the first candidate; a grid that is too large is not simulated.
std::vector<std::string> next_of(const Arguments& arguments, const StencilPlanAnswer& answer) {
  std::string flags;
  for (const char* const flag : {"--app", "--machine", "--param", "--grid", "--order", "--steps", "--set", "--seed"}) {
    for (const std::string& value : arguments.values(flag)) {
      if (flag == std::string("--set") && value.starts_with("block=")) continue;
      flags += fmt::format(" {} {}", flag, shell_word(value));
    }
  }
  flags += fmt::format(" --set block={}", answer.facts.block);
  if (answer.small_grid) return {"muster explain" + flags};
  return {"muster simulate" + flags, "muster emit" + flags + " --target schedule --out out/stencil"};
}

int plan_stencil(const Arguments& arguments, stencil::Asked asked) {
  asked.quick = arguments.has("--quick");
  StencilPlanAnswer answer = stencil::plan(asked);
  if (!answer.plan.failed) answer.plan.next = next_of(arguments, answer);
  show(arguments, answer);
  if (answer.plan.failed) return kAnswerIsNo;
  if (answer.small_grid) return answer.small_grid->verified && answer.small_grid->result_correct ? kDone : kAnswerIsNo;
  return answer.plan.verified || asked.quick ? kDone : kAnswerIsNo;
}

int simulate_stencil(const Arguments& arguments, const stencil::Asked& asked) {
  const StencilRunAnswer answer = stencil::simulate(asked);
  show(arguments, answer);
  const bool is_done = answer.run.verified && answer.run.result_correct && !answer.run.result.fault;
  return is_done ? kDone : kAnswerIsNo;
}

int verify_stencil(const Arguments& arguments, const stencil::Asked& asked) {
  const VerifyAnswer answer = verify_schedule(stencil::make_schedule(asked), asked.machine, {.seed = asked.seed});
  show(arguments, answer);
  return answer.verified ? kDone : kAnswerIsNo;
}

int emit_stencil(const Arguments& arguments, const stencil::Asked& asked) {
  if (!arguments.has("--target")) reject("emit needs --target; use --target schedule or --target csl");
  if (!arguments.has("--out")) leave_out(arguments, {"--force"}, "it needs --out");
  Job job = stencil::job_of(asked);
  const EmitOptions options{.target = arguments.text("--target"), .command = arguments.command, .elements = job.count};
  const Emission emission = emit(job, stencil::make_schedule(asked), options);
  if (!arguments.has("--out")) {
    if (arguments.has("--json")) reject("emit: --json needs --out; use e.g. --out out");
    if (emission.files.size() != 1) {
      reject("emit: {} writes {} files; name a folder, e.g. --out out", options.target, emission.files.size());
    }
    print(emission.files[0].text);
    return kDone;
  }
  const auto replaced = write_files(arguments.text("--out"), emission.files,
                                    arguments.has("--force") ? Foreign::replace : Foreign::refuse);
  if (!replaced.empty() && !arguments.has("--quiet"))
    fmt::print(stderr, "muster: replaced: {}\n", fmt::join(replaced, ", "));
  EmitAnswer answer{.question = stencil::question_of(asked),
                    .algorithm = stencil::algorithm_name(asked.description),
                    .parameters = {{"block", stencil::chosen_block(asked)}},
                    .target = options.target,
                    .folder = arguments.text("--out"),
                    .summary = emission.summary,
                    .notes = emission.notes};
  for (const EmittedFile& file : emission.files) {
    answer.files.push_back({file.name, Bytes(static_cast<std::int64_t>(file.text.size()))});
  }
  show(arguments, answer);
  return kDone;
}

}  // namespace

void check_app_flags(const Arguments& arguments) {
  if (arguments.subcommand == "seismic") return;
  leave_out(arguments, {"--steps"}, "it counts the time steps of an application, which --app names");
  if (arguments.subcommand == "plan") {
    leave_out(arguments, {"--set"}, "plan compares algorithms with their best parameters; --set is for --app");
  }
}

int run_app(const Arguments& arguments) {
  const std::string& name = arguments.text("--app");
  if (name != "stencil") {
    static const std::vector<std::string> known{"stencil"};
    reject("--app: unknown application '{}'; {}", one_line(name), suggest(name, known));
  }
  leave_out_others(arguments);
  if (!arguments.positional.empty()) {
    reject("{}: '{}' is a file, and --app makes its own schedule; leave it out", arguments.subcommand,
           one_line(arguments.positional.front()));
  }
  stencil::Asked asked = asked_of(arguments);
  ProgressLine line("muster", progress_stream(arguments));
  asked.progress = [&](const std::string& what) { line.show(what); };
  if (arguments.subcommand == "plan") return plan_stencil(arguments, asked);
  if (arguments.subcommand == "simulate") return simulate_stencil(arguments, asked);
  if (arguments.subcommand == "verify") return verify_stencil(arguments, asked);
  if (arguments.subcommand == "emit") return emit_stencil(arguments, asked);
  return show(arguments, stencil::explain(asked)), kDone;
}

}  // namespace muster
