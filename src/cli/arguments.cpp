// CLI11 is used only here. Every value is taken as text, so that all messages about values are our own.
#include "cli/arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/error.h"
#include "cli/flags.h"
#include "cli/shell_word.h"

namespace muster {
namespace {

constexpr int kAnyNumber = 1000;  // surplus values are reported by our own message
const char* const kVersion = "muster " MUSTER_VERSION;

const Subcommand* find_subcommand(const std::vector<Subcommand>& table, const std::string& name) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const Subcommand& s) { return s.name == name; });
  return found == table.end() ? nullptr : &*found;
}

/// CLI11's layout, without its "..." after every value and with a usage line that can be typed.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    return option->get_type_name().empty() ? "" : " " + option->get_type_name();
  }
  std::string make_usage(const CLI::App* app, std::string name) const override {
    if (app->get_parent() == nullptr) return "Usage: muster COMMAND [FLAGS]\n";
    std::string usage = "Usage: muster " + name + " [FLAGS]";
    const std::vector<Subcommand> table = subcommands();
    const Subcommand* const subcommand = find_subcommand(table, name);
    const bool takes_many = subcommand != nullptr && subcommand->positional.most > 1;
    for (const CLI::Option* option : app->get_options([](const CLI::Option* o) { return o->get_positional(); })) {
      usage += " [" + option->get_name(true) + "]" + (takes_many ? "..." : "");
    }
    return usage + "\n";
  }
};

/// What the parser fills: values of flags and switches by name. A subcommand has its own, since only one is parsed.
struct Parsed {
  std::map<std::string, Values> values;
  std::map<std::string, bool> switches;
  Values positional;
};

void add(CLI::App& app, const Flag& flag, Parsed& parsed) {
  app.add_option(flag.name, parsed.values[flag.name], flag.help)
      ->type_name(flag.value)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void add(CLI::App& app, const Subcommand& subcommand, Parsed& parsed) {
  CLI::App* sub = app.add_subcommand(subcommand.name, subcommand.summary);
  sub->footer(fmt::format("{}\n  {}", example_title(subcommand.example), subcommand.example));
  if (subcommand.positional.most > 0) {
    sub->add_option(subcommand.positional.name, parsed.positional, subcommand.positional.help)
        ->type_name("")
        ->expected(0, kAnyNumber);
  }
  for (const Flag& flag : subcommand.flags) add(*sub, flag, parsed);
  for (const Switch& toggle : subcommand.switches)
    sub->add_flag(toggle.name, parsed.switches[toggle.name], toggle.help);
  sub->set_help_flag("-h,--help", "show this help");
  sub->set_version_flag("--version", kVersion, "show the version");
  sub->allow_extras();
}

std::vector<std::string> names_of(const Subcommand& subcommand) {
  std::vector<std::string> names;
  for (const Flag& flag : subcommand.flags) names.emplace_back(flag.name);
  for (const Switch& toggle : subcommand.switches) names.emplace_back(toggle.name);
  names.insert(names.end(), {"--help", "--version"});
  return names;
}

[[noreturn]] void reject_extra(const Subcommand& subcommand, const std::vector<std::string>& extras) {
  for (const std::string& extra : extras) {
    if (extra.size() < 2 || extra[0] != '-') continue;
    const std::string name = extra.substr(0, extra.find('='));
    reject("{}: unknown flag '{}'; {}", subcommand.name, name, suggest(name, names_of(subcommand)));
  }
  reject("{} takes no argument '{}'; 'muster {} --help' shows its flags", subcommand.name, extras[0], subcommand.name);
}

void reject_repeated(const Subcommand& subcommand, const Arguments& arguments) {
  const Values& words = arguments.positional;
  if (words.size() > subcommand.positional.most) {
    reject("{} takes one {}; '{}' is one too many", subcommand.name, subcommand.positional.name, words.back());
  }
  for (const Flag& flag : subcommand.flags) {
    const Values& values = arguments.values(flag.name);
    if (!flag.repeatable && values.size() > 1) {
      reject("{} was given twice: '{}' and '{}'; give it once", flag.name, values[0], values[1]);
    }
    for (const std::string& value : values) {
      const bool is_missing = value.empty() || value.rfind("--", 0) == 0;  // CLI11 would take the next flag
      if (is_missing) reject("{} needs a value; use {} {}", flag.name, flag.name, flag.value);
    }
  }
}

/// CLI11 would take --json=yes.
void reject_valued_switches(const std::vector<std::string>& words, const Subcommand* subcommand) {
  std::vector<std::string> switches{"--help", "--version"};
  if (subcommand != nullptr) {
    for (const Switch& toggle : subcommand->switches) switches.emplace_back(toggle.name);
  }
  for (const std::string& word : words) {
    for (const std::string& name : switches) {
      if (word.rfind(name + "=", 0) == 0) reject("{} takes no value; leave out what follows '='", name);
    }
  }
}

/// Says in our own words what CLI11 could not parse.
[[noreturn]] void reject_parse_error(const CLI::ParseError& error, const Subcommand* subcommand) {
  const std::string what = error.what();
  const std::string name = what.substr(0, what.find(':'));
  if (subcommand != nullptr) {
    for (const Flag& flag : subcommand->flags) {
      if (name == flag.name) reject("{} needs a value; use {} {}", name, name, flag.value);
    }
  }
  std::string line = what;
  std::replace(line.begin(), line.end(), '\n', ' ');
  reject("{}; 'muster --help' shows the commands", line);
}

std::string command_line(const std::vector<std::string>& words) {
  std::string line = "muster";
  for (const std::string& word : words) line += " " + shell_word(word);
  return line;
}

[[noreturn]] void reject_command(const std::string& name, const std::vector<Subcommand>& table) {
  std::vector<std::string> names;
  for (const Subcommand& s : table) names.emplace_back(s.name);
  names.emplace_back("help");
  reject("unknown command '{}'; {}", name, suggest(name, names));
}

void check_first_word(const std::string& first, const std::vector<Subcommand>& table) {
  const std::vector<std::string> flags{"--help", "--version"};
  const std::string name = first.substr(0, first.find('='));
  if (first == "-h" || std::find(flags.begin(), flags.end(), name) != flags.end()) return;
  if (first.size() > 1 && first[0] == '-') {
    reject("unknown flag '{}' before a command; {}", first, suggest(first, flags));
  }
  if (find_subcommand(table, first) == nullptr) reject_command(first, table);
}

/// muster help [COMMAND]
Notice help(const CLI::App& app, const std::vector<std::string>& words, const std::vector<Subcommand>& table) {
  if (words.size() > 2) reject("help takes one COMMAND; '{}' is one too many", words[2]);
  const bool itself = words.size() == 1 || words[1] == "help" || words[1] == "-h" || words[1] == "--help";
  if (itself) return {app.help()};
  if (find_subcommand(table, words[1]) == nullptr) reject_command(words[1], table);
  return {app.get_subcommand(words[1])->help()};
}

/// A parser that fills `parsed`, which must outlive it.
std::unique_ptr<CLI::App> make_parser(const std::vector<Subcommand>& table, Parsed& parsed) {
  auto app = std::make_unique<CLI::App>(
      "Plans, proves, simulates and emits collective communication for machines where distance matters:\n"
      "wafers, clusters, reducing switches, networks on a chip.",
      "muster");
  app->formatter(std::make_shared<HelpFormatter>());
  app->set_help_flag("-h,--help", "show this help");
  app->set_version_flag("--version", kVersion, "show the version");
  app->footer(fmt::format("Example:\n  muster plan {}\n\n'muster help COMMAND' shows the flags of a command.",
                          first_example()));
  for (const Subcommand& subcommand : table) add(*app, subcommand, parsed);
  app->require_subcommand(0, 1);  // so that 'plan' in 'seismic plan' is no second one
  return app;
}

}  // namespace

