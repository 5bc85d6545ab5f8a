// Machine, shape, collective, vector: each flag is read by one small function, and job_of puts them together.
#include "cli/question.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/error.h"
#include "base/index.h"
#include "base/numbers.h"
#include "base/one_line.h"
#include "cli/applicability.h"
#include "machine/family.h"
#include "machine/routing.h"
#include "plan/candidates.h"
#include "plan/job.h"

namespace muster {
namespace {

/// More elements than any machine holds; keeps products of sizes far from overflow.
constexpr std::int64_t kMostElements = 1'000'000'000'000;

const std::string& need(const Arguments& arguments, const char* flag, const char* example) {
  if (!arguments.has(flag)) reject("{} needs {}; use e.g. {} {}", arguments.subcommand, flag, flag, example);
  return arguments.text(flag);
}

Overrides overrides_of(const Arguments& arguments) {
  Overrides overrides;
  for (const std::string& text : arguments.values("--param")) {
    const auto [key, value] = parse_assignment(text, "--param", "ramp.latency='7 cycles'");
    if (!overrides.emplace(key, value).second) reject("--param: '{}' was given twice; give it once", key);
  }
  return overrides;
}

NodeId root_of(const Arguments& arguments, const Job& job) {
  const Machine& machine = job.machine;
  if (!arguments.has("--root") || is_free_root(arguments)) return machine.family().first_rank(machine, job.options);
  const std::string& text = arguments.text("--root");
  const NodeId ranks = rank_count(machine);
  if (text.find(',') == std::string::npos) {
    const NumberRule rule{.flag = "--root", .least = 0, .most = ranks - 1, .example = "0"};
    return static_cast<NodeId>(parse_number(text, rule));
  }
  return machine.family().rank_at(machine, text, {.flag = "--root", .least = 0, .most = INT32_MAX, .example = "0,0"});
}

Arithmetic arithmetic_of(const Arguments& arguments) {
  Arithmetic arithmetic;
  if (arguments.has("--type")) {
    const auto type = type_from_name(arguments.text("--type"));
    if (!type)
      reject("--type: unknown type '{}'; {}", arguments.text("--type"),
             suggest(arguments.text("--type"), type_names()));
    arithmetic.type = *type;
  }
  if (arguments.has("--op")) {
    const auto op = operator_from_name(arguments.text("--op"));
    if (!op)
      reject("--op: unknown operator '{}'; {}", arguments.text("--op"),
             suggest(arguments.text("--op"), operator_names()));
    arithmetic.op = *op;
  }
  return arithmetic;
}

std::int64_t count_from_bytes(const std::string& text, ElementType type) {
  const Outcome<Bytes> bytes = parse_bytes(text);
  if (!bytes) reject("--bytes: {}", bytes.reason());
  const std::int64_t size = size_of(type).value();
  const std::int64_t value = bytes.value().value();
  if (value < size) reject("--bytes: '{}' is smaller than one {}; use at least {} bytes", text, type_name(type), size);
  if (value % size != 0) {
    const std::int64_t below = value / size * size;
    reject("--bytes: '{}' is not a multiple of {}, the size of an {}; the nearest are {} and {} bytes", text, size,
           type_name(type), below, below + size);
  }
  if (value / size > kMostElements)
    reject("--bytes: '{}' is too large; use at most {}", text, to_text(Bytes(kMostElements * size)));
  return value / size;
}

std::int64_t count_of(const Arguments& arguments, Collective collective, ElementType type) {
  const bool given = arguments.has("--count") || arguments.has("--bytes");
  if (collective == Collective::barrier) {
    leave_out(arguments, {"--count", "--bytes"}, "a barrier carries no vector");
    return 1;
  }
  at_most_one(arguments, {"--count", "--bytes"});
  if (!given) reject("{} needs the size of the vector; use e.g. --count 256 or --bytes '1 KiB'", arguments.subcommand);
  if (arguments.has("--bytes")) return count_from_bytes(arguments.text("--bytes"), type);
  return parse_number(arguments.text("--count"),
                      {.flag = "--count", .least = 1, .most = kMostElements, .example = "256"});
}

int small_number(const Arguments& arguments, const char* flag, int least, int most, int otherwise) {
  if (!arguments.has(flag)) return otherwise;
  const NumberRule rule{.flag = flag, .least = least, .most = most, .example = std::to_string(least + 1)};
  return static_cast<int>(parse_number(arguments.text(flag), rule));
}

/// The parts of a job that do not depend on where its schedule comes from.
Job common_job(const Arguments& arguments, Machine machine) {
  Job job;
  job.machine = std::move(machine);
  job.arithmetic = arithmetic_of(arguments);
  job.calls = small_number(arguments, "--calls", 1, 1000, 1);
  job.seed = seed_of(arguments);
  job.options = job.machine.family().options(job.machine, arguments);
  return job;
}

/// A flag that changes nothing was meant to change something.
void reject_unused(const Arguments& arguments, const Job& job) {
  const std::string name(collective_name(job.collective));
  if (job.collective == Collective::barrier)
    leave_out(arguments, {"--type"}, fmt::format("a {} carries no vector", name));
  if (!combines(job.collective)) leave_out(arguments, {"--op"}, fmt::format("{} combines nothing", name));
  if (!has_root(job.collective)) leave_out(arguments, {"--root"}, fmt::format("{} has no root", name));
}

/// Where a flag stands for a key, messages name the flag.
Machine load_with_flags(const std::filesystem::path& file, const Overrides& overrides) {
  try {
    return load_machine(file, overrides);
  } catch (const InputError& error) {
    const std::string message = error.what();
    constexpr std::string_view kParam = "--param ";
    if (!message.starts_with(kParam)) throw;
    reject("--{}", message.substr(kParam.size()));
  }
}

}  // namespace

std::filesystem::path data_folder() {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) {
    auto installed = program.parent_path().parent_path() / "share" / "muster";
    if (std::filesystem::is_directory(installed, error)) return installed;
  }
  return MUSTER_DATA_DIR;
}

