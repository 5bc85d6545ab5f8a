// Machine, shape, collective, vector: each flag is read by one small function, and job_of puts them together.
#include "cli/question.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/error.h"
#include "base/index.h"
#include "base/one_line.h"
#include "base/saturating.h"
#include "cli/asymmetry.h"
#include "cli/numbers.h"
#include "cli/ranges.h"
#include "machine/families.h"
#include "machine/routing.h"
#include "plan/candidates.h"
#include "plan/job.h"

namespace muster {
namespace {

/// More elements than any machine holds; keeps products of sizes far from overflow.
constexpr std::int64_t kMostElements = 1'000'000'000'000;

const std::string& need(const Values& values, const Arguments& arguments, const char* flag, const char* example) {
  if (values.empty()) reject("{} needs {}; use e.g. {} {}", arguments.subcommand, flag, flag, example);
  return values[0];
}

Overrides overrides_of(const Arguments& arguments) {
  Overrides overrides;
  for (const std::string& text : arguments.param) {
    const auto [key, value] = parse_assignment(text, "--param", "ramp.latency='7 cycles'");
    if (!overrides.emplace(key, value).second) reject("--param: '{}' was given twice; give it once", key);
  }
  return overrides;
}

Machine with_hyperx_shape(Machine machine, const Arguments& arguments) {
  if (arguments.shape.empty()) return machine;
  if (machine.hyperx() == nullptr) {
    reject("--shape: {} is a {}; --shape is for a hyperx", machine.name, family_name(machine));
  }
  std::vector<std::int32_t> shape = parse_shape(arguments.shape[0]);
  std::int64_t nodes = 1;
  for (const std::int32_t size : shape) nodes = saturating_product(nodes, size);
  if (!arguments.nodes.empty() && arguments.nodes[0] != std::to_string(nodes)) {
    reject("--shape: {} has {} nodes, not {} as --nodes says; give one of the two", arguments.shape[0], nodes,
           arguments.nodes[0]);
  }
  std::erase(shape, 1);  // a dimension of one node is none
  return muster::with_shape(std::move(machine), shape);
}

/// The nodes of each --group.
std::vector<std::vector<std::int32_t>> groups_of(const Arguments& arguments, const Machine& machine) {
  std::vector<std::vector<std::int32_t>> groups;
  for (const std::string& text : arguments.group) {
    if (machine.hyperx() == nullptr) {
      reject("--group: {} is a {}; --group is for a hyperx", machine.name, family_name(machine));
    }
    const std::int64_t nodes = hyperx_nodes(*machine.hyperx());
    const NumberRule rule{.flag = "--group", .least = 0, .most = nodes - 1, .example = "0:3,8"};
    auto& group = groups.emplace_back();
    for (const std::int64_t node : parse_numbers(text, rule)) group.push_back(static_cast<std::int32_t>(node));
  }
  return groups;
}

Machine with_shape(Machine machine, const Arguments& arguments) {
  const std::string family = family_name(machine);
  if (!arguments.nodes.empty()) {
    if (machine.hyperx() == nullptr) reject("--nodes: {} is a {}; --nodes is for a hyperx", machine.name, family);
    const NumberRule rule{.flag = "--nodes", .least = 1, .most = 1'000'000, .example = "16"};
    if (arguments.shape.empty()) machine = with_nodes(std::move(machine), parse_number(arguments.nodes[0], rule));
  }
  machine = with_hyperx_shape(std::move(machine), arguments);
  if (!arguments.grid.empty()) {
    if (machine.mesh() == nullptr) reject("--grid: {} is a {}; --grid is for a mesh", machine.name, family);
    const NumberRule rule{.flag = "--grid", .least = 1, .most = INT32_MAX, .example = "512x1"};
    const auto [width, height] = parse_pair(arguments.grid[0], 'x', rule);
    return with_grid(std::move(machine), static_cast<std::int32_t>(width), static_cast<std::int32_t>(height));
  }
  if (const Mesh* mesh = machine.mesh()) {
    reject("{} needs --grid on {}; use e.g. --grid 512x1 (at most {}x{})", arguments.subcommand, machine.name,
           mesh->max_width, mesh->max_height);
  }
  return machine;
}

/// The rank in the column and row of "X,Y".
NodeId rank_at(const std::string& text, const Machine& machine, const NumberRule& rule) {
  const Mesh* const mesh = machine.mesh();
  if (mesh == nullptr) {
    reject("{}: {} has no columns and rows; give a rank from 0 to {}", rule.flag, machine.name,
           rank_count(machine) - 1);
  }
  const auto [x, y] = parse_pair(text, ',', rule);
  if (x >= mesh->width || y >= mesh->height) {
    reject("{}: ({},{}) is outside the grid {}; at most {},{}", rule.flag, x, y, shape_text(machine), mesh->width - 1,
           mesh->height - 1);
  }
  return static_cast<NodeId>(y * mesh->width + x);
}

NodeId root_of(const Arguments& arguments, const Machine& machine) {
  if (arguments.root.empty() || is_free_root(arguments)) return 0;
  const std::string& text = arguments.root[0];
  const NodeId ranks = rank_count(machine);
  if (text.find(',') == std::string::npos) {
    const NumberRule rule{.flag = "--root", .least = 0, .most = ranks - 1, .example = "0"};
    return static_cast<NodeId>(parse_number(text, rule));
  }
  return rank_at(text, machine, {.flag = "--root", .least = 0, .most = INT32_MAX, .example = "0,0"});
}

Arithmetic arithmetic_of(const Arguments& arguments) {
  Arithmetic arithmetic;
  if (!arguments.type.empty()) {
    const auto type = type_from_name(arguments.type[0]);
    if (!type) reject("--type: unknown type '{}'; {}", arguments.type[0], suggest(arguments.type[0], type_names()));
    arithmetic.type = *type;
  }
  if (!arguments.op.empty()) {
    const auto op = operator_from_name(arguments.op[0]);
    if (!op) reject("--op: unknown operator '{}'; {}", arguments.op[0], suggest(arguments.op[0], operator_names()));
    arithmetic.op = *op;
  }
  return arithmetic;
}

std::int64_t count_from_bytes(const std::string& text, ElementType type) {
  const Outcome<Bytes> bytes = parse_bytes(text);
  if (!bytes) reject("--bytes: {}", bytes.reason());
  const std::int64_t size = size_of(type).value();
  const std::int64_t value = bytes.value().value();
  if (value < size) reject("--bytes: '{}' holds no {}; at least {}", text, type_name(type), size);
  if (value % size != 0) {
    const std::int64_t below = value / size * size;
    reject("--bytes: '{}' is no multiple of {}, the size of an {}; the nearest are {} and {}", text, size,
           type_name(type), below, below + size);
  }
  if (value / size > kMostElements) reject("--bytes: '{}' is too large; at most {}", text, kMostElements * size);
  return value / size;
}

std::int64_t count_of(const Arguments& arguments, Collective collective, ElementType type) {
  const bool given = !arguments.count.empty() || !arguments.bytes.empty();
  if (collective == Collective::barrier) {
    if (given) reject("a barrier carries no vector; leave out --count and --bytes");
    return 1;
  }
  if (!arguments.count.empty() && !arguments.bytes.empty()) reject("--count and --bytes say the same thing; give one");
  if (!given) reject("{} needs the size of the vector; use e.g. --count 256 or --bytes '1 KiB'", arguments.subcommand);
  if (!arguments.bytes.empty()) return count_from_bytes(arguments.bytes[0], type);
  return parse_number(arguments.count[0], {.flag = "--count", .least = 1, .most = kMostElements, .example = "256"});
}

int small_number(const Values& values, const char* flag, int least, int most, int otherwise) {
  if (values.empty()) return otherwise;
  const NumberRule rule{.flag = flag, .least = least, .most = most, .example = std::to_string(least + 1)};
  return static_cast<int>(parse_number(values[0], rule));
}

/// The parts of a job that do not depend on where its schedule comes from.
Job common_job(const Arguments& arguments, Machine machine) {
  Job job;
  job.machine = std::move(machine);
  job.arithmetic = arithmetic_of(arguments);
  job.reserved_channels = small_number(arguments.reserve_colors, "--reserve-colors", 0, 1000, 0);
  job.calls = small_number(arguments.calls, "--calls", 1, 1000, 1);
  job.seed = seed_of(arguments);
  job.asymmetry = asymmetry_of(arguments, job.machine);
  return job;
}

/// A flag that changes nothing was meant to change something.
void reject_unused(const Arguments& arguments, const Job& job) {
  const Question question = question_of(job);
  const std::string& name = question.collective;
  if (question.type.empty() && !arguments.type.empty()) reject("--type: a {} carries no vector; leave it out", name);
  if (question.op.empty() && !arguments.op.empty()) reject("--op: {} combines nothing; leave it out", name);
  if (!question.root && !arguments.root.empty()) reject("--root: {} has no root; leave it out", name);
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
    if (arguments.quiet || folder == data || std::filesystem::is_directory(folder, error)) continue;
    fmt::print(stderr, "muster: MUSTER_PATH: {} is no folder; nothing is looked up there\n", one_line(folder.string()));
  }
  return path;
}

void mention_shadowed(const FoundMachine& found, const Arguments& arguments) {
  if (arguments.quiet) return;
  for (const auto& other : found.shadowed) {
    fmt::print(stderr, "muster: reads {}; it hides {}\n", found.file.string(), other.string());
  }
}

std::vector<std::int32_t> parse_shape(const std::string& text) {
  const NumberRule rule{.flag = "--shape", .least = 1, .most = 1'000'000, .example = "4x4"};
  std::vector<std::int32_t> shape;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find('x', start), text.size());
    shape.push_back(static_cast<std::int32_t>(parse_number(text.substr(start, end - start), rule)));
    start = end + 1;
  }
  return shape;
}

