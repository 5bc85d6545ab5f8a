#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/json_report.h"
#include "report/report_fixtures.h"

namespace muster {
namespace {

TEST(SweepReport, IsJsonWithTheSizesInOrder) {
  const auto json = nlohmann::json::parse(json_report(small_sweep()));
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["simulated"], true);
  EXPECT_EQ(json["algorithms"].size(), 3U);
  ASSERT_EQ(json["sizes"].size(), 1U);
  const auto& size = json["sizes"][0];
  EXPECT_EQ(size["grid"], (std::vector<int>{8, 1}));
  EXPECT_EQ(size["best"], "chain");
  EXPECT_EQ(size["bounds"][0]["cycles"], 100);
  EXPECT_EQ(size["candidates"][1]["simulated_cycles"], nullptr);
  EXPECT_EQ(size["skipped"][0]["algorithm"], "snake");
}

}  // namespace
}  // namespace muster
