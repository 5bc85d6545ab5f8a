// Whole plans: every reduce for a row of 512 processors, made, proven, lowered, simulated and compared with the
// reference, and the plan that wins explained. Each time is also given as a ratio to that of one word in the same turn.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

#include "base/text_table.h"
#include "machine/mesh.h"
#include "plan/plan.h"
#include "study/plan.h"
#include "wafer_case.h"

namespace muster {
namespace {

constexpr std::int32_t kRow = 512;
constexpr int kTurns = 3;

struct Bench {
  std::int64_t count = 0;
  PlanAnswer answer;
  std::string trouble;
  std::array<double, kTurns> seconds{};
};

std::int64_t cycles_of(const CandidateAnswer& candidate) {
  return candidate.simulated_cycles.value_or(Cycles(-1)).value();
}

/// What is wrong with a plan. A candidate without a time says why: it has more hops than the budget.
std::string trouble_with(const PlanAnswer& answer) {
  if (!answer.verified) return "the winner is not verified";
  if (!answer.result_correct) return "the winner's data is wrong";
  std::int64_t before = 0;
  for (const CandidateAnswer& candidate : answer.candidates) {
    if (!candidate.simulated_cycles && candidate.note.find("more than the budget") == std::string::npos) {
      return candidate.algorithm + ": " + candidate.note;
    }
    if (!candidate.simulated_cycles) continue;
    if (cycles_of(candidate) < before) return "the ranking is out of order at " + candidate.algorithm;
    if (!answer.bounds.empty() && *candidate.simulated_cycles < *answer.bounds.front().cycles) {
      return candidate.algorithm + " beats the lower bound";
    }
    before = cycles_of(candidate);
  }
  return before == 0 ? "nothing was simulated" : "";
}

double measure(const Machine& wafer, Bench& bench) {
  const Job job{.machine = with_grid(wafer, kRow, 1), .collective = Collective::reduce, .count = bench.count};
  const auto start = std::chrono::steady_clock::now();
  bench.answer = plan(job);
  const double seconds = seconds_since(start);
  if (bench.trouble.empty()) bench.trouble = trouble_with(bench.answer);
  return seconds;
}

std::string row_text(std::array<double, kTurns> values, int digits) {
  std::sort(values.begin(), values.end());
  return fmt::format("{1:.{0}f} ({2:.{0}f} to {3:.{0}f})", digits, values[kTurns / 2], values.front(), values.back());
}

std::string table_of(const std::vector<Bench>& benches) {
  const auto right = TextTable::Align::right;
  TextTable table({{"words", right},
                   {"seconds", right},
                   {"of one word's", right},
                   {"candidates", right},
                   {"simulated", right},
                   {"winner"},
                   {"cycles", right},
                   {"answer"}});
  for (const Bench& b : benches) {
    std::array<double, kTurns> ratios{};
    for (std::size_t t = 0; t < kTurns; ++t) ratios[t] = b.seconds[t] / benches.front().seconds[t];
    const auto& candidates = b.answer.candidates;
    const auto simulated = std::count_if(candidates.begin(), candidates.end(), [](const CandidateAnswer& candidate) {
      return candidate.simulated_cycles.has_value();
    });
    table.add({fmt::format("{}", b.count), row_text(b.seconds, 3), row_text(ratios, 1),
               fmt::format("{}", candidates.size()), fmt::format("{}", simulated), candidates.front().algorithm,
               fmt::format("{}", cycles_of(candidates.front())),
               b.trouble.empty() ? "verified, data as expected" : "WRONG: " + b.trouble});
  }
  return table.text();
}

}  // namespace

/// Whether all plans are right.
bool run_plan_bench() {
  const Machine wafer = shipped_wafer();
  std::vector<Bench> benches;
  for (const std::int64_t count : {1, 16, 256, 4096}) benches.push_back({.count = count});
  for (std::size_t turn = 0; turn < kTurns; ++turn) {
    for (Bench& bench : benches) bench.seconds[turn] = measure(wafer, bench);
  }
  fmt::print("plan() of a reduce over {}x1; the middle of {} turns and their spread\n{}", kRow, kTurns,
             table_of(benches));
  return std::all_of(benches.begin(), benches.end(), [](const Bench& bench) { return bench.trouble.empty(); });
}

}  // namespace muster

int main() { return muster::run_plan_bench() ? EXIT_SUCCESS : EXIT_FAILURE; }