bool has_vector_per_node(const Arguments& arguments, const Machine& machine) {
  if (arguments.vectors.empty()) return false;
  if (machine.hyperx() == nullptr) {
    reject("--vectors: {} is a {}; --vectors is for a hyperx", machine.name, family_name(machine));
  }
  const std::vector<std::string> known{"core", "node"};
  const std::string& asked = arguments.vectors[0];
  if (std::find(known.begin(), known.end(), asked) == known.end()) {
    reject("--vectors: unknown owner '{}'; {}", asked, suggest(asked, known));
  }
  return asked == "node";
}

Machine whole_machine_of(const Arguments& arguments) {
  const std::string& name = need(arguments.machine, arguments, "--machine", "wse2");
  const FoundMachine found = find_machine(machine_path_of(arguments), name);
  mention_shadowed(found, arguments);
  if (arguments.accounting.empty()) return load_machine(found.file, overrides_of(arguments));
  const Machine machine = load_machine(found.file, overrides_of(arguments));
  if (machine.cluster() == nullptr) reject("--accounting: {} is no cluster; leave it out", name);
  const std::vector<std::string> known{"paper", "astra"};
  const std::string& asked = arguments.accounting[0];
  if (std::find(known.begin(), known.end(), asked) == known.end()) {
    reject("--accounting: unknown accounting '{}'; {}", asked, suggest(asked, known));
  }
  if (asked == "astra" && has_reducing_switch(*machine.cluster())) {
    reject("--accounting: ASTRA-sim counts no switches that reduce; use 'paper'");
  }
  Overrides overrides = overrides_of(arguments);
  if (!overrides.emplace("accounting", asked).second) reject("--accounting: --param says it, too; give one");
  return load_machine(found.file, overrides);
}