MachinePath machine_path_of(const Arguments& arguments) {
  const std::filesystem::path data = data_folder();
  MachinePath path = machine_path(data);
  for (const auto& folder : path.folders) {
    std::error_code error;
    if (arguments.has("--quiet") || folder == data || std::filesystem::is_directory(folder, error)) continue;
    fmt::print(stderr, "muster: MUSTER_PATH: {} is not a folder and is ignored\n", one_line(folder.string()));
  }
  return path;
}

void mention_shadowed(const FoundMachine& found, const Arguments& arguments) {
  if (arguments.has("--quiet")) return;
  for (const auto& other : found.shadowed) {
    fmt::print(stderr, "muster: using {}, which hides {}\n", found.file.string(), other.string());
  }
}

Machine whole_machine_of(const Arguments& arguments) {
  const std::string& name = need(arguments, "--machine", "wse2");
  const FoundMachine found = find_machine(machine_path_of(arguments), name);
  mention_shadowed(found, arguments);
  Overrides overrides = overrides_of(arguments);
  const Machine machine = load_machine(found.file, overrides);
  check_family_flags(arguments, machine);
  bool changed = false;
  for (const std::string_view flag : machine.family().key_flags()) {
    if (!arguments.has(flag)) continue;
    if (!overrides.emplace(flag.substr(2), arguments.text(flag)).second)
      reject("{}: --param sets it too; give one of them", flag);
    changed = true;
  }
  return changed ? load_with_flags(found.file, overrides) : machine;
}

Machine machine_of(const Arguments& arguments) {
  Machine machine = whole_machine_of(arguments);
  const Family& family = machine.family();
  return family.shaped(std::move(machine), arguments);
}

std::optional<Collective> collective_of(const Arguments& arguments) {
  if (!arguments.has("--collective")) return std::nullopt;
  const std::string& name = arguments.text("--collective");
  const auto collective = collective_from_name(name);
  if (!collective) reject("--collective: unknown collective '{}'; {}", name, suggest(name, collective_names()));
  return collective;
}

Job job_of(const Arguments& arguments) {
  need(arguments, "--machine", "wse2");
  need(arguments, "--collective", "reduce");
  (void)collective_of(arguments);  // a wrong name is reported before the machine is read
  return job_of(arguments, machine_of(arguments));
}

Job job_of(const Arguments& arguments, Machine machine) {
  need(arguments, "--collective", "reduce");
  const Collective collective = *collective_of(arguments);
  Job job = common_job(arguments, std::move(machine));
  job.collective = collective;
  job.count = count_of(arguments, collective, job.arithmetic.type);
  job.root = root_of(arguments, job);
  check_job(job);
  reject_unused(arguments, job);
  if (is_free_root(arguments)) choose_root(arguments, job);
  return job;
}

Source schedule_source(const Arguments& arguments) {
  return {.flag = "--schedule", .noun = "schedule", .machine = machine_of(arguments)};
}

Job job_of(const Arguments& arguments, const Schedule& schedule, const Source& source) {
  leave_to(arguments, source.flag, source.noun,
           {"--collective", "--count", "--bytes", "--root", "--algorithm", "--set", "--chunks", "--order", "--group",
            "--vectors"});
  if (schedule.contracts.empty()) reject("the schedule has no contract; add one to 'contracts'");
  const Contract& contract = schedule.contracts[0];
  Job job = common_job(arguments, source.machine);
  if (arguments.has("--schedule")) check_made_for(schedule, job.machine, arguments.text("--schedule"));
  job.collective = contract.collective;
  job.count = contract.count * elements_per_word(job.arithmetic.type);
  if (contract.root >= 0 && at(contract.root) < contract.ranks.size()) job.root = contract.ranks[at(contract.root)];
  reject_unused(arguments, job);
  return job;
}

