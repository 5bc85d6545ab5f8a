#include <gtest/gtest.h>

#include "report/report_fixtures.h"
#include "report/text_report.h"

namespace muster {
namespace {

ExplainAnswer small_explanation() {
  const PlanAnswer plan = small_plan();
  ExplainAnswer answer{.question = plan.question, .bound = plan.bounds[0]};
  answer.chosen.candidate = plan.candidates[0];
  answer.chosen.figures = {{"depth", "depth", 7, "longest chain of dependent messages", 1},
                           {"contention", "contention", 256, "words through the busiest port", 3},
                           {"links", "links", 15, "in use", 2},
                           {"busiest_port", "busiest port", BusyResource{"into PE (0,0)", 256}},
                           {"busiest_link", "busiest link", BusyResource{"PE (1,0) to PE (0,0)", 255}},
                           {"waiting_cycles", "waiting", std::nullopt, "not known", 3}};
  answer.chosen.path = {{.begin = Cycles(0), .end = Cycles(40), .what = "7 times a message of 1 hop"},
                        {.begin = Cycles(40), .end = Cycles(140), .what = "PE (0,0) takes 100 words"}};
  answer.other = answer.chosen;
  answer.other->candidate = plan.candidates[1];
  answer.other->figures[0].value = 5;
  answer.why = "chain wins because it does";
  answer.loss = "two-phase takes 1,860 cycles longer.";
  return answer;
}

TEST(ExplainReport, ShowsBothPlansSideBySide) {
  const std::string text = text_report(small_explanation());
  EXPECT_NE(text.find("            chain  two-phase group=3  meaning\n"), std::string::npos) << text;
  EXPECT_NE(text.find("depth           7                  5  longest chain of dependent messages\n"), std::string::npos)
      << text;
  EXPECT_LT(text.find("links "), text.find("contention ")) << "rows have an order of their own";
  EXPECT_NE(text.find("waiting         -                  -  not known\n"), std::string::npos) << text;
  EXPECT_NE(text.find("into PE (0,0)"), std::string::npos);
  EXPECT_NE(text.find("PE (1,0) to PE (0,0)"), std::string::npos);
  EXPECT_NE(text.find("  40  140     100  PE (0,0) takes 100 words\n"), std::string::npos) << text;
  EXPECT_NE(text.find("chain wins because it does. two-phase takes 1,860"), std::string::npos) << text;
  EXPECT_NE(text.find("note       two-phase: not simulated: too large\n"), std::string::npos) << text;
}

TEST(ExplainReport, SaysWhenAnotherPlanIsBetter) {
  ExplainAnswer answer = small_explanation();
  answer.chosen_is_best = false;
  EXPECT_NE(text_report(answer).find("by chain (two-phase is better)\n"), std::string::npos);
}

TEST(ExplainReport, StandsAloneWithoutAnotherPlan) {
  ExplainAnswer answer = small_explanation();
  answer.other.reset();
  answer.loss.clear();
  const std::string text = text_report(answer);
  EXPECT_EQ(text.find("two-phase"), std::string::npos) << text;
}

}  // namespace
}  // namespace muster
