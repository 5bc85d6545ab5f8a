// The network-on-chip against silicon: every row of the vendor's measurements that was measured, simulated flit by flit. Prints the error
// per pattern; with an argument, only rows up to that many flit-hops are run (default 6e6, a minute; 1e12 runs all, for hours), and
// with a second one the error of every row is printed. Fails if the mean error is 5% or more, or that of a pattern 12% or more.
#include <cmath>
#include <cstdlib>
#include <map>

#include "backend/torus/silicon_test_support.h"

namespace muster::torus {
namespace {

struct Errors {
  std::int64_t rows = 0;
  double sum = 0;
  double signed_sum = 0;
  double worst = 0;
  void add(double error) {
    ++rows;
    sum += std::abs(error);
    signed_sum += error;
    worst = std::max(worst, std::abs(error));
  }
  void print(const std::string& name) const {
    const double n = static_cast<double>(std::max<std::int64_t>(rows, 1));
    fmt::print("{:38} {:5} rows, mean error {:5.1f}%, bias {:+5.1f}%, worst {:5.1f}%\n", name, rows, 100 * sum / n,
               100 * signed_sum / n, 100 * worst);
  }
};

bool compare(double budget, bool is_verbose) {
  const Torus torus = measured_chip();
  std::map<std::string, Errors> patterns;
  Errors all;
  std::int64_t filled_in = 0;
  std::int64_t too_long = 0;
  for (const SiliconRow& row : silicon_rows()) {
    if (row.is_filled_in) {
      ++filled_in;
      continue;
    }
    const SiliconTraffic traffic = traffic_of(row, torus);
    if (work_of(traffic, torus) > budget) {
      ++too_long;
      continue;
    }
    const double simulated = simulated_cycles(traffic, torus);
    const double error = simulated / row.cycles - 1;
    patterns[row.series()].add(error);
    all.add(error);
    if (is_verbose) {
      fmt::print("{},{},{},{},{},{},{},{},{:.1f}%\n", row.series(), row.transactions, row.subordinates, row.same_axis,
                 row.stateful, row.loopback, row.bytes, row.cycles, 100 * error);
    }
  }
  bool is_good = all.sum / static_cast<double>(all.rows) < 0.05;
  for (const auto& [name, errors] : patterns) {
    errors.print(name);
    is_good &= errors.sum / static_cast<double>(errors.rows) < 0.12;
  }
  all.print("all");
  fmt::print("left out: {} rows that were filled in, {} beyond the budget\n", filled_in, too_long);
  return is_good;
}

}  // namespace
}  // namespace muster::torus

int main(int argc, char** argv) {
  const double budget = argc > 1 ? std::atof(argv[1]) : 6e6;
  return muster::torus::compare(budget, argc > 2) ? EXIT_SUCCESS : EXIT_FAILURE;
}