Machine machine_of(const Arguments& arguments) { return with_shape(whole_machine_of(arguments), arguments); }

std::optional<Collective> collective_of(const Arguments& arguments) {
  if (arguments.collective.empty()) return std::nullopt;
  const std::string& name = arguments.collective[0];
  const auto collective = collective_from_name(name);
  if (!collective) reject("--collective: unknown collective '{}'; {}", name, suggest(name, collective_names()));
  return collective;
}

Job job_of(const Arguments& arguments) {
  need(arguments.machine, arguments, "--machine", "wse2");
  need(arguments.collective, arguments, "--collective", "reduce");
  (void)collective_of(arguments);  // a wrong name is said before the machine is read
  return job_of(arguments, machine_of(arguments));
}

Job job_of(const Arguments& arguments, Machine machine) {
  need(arguments.collective, arguments, "--collective", "reduce");
  const Collective collective = *collective_of(arguments);
  Job job = common_job(arguments, std::move(machine));
  job.collective = collective;
  job.count = count_of(arguments, collective, job.arithmetic.type);
  job.root = root_of(arguments, job.machine);
  job.groups = groups_of(arguments, job.machine);
  job.vector_per_node = has_vector_per_node(arguments, job.machine);
  check_job(job);
  reject_unused(arguments, job);
  if (is_free_root(arguments)) choose_root(arguments, job);
  return job;
}