namespace {

/// One processor alone has nothing to combine, and its program names no operator.
bool combines_something(const ProgramFacts& facts) { return facts.channels > 0; }

/// Flags that repeat what the program says: most are refused, shape and count only where they differ.
void reject_said(const Arguments& arguments, const ProgramFacts& facts, const Source& source, std::int64_t count) {
  if (combines_something(facts)) leave_to(arguments, source.flag, source.noun, {"--op"});
  leave_to(arguments, source.flag, source.noun,
           {"--type", "--bytes", "--algorithm", "--chunks", "--order", "--nodes", "--reserve-colors"});
  const std::string shape = shape_text(facts.machine);
  if (arguments.has("--grid") && arguments.text("--grid") != shape) {
    reject("--grid: the program has {} {}s, not {}; leave it out with {}", shape, facts.machine.family().words().rank,
           arguments.text("--grid"), source.flag);
  }
  if (arguments.has("--count") && arguments.text("--count") != std::to_string(count)) {
    reject("--count: the program's vector has {} elements{}, not {}; leave it out with {}", count,
           elements_per_word(facts.arithmetic.type) > 1 ? " with padding" : "", arguments.text("--count"), source.flag);
  }
}

}  // namespace

Job job_of(const Arguments& arguments, const ProgramFacts& facts, const Source& source) {
  need(arguments, "--collective", "reduce");
  const std::int64_t count = facts.words * elements_per_word(facts.arithmetic.type);
  reject_said(arguments, facts, source, count);
  if (is_free_root(arguments)) reject("--root: the program of {} has a fixed root; name it", source.flag);
  Job job = common_job(arguments, facts.machine);
  const Operator asked = job.arithmetic.op;
  job.arithmetic = facts.arithmetic;
  if (!combines_something(facts)) job.arithmetic.op = asked;
  job.collective = *collective_of(arguments);
  job.count = count;
  job.root = !arguments.has("--root") && has_root(job.collective) ? facts.ranks.front() : root_of(arguments, job);
  reject_unused(arguments, job);
  return job;
}

Choice choice_of(const Arguments& arguments, const Job& job) {
  if (!arguments.has("--algorithm")) return choose_best(with_parameters(arguments, job));
  return choose(job, arguments.text("--algorithm"), parameters_of(arguments, &job.machine));
}

namespace {

/// A parameter named root is a rank, and may be given as --root is.
std::int64_t parameter_value(const std::string& key, const std::string& text, const Machine* machine) {
  if (key == "root" && machine != nullptr && text.find(',') != std::string::npos) {
    return machine->family().rank_at(*machine, text,
                                     {.flag = "--set", .least = 0, .most = INT32_MAX, .example = key + "=0,0"});
  }
  if (const auto named = named_value(key, text)) return *named;
  try {
    return parse_number(text, {.flag = "--set " + key, .least = INT64_MIN, .most = INT64_MAX, .example = ""});
  } catch (const InputError&) {
    const std::vector<std::string> names = value_names(key);
    if (!names.empty()) reject("--set {}: unknown value '{}'; {}", key, text, suggest(text, names));
    reject("--set {}: '{}' is not a whole number; 'muster algorithms' lists parameters and their values", key, text);
  }
}

}  // namespace

namespace {

/// Parameters of algorithms that have flags of their own.
void add_parameter_flags(const Arguments& arguments, Parameters& given) {
  const auto add = [&](const char* key, std::int64_t value) {
    if (!given.emplace(key, value).second) reject("--set {}: --{} sets it too; give one of them", key, key);
  };
  if (arguments.has("--chunks")) {
    add("chunks",
        parse_number(arguments.text("--chunks"), {.flag = "--chunks", .least = 1, .most = INT64_MAX, .example = "64"}));
  }
  if (!arguments.has("--order")) return;
  const auto found = named_value("order", arguments.text("--order"));
  if (!found) {
    reject("--order: unknown order '{}'; {}", arguments.text("--order"),
           suggest(arguments.text("--order"), value_names("order")));
  }
  add("order", *found);
}

}  // namespace

Parameters parameters_of(const Arguments& arguments, const Machine* machine) {
  Parameters given;
  for (const std::string& text : arguments.values("--set")) {
    const auto [key, value] = parse_assignment(text, "--set", "group=16");
    const std::int64_t number = parameter_value(key, value, machine);
    if (!given.emplace(key, number).second) reject("--set: '{}' was given twice; give it once", key);
  }
  add_parameter_flags(arguments, given);
  return given;
}

Job with_parameters(const Arguments& arguments, Job job) {
  if (arguments.has("--set")) reject("--set needs --algorithm; 'muster algorithms' lists them");
  add_parameter_flags(arguments, job.given);
  check_given(job);
  return job;
}

std::string settings_text(const Arguments& arguments) {
  Values all = arguments.values("--param");
  all.insert(all.end(), arguments.values("--set").begin(), arguments.values("--set").end());
  return all.empty() ? "" : fmt::format("with {}", fmt::join(all, ", "));
}

std::map<std::string, std::string> program_parameters(const Arguments& arguments) {
  std::map<std::string, std::string> parameters;
  for (const auto& [name, value] : parameters_of(arguments)) parameters[name] = std::to_string(value);
  return parameters;
}

std::uint64_t seed_of(const Arguments& arguments) {
  if (!arguments.has("--seed")) return 1;
  return static_cast<std::uint64_t>(parse_number(arguments.text("--seed"), {.flag = "--seed", .example = "1"}));
}

}  // namespace muster
