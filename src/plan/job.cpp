// Jobs: whether one makes sense, and how it reads to the algorithms and in answers.
#include "plan/job.h"

#include <algorithm>
#include <vector>

#include "base/counted.h"
#include "base/error.h"
#include "base/index.h"
#include "base/saturating.h"
#include "collective/bounds/bound.h"
#include "collective/grid/beyond_formulas.h"
#include "collective/switches/groups.h"
#include "machine/families.h"
#include "machine/routing.h"
#include "schedule/in_place.h"

namespace muster {

namespace {

constexpr std::int64_t kUnlimited = std::int64_t{1} << 40;

void check_root(const Job& job) {
  const NodeId ranks = rank_count(job.machine);
  if (job.root < 0 || job.root >= ranks) {
    reject("root: {} is not a rank of {} ({}); use 0 to {}", job.root, job.machine.name, shape_text(job.machine),
           ranks - 1);
  }
}

void check_count(const Job& job) {
  if (job.count < 1) reject("count: {} is not a vector; use 1 or more elements", job.count);
  const std::int64_t most = largest_count(job);
  if (job.count <= most && words_of(job) <= words_for(job.arithmetic.type, most)) return;
  const Mesh* mesh = job.machine.mesh();
  if (mesh == nullptr) reject("count: {} elements are too many; use at most {}", job.count, most);
  if (most < 1) {
    reject("memory: the {} of a PE of {} hold no vector beside a program; use more", to_text(mesh->memory),
           job.machine.name);
  }
  reject("count: {} elements of {} do not fit {} into the {} of a PE of {}, beside its program; use at most {}",
         grouped(job.count), type_name(job.arithmetic.type),
         treats_elements_alike(job.collective) ? "even once" : "twice (input and output)", to_text(mesh->memory),
         job.machine.name, grouped(most));
}

/// At least one color must be left: every collective of several PEs sends something.
void check_reserved(const Job& job) {
  if (job.reserved_channels < 0) reject("reserved channels: {} is negative; use 0 or more", job.reserved_channels);
  const Mesh* mesh = job.machine.mesh();
  if (mesh == nullptr || rank_count(job.machine) == 1) return;
  const auto library = std::count_if(mesh->reserved_colors.begin(), mesh->reserved_colors.end(),
                                     [&](std::int32_t color) { return color < mesh->colors; });
  const std::int64_t usable = mesh->colors - library;
  if (job.reserved_channels < usable) return;
  reject("reserved colors: {} leave none of the {} of {} ({} belong to the host library); reserve at most {}",
         job.reserved_channels, mesh->colors, job.machine.name, library, usable - 1);
}

/// No algorithm can answer for groups that make no sense, and there are no bounds of them.
void check_groups(const Job& job) {
  const auto groups = groups_of(request_of(job));
  if (!groups) reject("group: {} {}", collective_name(job.collective), groups.reason());
}

/// What is simulated element by element, or wavelet by wavelet, can be asked for more than phases can.
void check_cluster_job(const Job& job) {
  if (job.calls > 1) reject("calls: {} calls back to back are not simulated on a cluster yet; use 1", job.calls);
  if (job.engine == Engine::automatic) return;
  reject("engine: {} has one simulator, which follows phases; leave it out", job.machine.name);
}

}  // namespace

void check_job(const Job& job) {
  check_root(job);
  check_count(job);
  check_reserved(job);
  if (job.reserved_channels > 0 && job.machine.mesh() == nullptr) {
    reject("reserved colors: {} has no colors; leave it out", job.machine.name);
  }
  if (job.machine.cluster() != nullptr) check_cluster_job(job);
  if (job.machine.hyperx() != nullptr) check_groups(job);
  if (job.calls < 1) reject("calls: {} is not a number of calls; use 1 or more", job.calls);
}

namespace {

/// The largest vector of which a processor's memory holds `copies`.
std::int64_t largest_count(const Job& job, std::int64_t copies) {
  const Mesh* mesh = job.machine.mesh();
  if (mesh == nullptr) return kUnlimited;
  const auto backend = backend_for(job.machine);
  const std::int64_t program = backend ? backend.value()->program_memory().value() : 0;
  const std::int64_t free = std::max<std::int64_t>(0, mesh->memory.value() - program);
  return free / (copies * static_cast<std::int64_t>(sizeof(Word))) * elements_per_word(job.arithmetic.type);
}

}  // namespace

std::int64_t largest_count(const Job& job) { return largest_count(job, treats_elements_alike(job.collective) ? 1 : 2); }

bool works_in_place(const Job& job) {
  return treats_elements_alike(job.collective) && job.count > largest_count(job, 2);
}

Schedule make_schedule(const Job& job, const Algorithm& algorithm, const Parameters& parameters) {
  Schedule schedule = algorithm.make(request_of(job), parameters);
  schedule.made_for = family_and_shape(job.machine);
  if (works_in_place(job)) return in_place(std::move(schedule));
  return schedule;
}

bool pads_blocks(const Job& job) {
  const std::int64_t ranks = rank_count(job.machine);
  return job.collective == Collective::all_to_all && job.count % ranks == 0 &&
         job.count / ranks % elements_per_word(job.arithmetic.type) != 0;
}

std::int64_t words_of(const Job& job) {
  if (!pads_blocks(job)) return words_for(job.arithmetic.type, job.count);
  const std::int64_t ranks = rank_count(job.machine);
  return saturating_product(ranks, words_for(job.arithmetic.type, job.count / ranks));
}

Request request_of(const Job& job) {
  // Blocks of an all-to-all may end with padding.
  const bool pads = job.collective == Collective::all_to_all;
  return {.machine = job.machine,
          .collective = job.collective,
          .count = words_of(job),
          .root = job.root,
          .groups = job.groups,
          .user_count = UserCount{.count = job.count,
                                  .block_unit = pads ? 1 : elements_per_word(job.arithmetic.type),
                                  .unit = "elements"},
          .vector_per_node = job.vector_per_node};
}

namespace {

std::vector<std::int64_t> shape_of(const Machine& machine) {
  if (const Mesh* mesh = machine.mesh()) return {mesh->width, mesh->height};
  if (const Torus* torus = machine.torus()) return {torus->width, torus->height};
  if (const HyperX* hyperx = machine.hyperx()) return {hyperx_nodes(*hyperx)};
  std::vector<std::int64_t> sizes;
  for (const Cluster::Dimension& dimension : machine.cluster()->dimensions) sizes.push_back(dimension.size);
  return sizes;
}

AsymmetryAnswer asymmetry_answer(const Asymmetry& asymmetry) {
  AsymmetryAnswer answer{.jitter = asymmetry.jitter, .arrival_order = asymmetry.order == SendOrder::arrival};
  answer.slow = {asymmetry.slow.begin(), asymmetry.slow.end()};
  answer.late = {asymmetry.late.begin(), asymmetry.late.end()};
  for (const SlowLink& link : asymmetry.slow_links) answer.slow_links.push_back({link.a, link.b, link.factor});
  return answer;
}

/// Whether --nodes would give the machine its shape.
bool has_even_shape(Machine machine) {
  auto& hyperx = std::get<HyperX>(machine.network);
  const std::vector<std::int32_t> shape = hyperx.shape;
  const std::int64_t nodes = hyperx_nodes(hyperx);
  hyperx.failed_nodes.clear();  // they are numbered for this shape
  hyperx.failed_links.clear();
  return with_nodes(std::move(machine), nodes).hyperx()->shape == shape;
}

/// What is asked of a hyperx alone.
void add_hyperx(const Job& job, Question& question) {
  const HyperX* const hyperx = job.machine.hyperx();
  if (hyperx == nullptr) return;
  question.node_shape = {hyperx->shape.begin(), hyperx->shape.end()};
  question.is_even = has_even_shape(job.machine);
  question.vectors = job.vector_per_node ? "node" : "core";
  for (const std::vector<std::int32_t>& group : job.groups) question.groups.emplace_back(group.begin(), group.end());
}

}  // namespace

Question question_of(const Job& job) {
  const std::string type(type_name(job.arithmetic.type));
  const std::string op(operator_name(job.arithmetic.op));
  Question question{.machine = job.machine.name,
                    .family = family_name(job.machine),
                    .collective = std::string(collective_name(job.collective)),
                    .shape = shape_of(job.machine),
                    .count = job.count,
                    .type = job.collective == Collective::barrier ? "" : type,
                    .op = combines(job.collective) ? op : "",
                    .root = has_root(job.collective) ? std::optional<std::int64_t>(job.root) : std::nullopt,
                    .roots_tried = job.roots_tried,
                    .in_place = works_in_place(job)};
  add_hyperx(job, question);
  if (job.asymmetry) question.asymmetry = asymmetry_answer(*job.asymmetry);
  return question;
}

std::vector<BoundAnswer> bounds_of(const Job& job) {
  std::vector<BoundAnswer> answers;
  for (const Bound& bound : lower_bounds(request_of(job))) {
    answers.push_back({.name = bound.name,
                       .proves = bound.proves,
                       .cycles = shown_cycles(job.machine, bound.cycles),
                       .seconds = seconds_of(job.machine, bound.cycles),
                       .for_pipeline = bound.for_pipeline});
  }
  return answers;
}

std::shared_ptr<const Backend> require_backend(const Machine& machine) {
  auto backend = backend_for(machine);
  if (backend) return std::move(backend).value();
  std::vector<std::string> families;
  for (const Algorithm& one : algorithms()) {
    if (std::find(families.begin(), families.end(), one.family) == families.end()) families.push_back(one.family);
  }
  reject("machine '{}' is a {}; plans exist for: {}", machine.name, family_name(machine), fmt::join(families, ", "));
}

std::optional<Cycles> shown_cycles(const Machine& machine, std::optional<Cycles> cycles) {
  return has_clock(machine) ? cycles : std::nullopt;
}

Seconds seconds_of(const Machine& machine, Cycles cycles) {
  if (const Mesh* mesh = machine.mesh()) return to_seconds(cycles, mesh->clock);
  if (const Torus* torus = machine.torus()) return to_seconds(cycles, torus->clock);
  return Seconds(static_cast<double>(cycles.value()) / kPicosecondsPerSecond);
}

ParameterValues shown_parameters(const Algorithm& algorithm, const Parameters& parameters) {
  ParameterValues shown(parameters.begin(), parameters.end());
  for (const ParameterSpec& spec : algorithm.parameters) {
    if (spec.names.empty()) continue;
    ParameterValue& value = shown.at(spec.name);
    value.name = spec.names[at(value.number)];
  }
  return shown;
}

Parameters parameters_behind(const ParameterValues& shown) {
  Parameters parameters;
  for (const auto& [name, value] : shown) parameters[name] = value.number;
  return parameters;
}

void tell(const Job& job, const std::string& what) {
  if (job.progress) job.progress(what);
}

std::string remark_on_predictions(const Machine& machine) {
  const Mesh* mesh = machine.mesh();
  if (mesh == nullptr || !is_beyond_formulas(*mesh)) return "";
  std::vector<std::string> beyond;
  if (mesh->operation_start.value() > 0) beyond.emplace_back("processor.operation_start");
  if (mesh->receive_gap.value() > 0) beyond.emplace_back("processor.receive_gap");
  if (mesh->router_buffer < 2) beyond.emplace_back("router.buffer = 1");
  return fmt::format("predicted by the steps of the schedules: the formulas leave out {}", fmt::join(beyond, ", "));
}

}  // namespace muster
