// One ranking per value, dealt to all cores; each is that of plan() on a machine with one value changed.
#include "study/sensitivity.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/parallel.h"
#include "base/saturating.h"
#include "plan/job.h"
#include "plan/ranking.h"

namespace muster {

namespace {

constexpr std::int64_t kHops = 8'000'000;  // per simulation: there are some twenty rankings
constexpr std::int64_t kHopeless = 10;     // times the best prediction

std::string cycles_value(std::int64_t cycles) { return fmt::format("{} cycle{}", cycles, cycles == 1 ? "" : "s"); }

TimingParameter in_cycles(const char* key, Cycles Mesh::*member, std::string (*current)(const Mesh&),
                          const std::vector<std::int64_t>& values) {
  TimingParameter parameter{.key = key, .current = current, .values = {}};
  for (const std::int64_t value : values) {
    parameter.values.push_back({cycles_value(value), [=](Mesh& mesh) { mesh.*member = Cycles(value); }});
  }
  return parameter;
}

TimingParameter in_slots(const char* key, std::int32_t Mesh::*member, std::string (*current)(const Mesh&),
                         const std::vector<std::int32_t>& values) {
  TimingParameter parameter{.key = key, .current = current, .values = {}};
  for (const std::int32_t value : values) {
    parameter.values.push_back({std::to_string(value), [=](Mesh& mesh) { mesh.*member = value; }});
  }
  return parameter;
}

TimingParameter arbitration() {
  TimingParameter parameter{.key = "link.arbitration",
                            .current = [](const Mesh& mesh) { return arbitration_name(mesh.arbitration); },
                            .values = {}};
  for (const Arbitration one : {Arbitration::lowest_color, Arbitration::highest_color, Arbitration::round_robin}) {
    parameter.values.push_back({arbitration_name(one), [=](Mesh& mesh) { mesh.arbitration = one; }});
  }
  return parameter;
}

}  // namespace

const std::vector<TimingParameter>& timing_parameters() {
  static const std::vector<TimingParameter> all{
      in_cycles("ramp.latency", &Mesh::ramp_latency,
                [](const Mesh& mesh) { return cycles_value(mesh.ramp_latency.value()); }, {1, 2, 4, 7}),
      in_slots("ramp.queue", &Mesh::ramp_queue, [](const Mesh& mesh) { return std::to_string(mesh.ramp_queue); },
               {1, 2, 4, 8}),
      in_slots("router.buffer", &Mesh::router_buffer,
               [](const Mesh& mesh) { return std::to_string(mesh.router_buffer); }, {1, 2, 4, 8}),
      in_cycles("processor.operation_start", &Mesh::operation_start,
                [](const Mesh& mesh) { return cycles_value(mesh.operation_start.value()); }, {0, 4, 16, 64}),
      in_cycles("processor.receive_gap", &Mesh::receive_gap,
                [](const Mesh& mesh) { return cycles_value(mesh.receive_gap.value()); }, {0, 4, 16, 64}),
      arbitration(),
  };
  return all;
}

namespace {

/// One machine to rank the algorithms on.
struct Variant {
  std::string parameter;
  std::string value;
  Machine machine;
};

std::vector<Variant> variants_of(const Machine& machine) {
  std::vector<Variant> all{{"", "", machine}};
  for (const TimingParameter& parameter : timing_parameters()) {
    for (const TimingParameter::Value& value : parameter.values) {
      if (value.text == parameter.current(*machine.mesh())) continue;
      Variant variant{parameter.key, value.text, machine};
      value.set(std::get<Mesh>(variant.machine.network));
      all.push_back(std::move(variant));
    }
  }
  return all;
}

class Rankings {
 public:
  Rankings(const SensitivityRequest& request, const RunFunction& run) : request_(request), run_(run) {}

