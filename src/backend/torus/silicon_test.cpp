// The simulator against silicon, on the rows that take no time. bench/torus_silicon_bench runs the others.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "backend/torus/silicon_test_support.h"

namespace muster::torus {
namespace {

TEST(Silicon, ShortRowsAreMet) {
  constexpr double kBudget = 20'000;
  const Torus torus = measured_chip();
  std::map<std::string, std::vector<double>> errors;
  for (const SiliconRow& row : silicon_rows()) {
    if (row.is_filled_in) continue;
    const SiliconTraffic traffic = traffic_of(row, torus);
    if (work_of(traffic, torus) > kBudget) continue;
    const double error = std::abs(simulated_cycles(traffic, torus) / row.cycles - 1);
    errors[row.series()].push_back(error);
    errors["all"].push_back(error);
  }
  const auto mean = [](const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
  };
  EXPECT_GT(errors["all"].size(), 700U);
  EXPECT_LT(mean(errors["all"]), 0.04);
  for (const auto& [series, values] : errors) EXPECT_LT(mean(values), 0.12) << series;
}

TEST(Silicon, RowsThatRepeatTheTimeOfHalfTheirSizeWereNotMeasured) {
  std::map<std::string, int> filled_in;
  for (const SiliconRow& row : silicon_rows()) filled_in[row.series()] += static_cast<int>(row.is_filled_in);
  EXPECT_EQ(filled_in["one_to_one unicast l1"], 0);
  EXPECT_EQ(filled_in["all_to_all unicast l1"], 0);
  EXPECT_EQ(filled_in["one_to_one unicast dram_sharded"], 4 * 3 + 4);
}

}  // namespace
}  // namespace muster::torus
