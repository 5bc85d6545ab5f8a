// The two engines of the wafer: hops per second of the cycle engine, how many times faster the stream engine is, with
// results compared, and how many random reduction trees the stream engine hands over.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "backend/wafer/test_schedules.h"
#include "backend/wafer/wafer.h"
#include "base/random.h"
#include "base/text_table.h"

namespace muster::wafer {
namespace {

constexpr double kLeastSeconds = 0.1;  ///< of a measurement: short simulations are repeated

struct Timed {
  Result result;
  double seconds = 0;  ///< of the processor, per simulation
};

template <class Simulate>
Timed measure(Simulate simulate) {
  Timed timed;
  const std::clock_t start = std::clock();
  int runs = 0;
  do {
    timed.result = simulate();
    ++runs;
    timed.seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  } while (timed.seconds < kLeastSeconds);
  timed.seconds /= runs;
  return timed;
}

bool same(const Result& a, const Result& b) {
  return !a.fault && !b.fault && a.cycles == b.cycles && a.node_times == b.node_times && a.hops == b.hops;
}

/// Parents are chosen at random among those of the path to the PE before.
test::Tree random_tree(std::int32_t size, Random& random) {
  test::Tree tree{0};
  std::vector<std::int32_t> path{0};
  for (std::int32_t x = 1; x < size; ++x) {
    path.resize(1 + random.below(path.size()));
    tree.push_back(path.back());
    path.push_back(x);
  }
  return tree;
}

bool compare_shapes() {
  constexpr std::int32_t kRow = 512;
  const auto right = TextTable::Align::right;
  TextTable table({{"tree on 512"},
                   {"words", right},
                   {"cycles", right},
                   {"cycle engine, M hops/s", right},
                   {"stream engine, ms", right},
                   {"times faster", right},
                   {"engine"},
                   {"results"}});
  bool fine = true;
  const std::vector<std::pair<std::string, test::Tree>> shapes{{"star", test::star_tree(kRow)},
                                                               {"chain", test::chain_tree(kRow)},
                                                               {"tree", test::binary_tree(kRow)},
                                                               {"two-phase", test::two_phase_tree(kRow, 23)}};
  for (const auto& [name, tree] : shapes) {
    for (const std::int64_t words : {16, 256, 1024}) {
      if (name == "star" && words > 16) continue;  // the cycle engine would take a minute
      const auto program = lower(test::reduce_row(tree, words), test::wafer(kRow), {}).value();
      const Timed cycle = measure([&] { return simulate(*program, {}); });
      const Timed stream = measure([&] { return simulate_streams(*program, {}); });
      const bool equal = same(cycle.result, stream.result);
      fine &= equal;
      table.add({name, fmt::format("{}", words), fmt::format("{}", cycle.result.cycles->value()),
                 fmt::format("{:.1f}", static_cast<double>(cycle.result.hops) / cycle.seconds / 1e6),
                 fmt::format("{:.2f}", 1e3 * stream.seconds), fmt::format("{:.1f}", cycle.seconds / stream.seconds),
                 stream.result.engine, equal ? "equal" : "DIFFERENT"});
    }
  }
  fmt::print("{}", table.text());
  return fine;
}

bool count_random_trees() {
  constexpr int kTrees = 400;
  Random random(3);
  int handed_over = 0;
  bool fine = true;
  for (int i = 0; i < kTrees; ++i) {
    const auto size = static_cast<std::int32_t>(2 + random.below(62));
    const auto words = static_cast<std::int64_t>(1 + random.below(128));
    const auto program = lower(test::reduce_row(random_tree(size, random), words), test::wafer(size), {}).value();
    const Result stream = simulate_streams(*program, {});
    handed_over += stream.engine == "stream" ? 0 : 1;
    fine &= same(simulate(*program, {}), stream);
  }
  fmt::print("\nof {} random trees of up to 64 PEs and 128 words, {} were handed to the cycle engine; results {}\n",
             kTrees, handed_over, fine ? "equal" : "DIFFERENT");
  return fine;
}

}  // namespace

bool run_engines_bench() {
  const bool shapes = compare_shapes();
  return count_random_trees() && shapes;
}

}  // namespace muster::wafer

int main() { return muster::wafer::run_engines_bench() ? EXIT_SUCCESS : EXIT_FAILURE; }