  /// Every algorithm on one machine; `names`: only these, if there are any. 0 threads: as many as the machine has.
  std::vector<Entry> of(const Machine& machine, const std::vector<std::string>& names,
                        std::vector<SkippedAnswer>& skipped, unsigned threads) const {
    Job job = request_.job;
    job.machine = machine;
    job.progress = nullptr;
    job.hop_budget = std::min(job.hop_budget, kHops);
    job.both_budgets = true;  // what holds for one setting has to hold for all, and some need the cycle engine
    Candidates candidates = candidates_for(request_of(job));
    if (candidates.offered.empty()) return {};
    const std::int64_t limit = saturating_product(kHopeless, candidates.offered.front().predicted.value());
    std::erase_if(candidates.offered, [&](const Candidate& one) {
      const std::string& name = one.choice.algorithm->name;
      if (!names.empty()) return std::find(names.begin(), names.end(), name) == names.end();
      const bool hopeless = name != request_.algorithm && one.predicted.value() > limit;
      if (hopeless) {
        skipped.push_back(
            {name, fmt::format("is predicted to take more than {} times as long as the best", kHopeless)});
      }
      return hopeless;
    });
    for (Candidate& one : candidates.offered) {
      if (one.choice.algorithm->name != request_.algorithm) continue;
      one.choice = choose(job, request_.algorithm, request_.given);
      one.predicted = one.choice.algorithm->cost(request_of(job), one.choice.parameters);
    }
    sort_by_prediction(candidates.offered);
    candidates.skipped.clear();  // they do not support the shape, whatever its timing
    std::vector<Entry> entries = ranked_entries(job, candidates, run_, {.threads = threads, .simulate_all = true});
    for (SkippedAnswer& one : candidates.skipped) skipped.push_back(std::move(one));
    return entries;
  }

 private:
  const SensitivityRequest& request_;
  const RunFunction& run_;
};

SensitivityRow row_of(const Job& job, const Variant& variant, const std::vector<Entry>& entries,
                      const std::string& asked) {
  SensitivityRow row{.parameter = variant.parameter, .value = variant.value, .ranking = {}, .asked = std::nullopt};
  for (const Entry& entry : entries) {
    if (!entry.timed()) continue;
    if (entry.name() == asked) row.asked = row.ranking.size();
    row.ranking.push_back(candidate_answer(job, entry));
  }
  return row;
}

/// The algorithms that were simulated; why the others were not goes to the answer.
std::vector<std::string> simulated_names(const std::vector<Entry>& entries, SensitivityAnswer& answer) {
  std::vector<std::string> names;
  for (const Entry& entry : entries) {
    if (entry.timed()) names.push_back(entry.name());
    if (!entry.timed()) answer.left_out.push_back({entry.name(), entry.note});
    answer.failed = answer.failed || entry.failed();
  }
  return names;
}

void add_row(const Job& job, const Variant& variant, const std::vector<Entry>& entries, SensitivityAnswer& answer) {
  answer.rows.push_back(row_of(job, variant, entries, answer.asked));
  for (const Entry& entry : entries) {
    if (entry.timed() || variant.parameter.empty()) continue;
    answer.failed = answer.failed || entry.failed();
    answer.left_out.push_back(
        {entry.name(), fmt::format("with {} = {}: {}", variant.parameter, variant.value, entry.note)});
  }
}

void check_request(const SensitivityRequest& request) {
  const Job& job = request.job;
  check_job(job);
  if (job.machine.mesh() == nullptr) {
    reject("--sensitivity: {} is a {}; its timing parameters are those of a mesh", job.machine.name,
           family_name(job.machine));
  }
  if (!request.algorithm.empty()) (void)choose(job, request.algorithm, request.given);
}

}  // namespace

SensitivityAnswer sensitivity(const SensitivityRequest& request, const RunFunction& run) {
  check_request(request);
  const Job& job = request.job;
  const Rankings rankings(request, run);
  SensitivityAnswer answer{.question = question_of(job), .asked = request.algorithm, .rows = {}, .left_out = {}};

  const std::vector<Variant> variants = variants_of(job.machine);
  std::vector<std::vector<Entry>> entries(variants.size());
  entries[0] = rankings.of(job.machine, {}, answer.left_out, request.threads);
  const std::vector<std::string> names = simulated_names(entries[0], answer);
  if (names.empty()) {
    reject("--sensitivity: nothing can be simulated within {} hops each; use a smaller grid or a shorter vector",
           grouped(std::min(job.hop_budget, kHops)));
  }
  if (answer.asked.empty()) answer.asked = names.front();
  const auto rank = [&](std::size_t index) {
    std::vector<SkippedAnswer> ignored;                                                // as with the file's values
    entries[index + 1] = rankings.of(variants[index + 1].machine, names, ignored, 1);  // all cores have one already
  };
  for_each_index(variants.size() - 1, rank, {.threads = request.threads, .progress = request.progress});
  for (std::size_t i = 0; i < variants.size(); ++i) add_row(job, variants[i], entries[i], answer);
  return answer;
}

}  // namespace muster
