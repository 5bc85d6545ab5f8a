#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/json_report.h"
#include "report/report_fixtures.h"

namespace muster {
namespace {

TEST(JsonSensitivity, HasAllRankings) {
  const auto json = nlohmann::json::parse(json_report(two_settings()));
  EXPECT_EQ(json["asked"], "star");
  EXPECT_TRUE(json["rows"][0]["parameter"].is_null());
  EXPECT_EQ(json["rows"][1]["value"], "8");
  EXPECT_EQ(json["rows"][1]["best"], "tree");
  EXPECT_EQ(json["rows"][1]["asked_cycles"], 150);
  EXPECT_DOUBLE_EQ(json["rows"][1]["ratio"].get<double>(), 1.5);
  EXPECT_EQ(json["rows"][0]["ranking"].size(), 3U);
  EXPECT_EQ(json["left_out"][0]["algorithm"], "chain");
}

TEST(JsonSensitivity, SaysHowTheRootWasChosen) {
  SensitivityAnswer answer = two_settings();
  EXPECT_TRUE(nlohmann::json::parse(json_report(answer))["roots_tried"].is_null());
  answer.question.roots_tried = {{3, "(3,0)", "star", Cycles(90), true}, {0, "(0,0)", "star", Cycles(100), false}};
  const auto json = nlohmann::json::parse(json_report(answer));
  ASSERT_EQ(json["roots_tried"].size(), 2U);
  EXPECT_EQ(json["roots_tried"][0]["root"], 3);
  EXPECT_EQ(json["roots_tried"][1]["simulated"], false);
}

}  // namespace
}  // namespace muster
