// The speed of the wafer's cycle engine, in hops of data wavelets per second: reduces over a row of 512 processors and
// a flood over 64x64. Data is compared with the reference interpreter and cycles with the exact formulas. All cases
// are measured three times, in turns; each rate is also given as a ratio to that of a star in the same turn, and without
// what a simulation takes before its first cycle and after its last one. The last ratio is the time that passes with one thread
// over that with two, which must give the same answer.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "base/text_table.h"
#include "machine/mesh.h"
#include "wafer_case.h"

namespace muster {
namespace {

constexpr int kTurns = 3;
constexpr double kLeastSeconds = 0.15;  ///< of a measurement: short simulations are repeated

struct Subject {
  Collective collective = Collective::reduce;
  std::string algorithm;
  WaferSize size;
  std::int64_t exact = 0;  ///< cycles by the exact formula; 0: there is none
};

/// One subject, ready to run, and what was measured.
struct Bench {
  Subject subject;
  std::unique_ptr<Program> program;
  Result result;
  std::string trouble;  ///< what is wrong with the answer
  std::array<double, kTurns> seconds{};
  std::array<double, kTurns> idle{};         ///< of a simulation that is given up in its first cycle: set-up and result
  std::array<double, kTurns> two_threads{};  ///< the time that passes with one thread over that with two
  [[nodiscard]] double rate(int turn) const {
    return static_cast<double>(result.hops) / seconds[static_cast<std::size_t>(turn)];
  }
  [[nodiscard]] double idle_share(int turn) const {
    return idle[static_cast<std::size_t>(turn)] / seconds[static_cast<std::size_t>(turn)];
  }
  /// Of the cycles alone.
  [[nodiscard]] double moving_rate(int turn) const { return rate(turn) / (1 - idle_share(turn)); }
};

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct Range {
  double least = 0;
  double middle = 0;
  double most = 0;
};

template <class Value>
Range over_turns(Value value) {
  std::array<double, kTurns> all{};
  for (int turn = 0; turn < kTurns; ++turn) all[static_cast<std::size_t>(turn)] = value(turn);
  std::sort(all.begin(), all.end());
  return {.least = all.front(), .middle = all[kTurns / 2], .most = all.back()};
}

/// The first one is the baseline.
std::vector<Subject> subjects(const Mesh& mesh) {
  constexpr std::int32_t kRow = 512, kSide = 64;
  const std::int64_t ramps = 2 * mesh.ramp_latency.value();
  std::vector<Subject> all;
  for (const std::int64_t b : {64, 8, 1}) {
    all.push_back({Collective::reduce, "star", {kRow, 1, b}, b * (kRow - 1) + ramps + 1});
  }
  for (const std::int64_t b : {16, 256, 4096}) {
    all.push_back({Collective::reduce, "chain", {kRow, 1, b}, b + (ramps + 2) * (kRow - 1) - 1});
  }
  for (const std::string name : {"tree", "two-phase"}) {
    for (const std::int64_t b : {16, 256, 4096}) all.push_back({Collective::reduce, name, {kRow, 1, b}, 0});
  }
  for (const std::int64_t b : {16, 256, 1024}) {
    all.push_back({Collective::broadcast, "flood", {kSide, kSide, b}, b + 2 * (kSide - 1) + ramps});
  }
  return all;
}

/// Lowers the subject and checks the answer of a first simulation, which is not timed.
Bench prepare(const Simulator& simulator, const Machine& wafer, const Subject& subject) {
  const WaferCase wafer_case = make_case(wafer, subject.collective, subject.algorithm, subject.size);
  Bench bench{.subject = subject, .program = lowered(wafer_case)};
  bench.result = simulator.simulate(*bench.program, {.seed = kBenchSeed, .engine = Engine::cycle});
  bench.trouble = wrong_data(wafer_case, bench.result).value_or("");
  const std::int64_t cycles = bench.result.cycles.value_or(Cycles(-1)).value();
  if (bench.trouble.empty() && subject.exact > 0 && cycles != subject.exact) {
    bench.trouble = fmt::format("{} cycles, {} by the exact formula", cycles, subject.exact);
  }
  bench.result.outputs.clear();
  return bench;
}

/// Processor time per call: what else runs on the machine does not count.
template <class Call>
double seconds_of(Call call) {
  const double start = processor_seconds();
  int calls = 0;
  double seconds = 0;
  do {
    call();
    ++calls;
    seconds = processor_seconds() - start;
  } while (seconds < kLeastSeconds);
  return seconds / calls;
}

/// The least time that passes in some calls.
template <class Call>
double passing_seconds(Call call) {
  double least = 0;
  for (int i = 0; i < kTurns; ++i) {
    const auto start = std::chrono::steady_clock::now();
    call();
    const double seconds = seconds_since(start);
    least = i == 0 ? seconds : std::min(least, seconds);
  }
  return least;
}

void measure_threads(const Simulator& simulator, Bench& bench, std::size_t turn) {
  const auto seconds_with = [&](int threads) {
    return passing_seconds([&] {
      const Result again =
          simulator.simulate(*bench.program, {.seed = kBenchSeed, .engine = Engine::cycle, .threads = threads});
      if (again.node_times != bench.result.node_times || again.hops != bench.result.hops) {
        bench.trouble = fmt::format("runs differ with {} threads", threads);
      }
    });
  };
  const double one = seconds_with(1);
  bench.two_threads[turn] = one / seconds_with(2);
}

void measure(const Simulator& simulator, Bench& bench, std::size_t turn) {
  bench.seconds[turn] = seconds_of([&] {
    const Result again = simulator.simulate(*bench.program, {.seed = kBenchSeed, .engine = Engine::cycle});
    if (again.cycles != bench.result.cycles || again.hops != bench.result.hops) bench.trouble = "runs differ";
  });
  bench.idle[turn] = seconds_of([&] {
    const Result none =
        simulator.simulate(*bench.program, {.seed = kBenchSeed, .give_up = Cycles(0), .engine = Engine::cycle});
    if (!none.fault) bench.trouble = "did not give up";
  });
  measure_threads(simulator, bench, turn);
}

std::string table_of(const std::vector<Bench>& benches) {
  const auto right = TextTable::Align::right;
  TextTable table({{"algorithm"},
                   {"grid", right},
                   {"words", right},
                   {"cycles", right},
                   {"hops", right},
                   {"seconds", right},
                   {"M hops/s", right},
                   {"least to most", right},
                   {"of the star's", right},
                   {"least to most", right},
                   {"set-up", right},
                   {"without it", right},
                   {"1 over 2 threads", right},
                   {"least to most", right},
                   {"answer"}});
  for (const Bench& b : benches) {
    const auto& [collective, name, size, exact] = b.subject;
    const Range seconds = over_turns([&](int t) { return b.seconds[static_cast<std::size_t>(t)]; });
    const Range rate = over_turns([&](int t) { return b.rate(t) / 1e6; });
    const Range ratio = over_turns([&](int t) { return b.rate(t) / benches.front().rate(t); });
    const Range idle = over_turns([&](int t) { return 100 * b.idle_share(t); });
    const Range moving = over_turns([&](int t) { return b.moving_rate(t) / 1e6; });
    const Range threads = over_turns([&](int t) { return b.two_threads[static_cast<std::size_t>(t)]; });
    const std::string fine = exact > 0 ? "data and cycles as expected" : "data as expected";
    table.add({name, fmt::format("{}x{}", size.width, size.height), fmt::format("{}", size.count),
               fmt::format("{}", b.result.cycles.value_or(Cycles(-1)).value()), fmt::format("{}", b.result.hops),
               fmt::format("{:.5f}", seconds.middle), fmt::format("{:.1f}", rate.middle),
               fmt::format("{:.1f} to {:.1f}", rate.least, rate.most), fmt::format("{:.2f}", ratio.middle),
               fmt::format("{:.2f} to {:.2f}", ratio.least, ratio.most), fmt::format("{:.0f}%", idle.middle),
               fmt::format("{:.1f}", moving.middle), fmt::format("{:.2f}", threads.middle),
               fmt::format("{:.2f} to {:.2f}", threads.least, threads.most),
               b.trouble.empty() ? fine : "WRONG: " + b.trouble});
  }
  return table.text();
}

}  // namespace

/// Whether all answers are right.
bool run_simulate_bench() {
  const Machine wafer = shipped_wafer();
  const Simulator& simulator = simulator_for(wafer, {.engine = Engine::cycle});
  std::vector<Bench> benches;
  for (const Subject& subject : subjects(*as<Mesh>(wafer))) benches.push_back(prepare(simulator, wafer, subject));
  for (std::size_t turn = 0; turn < kTurns; ++turn) {
    for (Bench& bench : benches) measure(simulator, bench, turn);
  }
  fmt::print("the cycle engine, in processor time; the middle of {} turns, the star of {} words is the baseline\n{}",
             kTurns, benches.front().subject.size.count, table_of(benches));
  return std::all_of(benches.begin(), benches.end(), [](const Bench& bench) { return bench.trouble.empty(); });
}

}  // namespace muster

int main() { return muster::run_simulate_bench() ? EXIT_SUCCESS : EXIT_FAILURE; }