Job job_of(const Arguments& arguments, const Schedule& schedule) {
  const std::pair<const Values*, const char*> own[] = {
      {&arguments.collective, "--collective"}, {&arguments.count, "--count"},
      {&arguments.bytes, "--bytes"},           {&arguments.root, "--root"},
      {&arguments.algorithm, "--algorithm"},   {&arguments.set, "--set"},
      {&arguments.chunks, "--chunks"},         {&arguments.order, "--order"},
      {&arguments.group, "--group"},           {&arguments.vectors, "--vectors"}};
  for (const auto& [values, flag] : own) {
    if (!values->empty()) {
      reject("{} is already said by the {}; leave it out with {}", flag,
             arguments.registers.empty() ? "schedule" : "registers",
             arguments.registers.empty() ? "--schedule" : "--registers");
    }
  }
  if (schedule.contracts.empty()) reject("the schedule has no contract; add one to 'contracts'");
  const Contract& contract = schedule.contracts[0];
  Job job = common_job(arguments, machine_of(arguments));
  if (!arguments.schedule.empty()) check_made_for(schedule, job.machine, arguments.schedule[0]);
  job.collective = contract.collective;
  job.count = contract.count * elements_per_word(job.arithmetic.type);
  if (contract.root >= 0 && at(contract.root) < contract.ranks.size()) job.root = contract.ranks[at(contract.root)];
  reject_unused(arguments, job);
  return job;
}

namespace {

/// One processor alone has nothing to combine, and its program names no operator.
bool combines_something(const ProgramFacts& facts) { return facts.channels > 0; }

/// What the program's text says already.
void reject_said(const Arguments& arguments, const ProgramFacts& facts, std::int64_t count) {
  if (!arguments.op.empty() && combines_something(facts)) {
    reject("--op is already said by the program; leave it out with --csl");
  }
  const std::pair<const Values*, const char*> own[] = {
      {&arguments.type, "--type"},     {&arguments.bytes, "--bytes"}, {&arguments.algorithm, "--algorithm"},
      {&arguments.chunks, "--chunks"}, {&arguments.order, "--order"}, {&arguments.schedule, "--schedule"}};
  for (const auto& [values, flag] : own) {
    if (!values->empty()) reject("{} is already said by the program; leave it out with --csl", flag);
  }
  const std::string shape = shape_text(facts.machine);
  if (!arguments.grid.empty() && arguments.grid[0] != shape) {
    reject("--grid: the program has {} PEs, not {}; leave it out with --csl", shape, arguments.grid[0]);
  }
  if (!arguments.count.empty() && arguments.count[0] != std::to_string(count)) {
    reject("--count: the program's vector has {} elements{}, not {}; leave it out with --csl", count,
           elements_per_word(facts.arithmetic.type) > 1 ? " with padding" : "", arguments.count[0]);
  }
}

}  // namespace

