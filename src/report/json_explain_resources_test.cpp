#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/json_report.h"
#include "report/text_report.h"

namespace muster {
namespace {

ExplainedPlan plan_of(const std::string& name, double microseconds) {
  ExplainedPlan plan;
  plan.candidate = {.algorithm = name, .parameters = {{"order", {1, "scf"}}}};
  plan.candidate.simulated_seconds = Seconds(microseconds * 1e-6);
  plan.resources = {{.name = "dimension 1",
                     .bytes = Bytes(3000),
                     .busy = Seconds(1e-6),
                     .idle =
                         ExplainedResource::Idle{
                             .before = Seconds(0), .between = Seconds(0), .after = Seconds((microseconds - 1) * 1e-6)}},
                    {.name = "dimension 2",
                     .bytes = Bytes(1000),
                     .busy = Seconds(2e-6),
                     .idle = ExplainedResource::Idle{
                         .before = Seconds(1e-6), .between = Seconds((microseconds - 3) * 1e-6), .after = Seconds(0)}}};
  plan.critical = 1;
  return plan;
}

ExplainAnswer small_answer() {
  ExplainAnswer answer;
  answer.question = {.machine = "m",
                     .collective = "allreduce",
                     .shape = {.sizes = {2, 2}, .text = "2x2", .with_unit = "2x2 NPUs", .key = "dimensions"}};
  answer.chosen = plan_of("slow", 5);
  answer.other = plan_of("fast", 4);
  answer.chosen_is_best = false;
  answer.resource = "dimension";
  answer.bottleneck = "dimension 2 sends longest";
  answer.why = "fast wins";
  answer.loss = "slow idles";
  return answer;
}

TEST(ExplainReport, SaysWhatDimensionsDid) {
  const std::string text = text_report(small_answer());
  EXPECT_NE(text.find("by slow order=scf (fast is better)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("slow order=scf  5.000  dimension 1          3 kB  20.0%         0.0%     0.0%  80.0%\n"
                      "                       dimension 2 *        1 kB  40.0%        20.0%    40.0%   0.0%\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("dimension 2 sends longest. fast wins. slow idles."), std::string::npos) << text;
  EXPECT_EQ(text.find("critical path"), std::string::npos) << "there is none";
}

TEST(JsonReport, SaysWhatDimensionsDid) {
  const auto json = nlohmann::json::parse(json_report(small_answer()));
  EXPECT_EQ(json["chosen_is_best"], false);
  EXPECT_EQ(json["chosen"]["parameters"]["order"], "scf");
  EXPECT_EQ(json["chosen"]["critical"], "dimension 2");
  EXPECT_DOUBLE_EQ(json["other"]["dimensions"][1]["idle_between_seconds"], 1e-6);
  EXPECT_EQ(json["other"]["dimensions"][0]["bytes"], 3000);
}

/// A plan with a path in time, and links of which one is the busiest.
ExplainAnswer answer_with_path() {
  ExplainAnswer answer;
  answer.question = {.machine = "m",
                     .collective = "allreduce",
                     .shape = {.sizes = {2}, .text = "2", .with_unit = "2 NPUs", .key = "dimensions"}};
  answer.chosen.candidate = {.algorithm = "one", .parameters = {}, .predicted_seconds = Seconds(3e-6)};
  answer.chosen.candidate.simulated_seconds = Seconds(2e-6);
  answer.chosen.figures = {{"path_memory_seconds", "  memory", Seconds(1.5e-6), "reads and writes", 1}};
  answer.chosen.resources = {
      {.name = "links", .bytes = Bytes(8), .busy = Seconds(1e-6), .busiest = "core 0 to core 1"}};
  answer.chosen.path = {{.begin = Cycles(0), .end = Cycles(2'000'000), .what = "waits"}};
  answer.chosen.path_in_picoseconds = true;
  return answer;
}

TEST(ExplainReport, ShowsTimesOfAMachineWithoutAClock) {
  const std::string text = text_report(answer_with_path());
  EXPECT_NE(text.find("simulated  2.000  us simulated"), std::string::npos) << text;
  EXPECT_NE(text.find("  memory   1.500  reads and writes\n"), std::string::npos) << text;
  EXPECT_NE(text.find("predicted  3.000  us predicted by the algorithm's formula\n"), std::string::npos) << text;
  EXPECT_NE(text.find("links *          8 B  50.0%  core 0 to core 1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  0.000  2.000  2.000  waits\n"), std::string::npos) << text;
}

TEST(JsonReport, HasTimesOfAPathInSeconds) {
  const auto json = nlohmann::json::parse(json_report(answer_with_path()));
  EXPECT_DOUBLE_EQ(json["chosen"]["path_memory_seconds"], 1.5e-6);
  EXPECT_DOUBLE_EQ(json["chosen"]["path"][0]["end_seconds"], 2e-6);
  EXPECT_EQ(json["chosen"]["resources"][0]["busiest"], "core 0 to core 1");
  EXPECT_EQ(json["chosen"]["critical"], "links");
}

}  // namespace
}  // namespace muster
