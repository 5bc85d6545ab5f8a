// Which flags a command takes is read from the table of subcommands.
#include "cli/next.h"

#include <algorithm>

#include "base/error.h"
#include "cli/flags.h"
#include "cli/question.h"
#include "cli/shell_word.h"
#include "machine/family.h"
#include "plan/job.h"

namespace muster {
namespace {

const Subcommand& find_command(const std::vector<Subcommand>& table, const std::string& name) {
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const Subcommand& subcommand) { return subcommand.name == name; });
  MUSTER_ASSERT(found != table.end(), "there is no command '{}'", name);
  return *found;
}

/// The same flag may have another help text there.
bool takes(const Subcommand& command, const Flag& flag) {
  return std::any_of(command.flags.begin(), command.flags.end(),
                     [&](const Flag& known) { return std::string(known.name) == flag.name; });
}

/// As --root takes it: "16,0" where ranks have coordinates.
std::string root_text(const Job& job) {
  std::string text = job.machine.family().rank_text(job.machine.network, job.root);
  std::erase_if(text, [](char c) { return c == '(' || c == ')'; });
  return text;
}

/// Parameters of algorithms that have flags of their own: not every algorithm that was compared has them.
bool is_for_others(const Flag& flag, const CandidateAnswer& winner) {
  const std::string name = flag.name;
  return (name == "--chunks" || name == "--order") && !winner.parameters.contains(name.substr(2));
}

/// Whether a flag stands for a key of the machine file.
bool is_key_flag(const Machine& machine, std::string_view flag) {
  const std::vector<std::string_view> flags = machine.family().key_flags();
  return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

/// What was given to plan, as flags of another command.
std::string same_question(const Arguments& arguments, const Job& job, const CandidateAnswer& winner,
                          const Subcommand& command) {
  const std::vector<Subcommand> table = subcommands();
  std::string line;
  for (const Flag& flag : find_command(table, "plan").flags) {
    for (const std::string& value : arguments.values(flag.name)) {
      const bool free_root = flag.name == std::string_view("--root") && is_free_root(arguments);
      if (is_for_others(flag, winner)) continue;
      if (takes(command, flag)) {
        line += fmt::format(" {} {}", flag.name, shell_word(free_root ? root_text(job) : value));
      } else if (is_key_flag(job.machine, flag.name)) {
        line += fmt::format(" --param {}={}", flag.name + 2, shell_word(value));
      }
    }
  }
  return line;
}

/// Whether a command that does not name the parameter looks for its best value.
bool is_tuned(const Algorithm& algorithm, const std::string& name) {
  return std::ranges::any_of(algorithm.parameters, [&](const ParameterSpec& spec) {
    return spec.name == name && static_cast<bool>(spec.worth_trying);
  });
}

/// " --algorithm NAME --set KEY=VALUE ...", without what is the default or was given by a flag of its own.
std::string choice_text(const Job& job, const CandidateAnswer& winner) {
  const Request request = request_of(job);
  const Algorithm& algorithm = find_algorithm(job.collective, family_name(job.machine), winner.algorithm);
  const Parameters defaults = complete_parameters(algorithm, request, {});
  std::string text = " --algorithm " + shell_word(winner.algorithm);
  for (const auto& [name, value] : winner.parameters) {
    const auto usual = defaults.find(name);
    const bool is_default = usual != defaults.end() && usual->second == value.number;
    if (job.given.contains(name) || (is_default && !is_tuned(algorithm, name))) continue;
    text += " --set " + shell_word(fmt::format("{}={}", name, value.text()));
  }
  return text;
}

/// What the machine's programs are usually written as; the schedule where there is no such thing.
std::string usual_target(const Job& job, const PlanAnswer& answer) {
  const std::vector<const Emitter*> emitters = emitters_for(job.machine);
  return emitters.empty() || !answer.emittable ? "schedule" : emitters.front()->target().name;
}

}  // namespace

std::vector<std::string> next_commands(const Arguments& arguments, const Job& job, const PlanAnswer& answer) {
  if (answer.candidates.empty() || answer.candidates.front().failed) return {};
  const CandidateAnswer& winner = answer.candidates.front();
  const std::vector<Subcommand> table = subcommands();
  const auto line = [&](const char* name) {
    return fmt::format("muster {}{}{}", name, same_question(arguments, job, winner, find_command(table, name)),
                       choice_text(job, winner));
  };
  return {line("simulate"), fmt::format("{} --target {} --out {}", line("emit"), usual_target(job, answer),
                                        shell_word("out/" + winner.algorithm))};
}

}  // namespace muster
