// Jobs: whether one makes sense, and how it reads to the algorithms and in answers.
#include "plan/job.h"

#include <algorithm>
#include <vector>

#include "base/counted.h"
#include "base/error.h"
#include "base/index.h"
#include "base/saturating.h"
#include "collective/bounds/bound.h"
#include "machine/family.h"
#include "machine/routing.h"
#include "result/time_base.h"
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

void check_type(const Job& job) {
  const std::string_view type = type_name(job.arithmetic.type);
  const auto types = job.machine.family().types();
  if (std::find(types.begin(), types.end(), type) != types.end()) return;
  reject("type: {} does not compute with {}; use one of {}", job.machine.name, type, fmt::join(types, ", "));
}

void check_count(const Job& job) {
  if (job.count < 1) reject("count: {} is too small; use 1 or more elements", job.count);
  const std::int64_t most = largest_count(job);
  if (job.count <= most && words_of(job) <= words_for(job.arithmetic.type, most)) return;
  const Family& family = job.machine.family();
  const std::optional<Bytes> memory = family.memory_per_rank(job.machine.network);
  if (!memory) reject("count: {} elements are too many; use at most {}", grouped(job.count), grouped(most));
  const std::string_view rank = family.words().rank;
  if (most < 1) {
    reject("memory: the {} of a {} of {} leave no space for a vector; use a machine with more memory", to_text(*memory),
           rank, job.machine.name);
  }
  const bool needs_more = can_lower(job.machine) && lowering_for(job.machine).vectors_beside() > 0;
  reject(
      "count: {} elements of {} do not fit {} into the {} of a {} of {} together with the program{}; use at most {} "
      "elements",
      grouped(job.count), type_name(job.arithmetic.type),
      treats_elements_alike(job.collective) ? "even once" : "twice (input and output)", to_text(*memory), rank,
      job.machine.name, needs_more ? " and as much memory for what arrives" : "", grouped(most));
}

/// Not every family simulates calls back to back, or has several engines.
void check_simulation(const Job& job) {
  if (!simulators_for(job.machine).empty()) (void)simulator_of(job);
}

}  // namespace

void check_job(const Job& job) {
  if (job.collective == Collective::stencil) {
    reject("collective: a stencil is asked for by --app stencil; 'muster verify FILE' proves a schedule with one");
  }
  check_root(job);
  check_type(job);
  check_count(job);
  job.machine.family().check_options(job.machine, job.options);
  if (const auto reason = unfit_request(request_of(job))) reject("{}", *reason);
  check_simulation(job);
  if (job.calls < 1) reject("calls: {} is too small; use 1 or more", job.calls);
}

namespace {

/// The largest vector of which a processor's memory holds `copies`.
std::int64_t largest_count(const Job& job, std::int64_t copies) {
  const std::optional<Bytes> memory = job.machine.family().memory_per_rank(job.machine.network);
  if (!memory) return kUnlimited;
  std::int64_t program = 0;
  if (can_lower(job.machine)) {
    program = lowering_for(job.machine).program_memory().value();
    copies += lowering_for(job.machine).vectors_beside();
  }
  const std::int64_t free = std::max<std::int64_t>(0, memory->value() - program);
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
          .options = job.options,
          .user_count = UserCount{
              .count = job.count, .block_unit = pads ? 1 : elements_per_word(job.arithmetic.type), .unit = "elements"}};
}

namespace {

/// Every key that some family has; null where this one says nothing.
std::vector<Fact> facts_of(std::vector<Fact> own) {
  std::vector<Fact> all;
  const auto add = [](std::vector<Fact>& facts, Fact fact) {
    const auto same = [&](const Fact& other) { return other.key == fact.key; };
    if (std::none_of(facts.begin(), facts.end(), same)) facts.push_back(std::move(fact));
  };
  for (const Family* const family : families()) {
    for (const std::string_view key : family->fact_keys()) {
      const auto found = std::find_if(own.begin(), own.end(), [&](const Fact& fact) { return fact.key == key; });
      add(all, found == own.end() ? Fact{.key = std::string(key), .value = {}} : *found);
    }
  }
  return all;
}

}  // namespace

ShapeAnswer shape_answer(const Machine& machine) {
  const Family& family = machine.family();
  const FamilyWords words = family.words();
  const std::string text = family.shape_flag_text(machine.network);
  return {.sizes = family.shape(machine.network),
          .text = text,
          .with_unit = fmt::format("{} {}{}", text, words.shape_unit, text == "1" ? "" : "s"),
          .key = std::string(words.shape_key),
          .title = std::string(words.shape_title),
          .is_number = words.shape_is_number};
}

Question question_of(const Job& job) {
  const Family& family = job.machine.family();
  const std::string type(type_name(job.arithmetic.type));
  const std::string op(operator_name(job.arithmetic.op));
  Question question{.machine = job.machine.name,
                    .collective = std::string(collective_name(job.collective)),
                    .shape = shape_answer(job.machine),
                    .count = job.count,
                    .type = job.collective == Collective::barrier ? "" : type,
                    .op = combines(job.collective) ? op : "",
                    .roots_tried = job.roots_tried,
                    .in_place = works_in_place(job),
                    .has_clock = time_base_of(job.machine).is_clock,
                    .channel = std::string(family.words().channel)};
  if (has_root(job.collective)) {
    question.root = job.root;
    question.root_text = family.rank_text(job.machine.network, job.root);
  }
  question.of_family = family.facts(job.machine, job.options);
  question.of_family.facts = facts_of(std::move(question.of_family.facts));
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

void require_plans(const Machine& machine) { (void)lowering_for(machine); }

SimulateOptions simulate_options(const Job& job) {
  SimulateOptions options{.calls = job.calls, .seed = job.seed};
  options.engine = job.engine;
  options.threads = job.threads;
  options.timeline = job.timeline;
  options.options = job.options;
  return options;
}

const Simulator& simulator_of(const Job& job) { return simulator_for(job.machine, simulate_options(job)); }

std::optional<Cycles> shown_cycles(const Machine& machine, std::optional<Ticks> ticks) {
  return shown_cycles(ticks, time_base_of(machine));
}

Seconds seconds_of(const Machine& machine, Ticks ticks) { return to_seconds(ticks, time_base_of(machine)); }

TimeBase time_base_of(const Machine& machine) { return machine.family().time_base(machine.network); }

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

}  // namespace muster