namespace {

Arguments arguments_of(Parsed parsed) {
  Arguments arguments;
  for (auto& [flag, values] : parsed.values) arguments.set(flag, std::move(values));
  for (const auto& [flag, given] : parsed.switches) {
    if (given) arguments.set(flag, {""});
  }
  arguments.positional = std::move(parsed.positional);
  return arguments;
}

}  // namespace

std::variant<Arguments, Notice> parse_arguments(int argc, const char* const* argv) {
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  const std::vector<Subcommand> table = subcommands();
  Parsed parsed;
  const std::unique_ptr<CLI::App> app = make_parser(table, parsed);
  if (words.empty()) return Notice{app->help()};
  if (words[0] == "help") return help(*app, words, table);
  check_first_word(words[0], table);

  const Subcommand* const subcommand = find_subcommand(table, words[0]);
  reject_valued_switches(words, subcommand);
  try {
    app->parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return Notice{subcommand == nullptr ? app->help() : app->get_subcommand(subcommand->name)->help()};
  } catch (const CLI::CallForVersion&) {
    return Notice{std::string(kVersion) + "\n"};
  } catch (const CLI::ParseError& error) {
    reject_parse_error(error, subcommand);
  }
  MUSTER_ASSERT(subcommand != nullptr, "a command line without a command was parsed");
  const std::vector<std::string> extras = app->remaining(true);
  if (!extras.empty()) reject_extra(*subcommand, extras);
  Arguments arguments = arguments_of(std::move(parsed));
  reject_repeated(*subcommand, arguments);
  arguments.subcommand = subcommand->name;
  arguments.command = command_line(words);
  return arguments;
}

}  // namespace muster
