#include "report/text_report.h"

#include <gtest/gtest.h>

#include "report/phrases.h"
#include "report/report_fixtures.h"

namespace muster {
namespace {

TEST(Phrases, NumbersAreGroupedByThousands) {
  EXPECT_EQ(grouped_text(0), "0");
  EXPECT_EQ(grouped_text(999), "999");
  EXPECT_EQ(grouped_text(1000), "1,000");
  EXPECT_EQ(grouped_text(-1234567), "-1,234,567");
  EXPECT_EQ(grouped_text(-123), "-123");
}

TEST(Phrases, QuestionNamesOperatorOnlyWhereItMatters) {
  Question question = row_of_eight();
  EXPECT_EQ(question_text(question), "reduce (sum) of 256 f32 on wse2, 8x1 PEs");
  question.collective = "broadcast";
  EXPECT_EQ(question_text(question), "broadcast of 256 f32 on wse2, 8x1 PEs");
  question.collective = "barrier";
  EXPECT_EQ(question_text(question), "barrier on wse2, 8x1 PEs");
}

TEST(Phrases, MissingTimesAreDashes) {
  EXPECT_EQ(cycles_text(std::nullopt), "-");
  EXPECT_EQ(microseconds_text(std::nullopt), "-");
  EXPECT_EQ(ratio_text(Seconds(1), std::nullopt), "-");
  EXPECT_EQ(ratio_text(Seconds(1), Seconds(0)), "-");
  EXPECT_EQ(ratio_text(Seconds(3), Seconds(2)), "1.50");
}

TEST(TextReport, PlanMarksTheWinnerAndExplains) {
  EXPECT_EQ(text_report(small_plan()),
            "reduce (sum) of 256 f32 on wse2, 8x1 PEs\n"
            "\n"
            "   algorithm          predicted cycles  simulated cycles     us  to bound\n"
            "-  -----------------  ----------------  ----------------  -----  --------\n"
            "*  chain                           150               140  0.140      1.40\n"
            "   two-phase group=3             2,000                 -  2.000     20.00\n"
            "\n"
            "bound      100 cycles, 0.100 us (distance): every reduce\n"
            "why        chain wins because it does\n"
            "crossover  below 4 elements, star is best\n"
            "verified   the schedule of chain is proven exactly; its simulated result equals the reference\n"
            "note       two-phase: not simulated: too large\n"
            "skipped    snake: needs a grid, got 8x1\n");
}

TEST(TextReport, PlanWithoutCandidatesSaysSo) {
  PlanAnswer answer = small_plan();
  answer.candidates.clear();
  answer.why.clear();
  const std::string text = text_report(answer);
  EXPECT_NE(text.find("no algorithm supports this"), std::string::npos);
  EXPECT_NE(text.find("snake: needs a grid"), std::string::npos);
}

TEST(TextReport, SimulationComparesWithPredictionAndBound) {
  EXPECT_EQ(text_report(small_simulation()),
            "reduce (sum) of 256 f32 on wse2, 8x1 PEs by chain\n"
            "\n"
            "            cycles     us  compared\n"
            "----------  ------  -----  ----------------------------\n"
            "simulated      140  0.140\n"
            "predicted      150  0.150  +10 cycles, +7.1%\n"
            "best bound     100  0.100  simulated is 1.40 times that\n"
            "\n"
            "verified   the schedule is proven\n"
            "result     correct: 256 elements equal the reference\n"
            "traffic    2 colors, 1,792 hops, busiest port 256 elements, utilization 25.0%\n"
            "engine     cycle\n"
            "\n"
            "resource    bytes  busy us  utilization\n"
            "----------  -----  -------  -----------\n"
            "links west  7,168    0.100        50.0%\n");
}

TEST(TextReport, FaultShowsPlaceAndCycleInsteadOfTimes) {
  SimulationAnswer answer = small_simulation();
  answer.result.fault = Fault{"deadlock", "PE (3,0), color 1", Cycles(1700), "nobody moves\nPE (3,0) waits"};
  const std::string text = text_report(answer);
  EXPECT_NE(text.find("deadlock at PE (3,0), color 1, cycle 1,700\n           nobody moves\n           PE (3,0) waits"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("predicted"), std::string::npos);
}

TEST(TextReport, RefusedScheduleShowsTheCounterexample) {
  VerifyAnswer answer;
  answer.counterexample =
      CounterexampleAnswer{"missing", 0, 0, std::nullopt, std::nullopt, "element 0 of PE (0,0)\nlacks rank 3\n"};
  EXPECT_EQ(text_report(answer), "refused (missing): element 0 of PE (0,0)\n  lacks rank 3\n");
}

TEST(TextReport, AcceptedScheduleSaysHowItWasProven) {
  VerifyAnswer answer{
      .verified = true, .counterexample = {}, .error_probability = 0, .nodes = 8, .streams = 7, .steps = 8};
  EXPECT_EQ(text_report(answer), "verified exactly: 8 nodes, 7 streams, 8 steps\n");
  answer.error_probability = 1e-12;
  EXPECT_NE(text_report(answer).find("probability below 1e-12"), std::string::npos);
}

TEST(TextReport, ClaimsAreCountedByVerdictAndShareTheirRemarks) {
  const std::vector<ClaimAnswer> answers{{"a", "paper", "1", "s", "1", "1", true, false, "because"},
                                         {"b", "paper", "1", "s", "1", "2", false, true, "because"},
                                         {"c", "paper", "1", "s", "1", "3", false, false, ""}};
  const std::string text = text_report(answers);
  EXPECT_NE(text.find("3 claims: 1 hold, 1 differ as explained, 1 fail"), std::string::npos) << text;
  EXPECT_NE(text.find("  a, b:\n    because\n"), std::string::npos) << text;
  EXPECT_NE(text.find("FAILS"), std::string::npos);
}

}  // namespace
}  // namespace muster
