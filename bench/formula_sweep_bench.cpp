// The cycle engine against the paper's formulas for every row of 2 to 64 processors and every vector of 1 to 256 words:
// message, flood, chain and star must agree within 4 cycles; tree and two-phase are compared with the model that ranks
// them. Data is compared with the reference on a stated sample. All cores work.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "base/text_table.h"
#include "machine/mesh.h"
#include "schedule/builder.h"
#include "wafer_case.h"

namespace muster {
namespace {

constexpr std::int32_t kMostProcessors = 64;
constexpr std::int64_t kMostWords = 256;
constexpr std::int64_t kTolerance = 4;    ///< cycles
constexpr std::int64_t kDataSample = 17;  ///< the data of every 17th size is compared: prime, so that all P and B occur

/// One message from the last processor of a row to the first.
WaferCase message_case(const Machine& wafer, const WaferSize& size) {
  const NodeId last = size.width - 1;
  ScheduleBuilder b({.nodes = size.width, .count = size.count});
  const SpanId all = b.span({0, size.count});
  const StreamId stream = b.stream(last, 0, all);
  b.step(last, all).own(Buffer::input).store(Buffer::output).push(stream);
  b.step(0, all).take(stream).store(Buffer::output);
  b.contract({.collective = Collective::broadcast, .ranks = {last, 0}, .root = 0, .count = size.count});
  return {.machine = with_grid(wafer, size.width, 1), .schedule = std::move(b).finish(), .predicted = {}};
}

/// A pattern, and what it is compared with.
struct Subject {
  std::string name;
  std::string formula;  ///< as the paper writes it; empty: the algorithm's own prediction
  std::function<WaferCase(const WaferSize&)> make;
  std::function<std::int64_t(std::int64_t p, std::int64_t b)> expected;
};

/// The slowest first, so that no core works alone for long at the end.
std::vector<Subject> subjects(const Machine& wafer) {
  const std::int64_t ramps = 2 * as<Mesh>(wafer)->ramp_latency.value();
  const auto algorithm = [&wafer](Collective collective, const std::string& name) {
    return [&wafer, collective, name](const WaferSize& size) { return make_case(wafer, collective, name, size); };
  };
  const auto one_way = [=](std::int64_t p, std::int64_t b) { return b + p + ramps; };
  const auto star = [=](std::int64_t p, std::int64_t b) { return b * (p - 1) + ramps + 1; };
  const auto chain = [=](std::int64_t p, std::int64_t b) { return b + (ramps + 2) * (p - 1); };
  const auto message = [&wafer](const WaferSize& size) { return message_case(wafer, size); };
  return {{"star", "B (P - 1) + 2 T_R + 1", algorithm(Collective::reduce, "star"), star},
          {"tree", "", algorithm(Collective::reduce, "tree"), {}},
          {"two-phase", "", algorithm(Collective::reduce, "two-phase"), {}},
          {"chain", "B + (2 T_R + 2)(P - 1)", algorithm(Collective::reduce, "chain"), chain},
          {"flood", "B + P + 2 T_R", algorithm(Collective::broadcast, "flood"), one_way},
          {"message", "B + P + 2 T_R", message, one_way}};
}

/// What the sizes of one subject came to. Differences are simulation - formula.
struct Tally {
  struct Size {
    std::int64_t difference = 0;
    std::int32_t processors = 0;
    std::int64_t words = 0;
    [[nodiscard]] std::int64_t order() const { return processors * kMostWords + words; }
  };
  std::int64_t sizes = 0;
  std::int64_t equal = 0;
  std::int64_t data_compared = 0;
  Size least, most;
  double sum_simulated = 0;
  double sum_expected = 0;
  double sum_relative = 0;  ///< of |difference| / simulation
  double most_relative = 0;
  std::string trouble;

