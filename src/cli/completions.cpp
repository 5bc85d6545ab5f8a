// One function per shell; each writes a script from the table of subcommands. Names of machines, algorithms and the like are
// asked of the program when the user presses the key, so that new ones are known.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "cli/flags.h"
#include "cli/shell_files.h"
#include "cli/value_hints.h"

namespace muster {
namespace {

std::vector<std::string> command_names(const std::vector<Subcommand>& table) {
  std::vector<std::string> names;
  for (const Subcommand& subcommand : table) names.push_back(subcommand.name);
  names.emplace_back("help");
  return names;
}

std::vector<std::string> flag_names(const Subcommand& command) {
  std::vector<std::string> names;
  for (const Flag& flag : command.flags) names.emplace_back(flag.name);
  for (const Switch& toggle : command.switches) names.emplace_back(toggle.name);
  names.insert(names.end(), {"--help", "--version"});
  return names;
}

/// The text with each character of `special` behind a backslash.
std::string escaped(const std::string& text, const std::string& special) {
  std::string result;
  for (const char c : text) {
    if (special.find(c) != std::string::npos) result += '\\';
    result += c;
  }
  return result;
}

/// For bash and zsh, within single quotes.
std::string without_quotes(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result;
}

std::string bash_action(const ValueHints& hints, const std::string& flag) {
  if (hints.empty()) return "return";
  std::string action;
  if (hints.names) action += fmt::format("words=\"$(\"$program\" completions names {} 2>/dev/null)\"; ", flag);
  if (!hints.words.empty()) action += fmt::format("words+=' {}'; ", fmt::join(hints.words, " "));
  if (hints.files) action += "_muster_files -f; ";
  if (hints.folders) action += "_muster_files -d; ";
  action.resize(action.size() - 2);
  return action;
}

/// Values by "COMMAND FLAG"; what is completed alike is in one case.
std::string bash_cases(const std::vector<Subcommand>& table) {
  std::map<std::string, std::vector<std::string>> by_action;
  for (const Subcommand& command : table) {
    for (const Flag& flag : command.flags) {
      by_action[bash_action(hints_of(flag), flag.name)].push_back(fmt::format("'{} {}'", command.name, flag.name));
    }
  }
  std::string text;
  for (const auto& [action, where] : by_action) text += fmt::format("    {}) {};;\n", fmt::join(where, "|"), action);
  return text;
}

/// What a command takes where no value of a flag is expected.
std::string bash_flags(const std::vector<Subcommand>& table) {
  std::string text;
  for (const Subcommand& command : table) {
    text += fmt::format("        {}) words='{}'", command.name, fmt::join(flag_names(command), " "));
    const ValueHints hints = hints_of(command);
    if (hints.names) text += "; words+=\" $(\"$program\" completions names --machine 2>/dev/null)\"";
    if (hints.files) text += "; [[ $word == -* ]] || _muster_files -f";
    text += ";;\n";
  }
  return text;
}

std::string bash_script(const std::vector<Subcommand>& table) {
  return "# Completion of muster for bash; 'muster completions bash' writes it.\n"
         "_muster_files() {\n"
         "  compopt -o filenames 2>/dev/null\n"
         "  mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen \"$1\" -- \"$word\")\n"
         "}\n"
         "_muster() {\n"
         "  local program=${COMP_WORDS[0]} command=${COMP_WORDS[1]} words=''\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
         "  COMPREPLY=()\n"
         "  ((COMP_CWORD == 1)) && before='' && command=''\n"
         "  case \"$command $before\" in\n" +
         bash_cases(table) +
         "    *)\n"
         "      case $command in\n" +
         bash_flags(table) + fmt::format("        ''|help) words='{}';;\n", fmt::join(command_names(table), " ")) +
         "      esac;;\n"
         "  esac\n"
         "  mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
         "}\n"
         "complete -F _muster muster\n";
}

std::string zsh_action(const ValueHints& hints, const std::string& flag) {
  if (hints.empty()) return " ";
  std::vector<std::string> actions;
  if (hints.names) actions.push_back("_muster_names " + flag);
  if (!hints.words.empty()) actions.push_back(fmt::format("compadd -- {}", fmt::join(hints.words, " ")));
  if (hints.files) actions.emplace_back("_files");
  if (hints.folders) actions.emplace_back("_files -/");
  return fmt::format("{{ {} }}", fmt::join(actions, "; "));
}

std::string zsh_arguments(const Subcommand& command) {
  std::string text;
  const auto add = [&text](const std::string& spec) { text += fmt::format(" \\\n        '{}'", without_quotes(spec)); };
  for (const Flag& flag : command.flags) {
    add(fmt::format("{}{}[{}]:{}:{}", flag.repeatable ? "*" : "", flag.name, escaped(flag.help, "[]\\"),
                    escaped(flag.value, ":\\"), zsh_action(hints_of(flag), flag.name)));
  }
  for (const Switch& toggle : command.switches) add(fmt::format("{}[{}]", toggle.name, escaped(toggle.help, "[]\\")));
  add("--help[show the flags]");
  add("--version[show the version]");
  if (command.positional.most > 0) {
    add(fmt::format("*:{}:{}", escaped(command.positional.name, ":\\"), zsh_action(hints_of(command), "--machine")));
  }
  return text;
}

std::string zsh_script(const std::vector<Subcommand>& table) {
  std::string commands, cases;
  for (const Subcommand& command : table) {
    commands += fmt::format("    '{}:{}'\n", command.name, without_quotes(escaped(command.summary, ":\\")));
    cases += fmt::format("    {})\n      _arguments{};;\n", command.name, zsh_arguments(command));
  }
  return "#compdef muster\n"
         "# Completion of muster for zsh; 'muster completions zsh' writes it.\n"
         "_muster_names() { compadd -- ${(f)\"$(muster completions names $1 2>/dev/null)\"} }\n"
         "_muster() {\n"
         "  local -a commands=(\n" +
         commands +
         "    'help:show the flags of a command'\n"
         "  )\n"
         "  if (( CURRENT == 2 )) || [[ $words[2] == help ]]; then\n"
         "    _describe command commands\n"
         "    return\n"
         "  fi\n"
         "  shift words\n"
         "  (( CURRENT-- ))\n"
         "  case $words[1] in\n" +
         cases +
         "  esac\n"
         "}\n"
         "_muster \"$@\"\n";
}

/// Within single quotes.
std::string fish_text(const std::string& text) { return "'" + escaped(text, "'\\") + "'"; }

std::string fish_values(const ValueHints& hints, const std::string& flag) {
  std::string text = hints.files || hints.folders ? " -r -F" : " -x";
  if (hints.names) text += fmt::format(" -a '(muster completions names {})'", flag);
  if (!hints.words.empty()) text += fmt::format(" -a '{}'", fmt::join(hints.words, " "));
  return text;
}

std::string fish_lines(const Subcommand& command) {
  const std::string begin = fmt::format("complete -c muster -n '__fish_seen_subcommand_from {}'", command.name);
  std::string text;
  for (const Flag& flag : command.flags) {
    text += fmt::format("{} -l {}{} -d {}\n", begin, flag.name + 2, fish_values(hints_of(flag), flag.name),
                        fish_text(flag.help));
  }
  for (const Switch& toggle : command.switches)
    text += fmt::format("{} -l {} -d {}\n", begin, toggle.name + 2, fish_text(toggle.help));
  const ValueHints hints = hints_of(command);
  if (hints.files) text += begin + " -F\n";
  if (hints.names) text += begin + " -a '(muster completions names --machine)'\n";
  return text;
}

std::string fish_script(const std::vector<Subcommand>& table) {
  std::string text =
      "# Completion of muster for fish; 'muster completions fish' writes it.\n"
      "complete -c muster -f\n"
      "complete -c muster -l help -d 'show the flags'\n"
      "complete -c muster -l version -d 'show the version'\n";
  for (const Subcommand& command : table) {
    text += fmt::format("complete -c muster -n __fish_use_subcommand -a {} -d {}\n", command.name,
                        fish_text(command.summary));
  }
  text += "complete -c muster -n __fish_use_subcommand -a help -d 'show the flags of a command'\n";
  text += fmt::format("complete -c muster -n '__fish_seen_subcommand_from help' -a '{}'\n",
                      fmt::join(command_names(table), " "));
  for (const Subcommand& command : table) text += fish_lines(command);
  return text;
}

}  // namespace

std::string completion_script(const std::string& shell) {
  const std::vector<Subcommand> table = subcommands();
  if (shell == "bash") return bash_script(table);
  if (shell == "fish") return fish_script(table);
  if (shell == "zsh") return zsh_script(table);
  const std::vector<std::string> known{"bash", "fish", "zsh"};
  reject("completions: unknown shell '{}'; {}", shell, suggest(shell, known));
}

}  // namespace muster
