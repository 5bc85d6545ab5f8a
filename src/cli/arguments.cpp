// The table of subcommands and their flags, and the one place where CLI11 is used. Every value is taken as text, so
// that all messages about values are our own.
#include "cli/arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>

#include "base/error.h"

namespace muster {
namespace {

struct Flag {
  const char* name;
  const char* value;  ///< how its value is called in --help
  const char* help;
  Values Arguments::*to;
  bool repeatable = false;
};

const Flag kMachine{"--machine", "NAME|FILE.toml", "the machine; 'muster machines' lists them", &Arguments::machine};
const Flag kParam{"--param", "KEY=VALUE", "override one machine parameter (repeatable)", &Arguments::param, true};
const Flag kGrid{"--grid", "WxH", "columns and rows in use (mesh)", &Arguments::grid};
const Flag kNodes{"--nodes", "N", "nodes in use (hyperx)", &Arguments::nodes};
const Flag kRoot{"--root", "X,Y|RANK", "the root; default: the first rank", &Arguments::root};
const Flag kCollective{"--collective", "NAME", "reduce, broadcast, ...", &Arguments::collective};
const Flag kCount{"--count", "N", "elements of the vector", &Arguments::count};
const Flag kBytes{"--bytes", "SIZE", "size of the vector instead of --count, e.g. '1 KiB'", &Arguments::bytes};
const Flag kType{"--type", "f32|f16|i32", "element type; default: f32", &Arguments::type};
const Flag kOp{"--op", "sum|max|min|prod", "operator; default: sum", &Arguments::op};
const Flag kAlgorithm{"--algorithm", "NAME", "the algorithm; default: the best one", &Arguments::algorithm};
const Flag kSet{"--set", "KEY=VALUE", "a parameter of the algorithm (repeatable)", &Arguments::set, true};
const Flag kReserve{"--reserve-colors", "N", "colors to leave for your own program", &Arguments::reserve_colors};
const Flag kEngine{"--engine", "auto|cycle", "the simulator; default: auto", &Arguments::engine};
const Flag kCalls{"--calls", "N", "calls, back to back; default: 1", &Arguments::calls};
const Flag kSchedule{"--schedule", "FILE|-", "simulate this schedule instead of an algorithm's", &Arguments::schedule};
const Flag kTarget{"--target", "NAME", "what to write: csl, schedule", &Arguments::target};
const Flag kOut{"--out", "DIR", "the folder for the files", &Arguments::out};
const Flag kOffset{"--offset", "X,Y", "place the collective there on the fabric", &Arguments::offset};
const Flag kCheck{"--check", "FILE", "only say whether this machine file is valid", &Arguments::check};
const Flag kSeed{"--seed", "N", "seed of data and fingerprints; default: 1", &Arguments::seed};

/// A positional argument: how it is called in --help, and how many there may be.
struct Positional {
  const char* name = nullptr;
  const char* help = nullptr;
  std::size_t most = 0;
};

struct Subcommand {
  std::string name;
  std::string summary;
  std::string example;
  Positional positional;
  std::vector<Flag> flags;
};

const char* const kReduceExample = "--machine wse2 --grid 512x1 --collective reduce --count 256";

constexpr int kAnyNumber = 1000;  // what is too much, we say ourselves

/// The flags that say which collective on which machine, and then `more`.
std::vector<Flag> question(std::vector<Flag> more) {
  std::vector<Flag> flags{kMachine, kParam, kGrid, kNodes, kCollective, kRoot, kCount, kBytes, kType, kOp};
  flags.insert(flags.end(), more.begin(), more.end());
  return flags;
}

std::vector<Subcommand> subcommands() {
  const std::string reduce = kReduceExample;
  return {
      {"machines",
       "list machines, show one, or check a machine file",
       "muster machines wse2",
       {"NAME", "show this machine: every value with its source", 1},
       {kCheck}},
      {"algorithms",
       "list algorithms with their sources and parameters",
       "muster algorithms --collective reduce",
       {},
       {kMachine, kCollective}},
      {"plan",
       "rank every algorithm for a collective: bounds, proof, simulation",
       "muster plan " + reduce,
       {},
       question({kReserve})},
      {"verify",
       "prove a schedule right, or show where it is wrong",
       "muster verify --machine wse2 --grid 8x1 chain.json",
       {"FILE|-", "the schedule's text form", 1},
       {kMachine, kParam, kGrid, kNodes}},
      {"simulate",
       "run one algorithm or schedule in the simulator",
       "muster simulate " + reduce + " --algorithm two-phase --set group=16",
       {},
       question({kAlgorithm, kSet, kSchedule, kEngine, kCalls, kReserve})},
      {"emit",
       "write the program for the machine, or the schedule",
       "muster emit " + reduce + " --algorithm chain --target csl --out out/chain",
       {},
       question({kAlgorithm, kSet, kTarget, kOut, kOffset, kReserve})},
      {"reproduce",
       "check the papers' figures: paper, ours, verdict",
       "muster reproduce wafer",
       {"NAME", "only these papers, claims, or FILE.toml of your own", 1000},
       {}},
  };
}

/// CLI11's layout, without its "..." behind every value and with a usage line that can be typed.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    return option->get_type_name().empty() ? "" : " " + option->get_type_name();
  }
  std::string make_usage(const CLI::App* app, std::string name) const override {
    if (app->get_parent() == nullptr) return "Usage: muster COMMAND [FLAGS]\n";
    std::string usage = "Usage: muster " + name + " [FLAGS]";
    for (const CLI::Option* option : app->get_options([](const CLI::Option* o) { return o->get_positional(); })) {
      usage += " [" + option->get_name(true) + "]" + (option->get_expected_max() > 1 ? "..." : "");
    }
    return usage + "\n";
  }
};

