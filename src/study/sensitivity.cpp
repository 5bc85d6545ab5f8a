// One ranking per value, dealt to all cores; each is that of plan() on a machine with one value changed.
#include "study/sensitivity.h"

#include <algorithm>
#include <utility>

#include "base/counted.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/saturating.h"
#include "machine/timing_keys.h"
#include "plan/job.h"
#include "plan/ranking.h"

namespace muster {

namespace {

constexpr std::int64_t kHops = 8'000'000;  // per simulation: there are some twenty rankings
constexpr std::int64_t kHopeless = 10;     // times the best prediction

/// One machine to rank the algorithms on.
struct Variant {
  std::string parameter;
  std::string value;
  Machine machine;
};

std::vector<Variant> variants_of(const Machine& machine) {
  std::vector<Variant> all{{"", "", machine}};
  for (const TimingKey& key : timing_keys(machine)) {
    for (const TimingKey::Value& value : key.values) all.push_back({key.key, value.text, value.machine});
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
    // The same candidates must be simulated for all settings, and some settings may need the cycle engine.
    job.both_budgets = simulator_for(machine, {}).may_fall_back();
    Candidates candidates = candidates_for(request_of(job), job.given);
    if (candidates.offered.empty()) return {};
    const std::int64_t limit = saturating_product(kHopeless, candidates.offered.front().predicted.value());
    std::erase_if(candidates.offered, [&](const Candidate& candidate) {
      const std::string& name = candidate.choice.algorithm->name;
      if (!names.empty()) return std::find(names.begin(), names.end(), name) == names.end();
      const bool hopeless = name != request_.algorithm && candidate.predicted.value() > limit;
      if (hopeless) {
        skipped.push_back({name, fmt::format("predicted to take more than {} times as long as the best", kHopeless)});
      }
      return hopeless;
    });
    for (Candidate& candidate : candidates.offered) {
      if (candidate.choice.algorithm->name != request_.algorithm) continue;
      candidate.choice = choose(job, request_.algorithm, request_.given);
      candidate.predicted = candidate.choice.algorithm->cost(request_of(job), candidate.choice.parameters);
    }
    sort_by_prediction(candidates.offered);
    candidates.skipped.clear();  // they do not support the shape, whatever its timing
    std::vector<Entry> entries = ranked_entries(job, candidates, run_, {.threads = threads, .simulate_all = true});
    for (SkippedAnswer& skipped_answer : candidates.skipped) skipped.push_back(std::move(skipped_answer));
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
  require_plans(job.machine);
  if (timing_keys(job.machine).empty()) {
    reject("--sensitivity: {} is a {}, and no timing parameters are varied for that yet; leave it out",
           job.machine.name, family_name(job.machine));
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
    std::vector<SkippedAnswer> ignored;  // the same as for the values of the file
    entries[index + 1] =
        rankings.of(variants[index + 1].machine, names, ignored, 1);  // every core already has a ranking
  };
  for_each_index(variants.size() - 1, rank, {.threads = request.threads, .progress = request.progress});
  for (std::size_t i = 0; i < variants.size(); ++i) add_row(job, variants[i], entries[i], answer);
  return answer;
}

}  // namespace muster
