#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/json_report.h"
#include "report/text_report.h"

namespace muster {
namespace {

ExplainedChunks plan_of(const std::string& name, double microseconds) {
  ExplainedChunks plan;
  plan.candidate = {.algorithm = name, .parameters = {{"order", {1, "scf"}}}};
  plan.candidate.simulated_seconds = Seconds(microseconds * 1e-6);
  plan.dimensions = {{.name = "dimension 1",
                      .bytes = Bytes(3000),
                      .busy = Seconds(1e-6),
                      .before = Seconds(0),
                      .between = Seconds(0),
                      .after = Seconds((microseconds - 1) * 1e-6)},
                     {.name = "dimension 2",
                      .bytes = Bytes(1000),
                      .busy = Seconds(2e-6),
                      .before = Seconds(1e-6),
                      .between = Seconds((microseconds - 3) * 1e-6),
                      .after = Seconds(0)}};
  plan.critical = 1;
  return plan;
}

ClusterExplainAnswer small_answer() {
  ClusterExplainAnswer answer;
  answer.question = {.machine = "m", .family = "cluster", .collective = "allreduce", .shape = {2, 2}};
  answer.chosen = plan_of("slow", 5);
  answer.other = plan_of("fast", 4);
  answer.chosen_is_best = false;
  answer.why = "fast wins";
  answer.loss = "slow idles";
  return answer;
}

TEST(ExplainReport, SaysWhatDimensionsDid) {
  const std::string text = text_report(small_answer());
  EXPECT_NE(text.find("by slow order=scf (fast is better)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("slow order=scf  5.000  dimension 1           3 kB  20.0%         0.0%     0.0%  80.0%\n"
                      "                       dimension 2 *         1 kB  40.0%        20.0%    40.0%   0.0%\n"),
            std::string::npos)
      << text;
  EXPECT_NE(
      text.find("dimension 2 sends longest: 40.0% of the time of slow; the latency of messages decides. fast wins."),
      std::string::npos)
      << text;
}

TEST(JsonReport, SaysWhatDimensionsDid) {
  const auto json = nlohmann::json::parse(json_report(small_answer()));
  EXPECT_EQ(json["chosen_is_best"], false);
  EXPECT_EQ(json["chosen"]["parameters"]["order"], "scf");
  EXPECT_EQ(json["chosen"]["critical"], "dimension 2");
  EXPECT_DOUBLE_EQ(json["other"]["dimensions"][1]["idle_between_seconds"], 1e-6);
  EXPECT_EQ(json["other"]["dimensions"][0]["bytes"], 3000);
}

}  // namespace
}  // namespace muster