void add(CLI::App& app, const Flag& flag, Arguments& arguments) {
  app.add_option(flag.name, arguments.*(flag.to), flag.help)
      ->type_name(flag.value)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void add(CLI::App& app, const Subcommand& subcommand, Arguments& arguments) {
  CLI::App* sub = app.add_subcommand(subcommand.name, subcommand.summary);
  sub->footer(fmt::format("Example:\n  {}", subcommand.example));
  if (subcommand.positional.most > 0) {
    sub->add_option(subcommand.positional.name, arguments.positional, subcommand.positional.help)
        ->type_name("")
        ->expected(0, kAnyNumber);
  }
  for (const Flag& flag : subcommand.flags) add(*sub, flag, arguments);
  add(*sub, kSeed, arguments);
  sub->add_flag("--json", arguments.json, "answer in JSON");
  sub->add_flag("--quiet", arguments.quiet, "no progress, no remarks");
  sub->set_help_flag("-h,--help", "show this");
  sub->allow_extras();
}

std::vector<std::string> names_of(const std::vector<Flag>& flags) {
  std::vector<std::string> names{"--seed", "--json", "--quiet", "--help"};
  for (const Flag& flag : flags) names.emplace_back(flag.name);
  return names;
}

[[noreturn]] void reject_extra(const Subcommand& subcommand, const std::vector<std::string>& extras) {
  for (const std::string& extra : extras) {
    if (extra.size() < 2 || extra[0] != '-') continue;
    const std::string name = extra.substr(0, extra.find('='));
    reject("{}: unknown flag '{}'; {}", subcommand.name, name, suggest(name, names_of(subcommand.flags)));
  }
  reject("{} takes no argument '{}'; 'muster {} --help' shows its flags", subcommand.name, extras[0], subcommand.name);
}

void reject_repeated(const Subcommand& subcommand, const Arguments& arguments) {
  const Values& words = arguments.positional;
  if (words.size() > subcommand.positional.most) {
    reject("{} takes one {}; '{}' is too much", subcommand.name, subcommand.positional.name, words.back());
  }
  std::vector<Flag> flags = subcommand.flags;
  flags.push_back(kSeed);
  for (const Flag& flag : flags) {
    const Values& values = arguments.*(flag.to);
    if (!flag.repeatable && values.size() > 1) {
      reject("{} was given twice: '{}' and '{}'; give it once", flag.name, values[0], values[1]);
    }
    for (const std::string& value : values) {
      const bool is_missing = value.empty() || value.rfind("--", 0) == 0;  // CLI11 would take the next flag
      if (is_missing) reject("{} needs a value; use {} {}", flag.name, flag.name, flag.value);
    }
  }
}

/// Says in our own words what CLI11 could not parse.
[[noreturn]] void reject_parse_error(const CLI::ParseError& error, const Subcommand* subcommand) {
  const std::string what = error.what();
  const std::string name = what.substr(0, what.find(':'));
  if (subcommand != nullptr) {
    std::vector<Flag> flags = subcommand->flags;
    flags.push_back(kSeed);
    for (const Flag& flag : flags) {
      if (name == flag.name) reject("{} needs a value; use {} {}", name, name, flag.value);
    }
  }
  for (const char* const flag : {"--json", "--quiet"}) {
    if (what.find(flag) != std::string::npos) reject("{} takes no value; leave out what follows '='", flag);
  }
  std::string line = what;
  std::replace(line.begin(), line.end(), '\n', ' ');
  reject("{}; 'muster --help' shows the commands", line);
}

/// Quotes a word for a shell if it needs that.
std::string quoted(const std::string& word) {
  const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string_view("-_./=,:+@%").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (plain) return word;
  std::string result = "'";
  for (const char c : word) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

std::string command_line(int argc, const char* const* argv) {
  std::string line = "muster";
  for (int i = 1; i < argc; ++i) line += " " + quoted(argv[i]);
  return line;
}

void check_first_word(int argc, const char* const* argv, const std::vector<Subcommand>& table) {
  if (argc < 2) return;
  const std::string first = argv[1];
  std::vector<std::string> names;
  for (const Subcommand& s : table) names.emplace_back(s.name);
  const std::vector<std::string> flags{"--help", "--version"};
  if (first == "-h" || std::find(flags.begin(), flags.end(), first) != flags.end()) return;
  if (first.size() > 1 && first[0] == '-') {
    reject("unknown flag '{}' before a command; {}", first, suggest(first, flags));
  }
  if (std::find(names.begin(), names.end(), first) == names.end()) {
    reject("unknown command '{}'; {}", first, suggest(first, names));
  }
}

}  // namespace

std::variant<Arguments, Notice> parse_arguments(int argc, const char* const* argv) {
  const std::vector<Subcommand> table = subcommands();
  check_first_word(argc, argv, table);

  Arguments arguments;
  CLI::App app(
      "Collectives on machines where distance matters: which plan is best, is it right, how long will it\n"
      "take, and here is the code.",
      "muster");
  app.formatter(std::make_shared<HelpFormatter>());
  app.set_help_flag("-h,--help", "show this");
  app.set_version_flag("--version", "muster " MUSTER_VERSION, "show the version");
  app.footer(fmt::format("Example:\n  muster plan {}\n\n'muster COMMAND --help' shows the flags of a command.",
                         kReduceExample));
  for (const Subcommand& subcommand : table) add(app, subcommand, arguments);
  if (argc < 2) return Notice{app.help()};

  const auto chosen =
      std::find_if(table.begin(), table.end(), [&](const Subcommand& s) { return std::string(argv[1]) == s.name; });
  const Subcommand* const subcommand = chosen == table.end() ? nullptr : &*chosen;
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return Notice{subcommand == nullptr ? app.help() : app.get_subcommand(subcommand->name)->help()};
  } catch (const CLI::CallForVersion& version) {
    return Notice{std::string(version.what()) + "\n"};
  } catch (const CLI::ParseError& error) {
    reject_parse_error(error, subcommand);
  }
  MUSTER_ASSERT(subcommand != nullptr, "a command line without a command was parsed");
  const std::vector<std::string> extras = app.remaining(true);
  if (!extras.empty()) reject_extra(*subcommand, extras);
  reject_repeated(*subcommand, arguments);
  arguments.subcommand = subcommand->name;
  arguments.command = command_line(argc, argv);
  return arguments;
}

}  // namespace muster