Job job_of(const Arguments& arguments, const ProgramFacts& facts) {
  need(arguments.collective, arguments, "--collective", "reduce");
  const std::int64_t count = facts.words * elements_per_word(facts.arithmetic.type);
  reject_said(arguments, facts, count);
  if (is_free_root(arguments)) reject("--root: a program has one root; give it with --csl");
  Job job = common_job(arguments, facts.machine);
  const Operator asked = job.arithmetic.op;
  job.arithmetic = facts.arithmetic;
  if (!combines_something(facts)) job.arithmetic.op = asked;
  job.collective = *collective_of(arguments);
  job.count = count;
  job.root = arguments.root.empty() && has_root(job.collective) ? facts.ranks.front() : root_of(arguments, job.machine);
  reject_unused(arguments, job);
  return job;
}

Choice choice_of(const Arguments& arguments, const Job& job) {
  if (arguments.algorithm.empty()) return choose_best(with_parameters(arguments, job));
  return choose(job, arguments.algorithm[0], parameters_of(arguments, &job.machine));
}

namespace {

/// A parameter named root is a rank, and may be given as --root is.
std::int64_t parameter_value(const std::string& key, const std::string& text, const Machine* machine) {
  if (key == "root" && machine != nullptr && text.find(',') != std::string::npos) {
    return rank_at(text, *machine, {.flag = "--set", .least = 0, .most = INT32_MAX, .example = key + "=0,0"});
  }
  if (const auto named = named_value(key, text)) return *named;
  try {
    return parse_number(text, {.flag = "--set " + key, .least = INT64_MIN, .most = INT64_MAX, .example = ""});
  } catch (const InputError&) {
    const std::vector<std::string> names = value_names(key);
    if (!names.empty()) reject("--set {}: unknown value '{}'; {}", key, text, suggest(text, names));
    reject("--set: '{}' is not a whole number; use e.g. --set {}=16", text, key);
  }
}

}  // namespace

namespace {

/// Parameters of a cluster's algorithms that have flags of their own.
void add_cluster_flags(const Arguments& arguments, Parameters& given) {
  const auto add = [&](const char* key, std::int64_t value) {
    if (!given.emplace(key, value).second) reject("--set {}: --{} says it, too; give one", key, key);
  };
  if (!arguments.chunks.empty()) {
    add("chunks",
        parse_number(arguments.chunks[0], {.flag = "--chunks", .least = 1, .most = INT64_MAX, .example = "64"}));
  }
  if (arguments.order.empty()) return;
  const auto found = named_value("order", arguments.order[0]);
  if (!found) {
    reject("--order: unknown order '{}'; {}", arguments.order[0], suggest(arguments.order[0], value_names("order")));
  }
  add("order", *found);
}

}  // namespace

Parameters parameters_of(const Arguments& arguments, const Machine* machine) {
  Parameters given;
  for (const std::string& text : arguments.set) {
    const auto [key, value] = parse_assignment(text, "--set", "group=16");
    const std::int64_t number = parameter_value(key, value, machine);
    if (!given.emplace(key, number).second) reject("--set: '{}' was given twice; give it once", key);
  }
  add_cluster_flags(arguments, given);
  return given;
}

Job with_parameters(const Arguments& arguments, Job job) {
  if (!arguments.set.empty()) reject("--set needs --algorithm; 'muster algorithms' lists them");
  for (const auto& [values, flag] : {std::pair{&arguments.chunks, "--chunks"}, {&arguments.order, "--order"}}) {
    if (values->empty() || job.machine.cluster() != nullptr) continue;
    reject("{}: {} is no cluster; leave it out", flag, job.machine.name);
  }
  add_cluster_flags(arguments, job.given);
  check_given(job);
  return job;
}

std::string settings_text(const Arguments& arguments) {
  Values all = arguments.param;
  all.insert(all.end(), arguments.set.begin(), arguments.set.end());
  return all.empty() ? "" : fmt::format("with {}", fmt::join(all, ", "));
}

std::map<std::string, std::string> program_parameters(const Arguments& arguments) {
  std::map<std::string, std::string> parameters;
  for (const auto& [name, value] : parameters_of(arguments)) parameters[name] = std::to_string(value);
  return parameters;
}

std::uint64_t seed_of(const Arguments& arguments) {
  if (arguments.seed.empty()) return 1;
  return static_cast<std::uint64_t>(parse_number(arguments.seed[0], {.flag = "--seed", .example = "1"}));
}

}  // namespace muster