  /// Of equal differences the one at the smallest size is shown, whichever core found it.
  void widen(const Size& low, const Size& high) {
    const auto rank = [](const Size& size, int sign) { return std::pair(sign * size.difference, size.order()); };
    if (sizes == 0 || rank(low, 1) < rank(least, 1)) least = low;
    if (sizes == 0 || rank(high, -1) < rank(most, -1)) most = high;
  }
  void add(const Size& size, std::int64_t simulated) {
    widen(size, size);
    ++sizes;
    equal += size.difference == 0 ? 1 : 0;
    const double relative = std::abs(static_cast<double>(size.difference)) / static_cast<double>(simulated);
    sum_simulated += static_cast<double>(simulated);
    sum_expected += static_cast<double>(simulated - size.difference);
    sum_relative += relative;
    most_relative = std::max(most_relative, relative);
  }
  void add(const Tally& other) {
    if (trouble.empty()) trouble = other.trouble;
    if (other.sizes == 0) return;
    widen(other.least, other.most);
    sizes += other.sizes;
    equal += other.equal;
    data_compared += other.data_compared;
    sum_simulated += other.sum_simulated;
    sum_expected += other.sum_expected;
    sum_relative += other.sum_relative;
    most_relative = std::max(most_relative, other.most_relative);
  }
  [[nodiscard]] std::int64_t largest_difference() const { return std::max(-least.difference, most.difference); }
};

void run_size(const Simulator& simulator, const Subject& subject, const WaferSize& size, Tally& tally) {
  const WaferCase wafer_case = subject.make(size);
  const Result result = simulator.simulate(*lowered(wafer_case), {.seed = kBenchSeed, .engine = Engine::cycle});
  const bool in_sample = (size.width * kMostWords + size.count) % kDataSample == 0;
  std::optional<std::string> wrong;
  if (result.fault || in_sample) wrong = wrong_data(wafer_case, result);
  if (in_sample) ++tally.data_compared;
  if (wrong && tally.trouble.empty()) tally.trouble = fmt::format("P = {}, B = {}: {}", size.width, size.count, *wrong);
  if (!result.cycles) return;
  const std::int64_t simulated = result.cycles->value();
  const std::int64_t expected =
      subject.expected ? subject.expected(size.width, size.count) : wafer_case.predicted.value();
  tally.add({.difference = simulated - expected, .processors = size.width, .words = size.count}, simulated);
}

/// All sizes of all subjects, dealt to the cores one at a time.
std::vector<Tally> sweep(const Simulator& simulator, const std::vector<Subject>& all, unsigned cores) {
  constexpr std::int64_t kSizes = (kMostProcessors - 1) * kMostWords;
  const std::int64_t jobs = kSizes * static_cast<std::int64_t>(all.size());
  std::vector<Tally> tallies(all.size());
  std::mutex tallies_mutex;
  std::atomic<std::int64_t> next{0}, finished{0};
  const auto work = [&] {
    std::vector<Tally> own(all.size());
    for (std::int64_t job = next++; job < jobs; job = next++, ++finished) {
      const auto s = static_cast<std::size_t>(job / kSizes);
      const std::int64_t size = kSizes - 1 - job % kSizes;
      const WaferSize wafer_size{.width = static_cast<std::int32_t>(2 + size / kMostWords),
                                 .count = 1 + size % kMostWords};
      run_size(simulator, all[s], wafer_size, own[s]);
    }
    const std::lock_guard lock(tallies_mutex);
    for (std::size_t s = 0; s < all.size(); ++s) tallies[s].add(own[s]);
  };
  std::vector<std::jthread> workers;
  for (unsigned i = 0; i < cores; ++i) workers.emplace_back(work);
  ProgressLine progress(fmt::format("{} simulations", jobs));
  while (finished < jobs) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    progress.show(static_cast<double>(finished) / static_cast<double>(jobs));
  }
  workers.clear();  // waits for them
  return tallies;
}

std::string verdict(const Subject& subject, const Tally& tally) {
  if (!tally.trouble.empty()) return "WRONG: " + tally.trouble;
  if (subject.formula.empty()) return "a model, no tolerance";
  if (tally.largest_difference() <= kTolerance) return fmt::format("within {} cycles", kTolerance);
  return fmt::format("DIFFERS by more than {} cycles", kTolerance);
}

std::string size_text(const Tally::Size& size) {
  return fmt::format("{:+} (P {}, B {})", size.difference, size.processors, size.words);
}

/// The paper's exact formulas.
std::string formula_table(const std::vector<Subject>& all, const std::vector<Tally>& tallies) {
  const auto right = TextTable::Align::right;
  TextTable table({{"pattern"},
                   {"formula"},
                   {"sizes", right},
                   {"equal", right},
                   {"least difference", right},
                   {"most", right},
                   {"data compared", right},
                   {"verdict"}});
  for (std::size_t s = 0; s < all.size(); ++s) {
    const Tally& t = tallies[s];
    if (all[s].formula.empty()) continue;
    table.add({all[s].name, all[s].formula, fmt::format("{}", t.sizes), fmt::format("{}", t.equal), size_text(t.least),
               size_text(t.most), fmt::format("{}", t.data_compared), verdict(all[s], t)});
  }
  return table.text();
}

/// The model's predictions.
std::string model_table(const std::vector<Subject>& all, const std::vector<Tally>& tallies) {
  const auto right = TextTable::Align::right;
  TextTable table({{"pattern"},
                   {"mean model", right},
                   {"simulation", right},
                   {"equal", right},
                   {"least difference", right},
                   {"most", right},
                   {"mean error", right},
                   {"largest", right},
                   {"data compared", right},
                   {"verdict"}});
  for (std::size_t s = 0; s < all.size(); ++s) {
    const Tally& t = tallies[s];
    if (!all[s].formula.empty()) continue;
    const double sizes = std::max(1.0, static_cast<double>(t.sizes));
    table.add({all[s].name, fmt::format("{:.1f}", t.sum_expected / sizes),
               fmt::format("{:.1f}", t.sum_simulated / sizes), fmt::format("{}", t.equal), size_text(t.least),
               size_text(t.most), fmt::format("{:.1f} %", 100 * t.sum_relative / sizes),
               fmt::format("{:.1f} %", 100 * t.most_relative), fmt::format("{}", t.data_compared), verdict(all[s], t)});
  }
  return table.text();
}

}  // namespace

/// Whether the formulas hold for all sizes.
bool run_formula_sweep_bench() {
  const auto start = std::chrono::steady_clock::now();
  const Machine wafer = shipped_wafer();
  const Simulator& simulator = simulator_for(wafer, {.engine = Engine::cycle});
  const std::vector<Subject> all = subjects(wafer);
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  const std::vector<Tally> tallies = sweep(simulator, all, cores);
  fmt::print("simulation - formula in cycles, all 2 <= P <= {}, 1 <= B <= {}; {:.1f} s on {} cores\n", kMostProcessors,
             kMostWords, seconds_since(start), cores);
  fmt::print("the data of every {}th size is compared with the reference\n\n{}\n{}", kDataSample,
             formula_table(all, tallies), model_table(all, tallies));
  bool right = true;
  for (std::size_t s = 0; s < all.size(); ++s) {
    const bool exact = !all[s].formula.empty();
    right &= tallies[s].trouble.empty() && tallies[s].sizes == (kMostProcessors - 1) * kMostWords;
    right &= !exact || tallies[s].largest_difference() <= kTolerance;
  }
  return right;
}

}  // namespace muster

int main() { return muster::run_formula_sweep_bench() ? EXIT_SUCCESS : EXIT_FAILURE; }
