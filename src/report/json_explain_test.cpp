#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/json_report.h"
#include "report/report_fixtures.h"

namespace muster {
namespace {

TEST(JsonExplain, HasBothPlansWithTheirPaths) {
  const PlanAnswer plan = small_plan();
  ExplainAnswer answer{.question = plan.question};
  answer.chosen.candidate = plan.candidates[0];
  answer.chosen.path = {{.begin = Cycles(0), .end = Cycles(40), .what = "a message of 1 hop"}};
  answer.chosen.figures = {{"busiest_link", "busiest link", BusyResource{"PE (1,0) to PE (0,0)", 255}},
                           {"waiting_cycles", "waiting", std::nullopt, "", 1}};
  answer.why = "because";
  const auto json = nlohmann::json::parse(json_report(answer));
  EXPECT_EQ(json["chosen"]["algorithm"], "chain");
  EXPECT_EQ(json["chosen"]["path"][0]["end"], 40);
  EXPECT_EQ(json["chosen"]["busiest_link"]["words"], 255);
  EXPECT_EQ(json["chosen"]["waiting_cycles"], nullptr);
  EXPECT_EQ(json["other"], nullptr);
  EXPECT_EQ(json["bound"], nullptr);
  EXPECT_EQ(json["why"], "because");
}

}  // namespace
}  // namespace muster
