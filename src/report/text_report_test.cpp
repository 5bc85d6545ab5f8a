#include "report/text_report.h"

#include <gtest/gtest.h>

#include "report/phrases.h"
#include "report/report_fixtures.h"

namespace muster {
namespace {

TEST(Phrases, QuestionNamesOperatorOnlyWhereItMatters) {
  Question question = row_of_eight();
  EXPECT_EQ(question_text(question), "reduce (sum) of 256 f32 on wse2, 8x1 PEs");
  question.collective = "broadcast";
  question.op = "";
  EXPECT_EQ(question_text(question), "broadcast of 256 f32 on wse2, 8x1 PEs");
  question.collective = "barrier";
  question.type = "";
  question.root = std::nullopt;
  EXPECT_EQ(question_text(question), "barrier on wse2, 8x1 PEs");
}

TEST(Phrases, QuestionNamesARootThatIsNotTheFirstRank) {
  Question question = row_of_eight();
  question.shape.with_unit = "4x3 PEs";
  question.root = 6;
  question.root_text = "(2,1)";
  EXPECT_EQ(question_text(question), "reduce (sum) of 256 f32 on wse2, 4x3 PEs, root (2,1)");
}

TEST(Phrases, QuestionSaysWhatItsFamilyAdds) {
  Question question = row_of_eight();
  question.of_family = {.per_vector = " per node", .members = ", group 0:3,8", .conditions = ", core 4 late by 2 us"};
  question.in_place = true;
  EXPECT_EQ(question_text(question),
            "reduce (sum) of 256 f32 per node on wse2, 8x1 PEs, group 0:3,8, in place, core 4 late by 2 us");
}

TEST(TextReport, TreesAreATableByWhoHasVectors) {
  PlanAnswer answer = small_plan();
  answer.trees = TreesAnswer{.rows = {{1, Seconds(3e-6), 1}, {2, Seconds(2e-6), 1234}}};
  answer.trees->per_node = true;
  EXPECT_TRUE(
      text_report(answer).ends_with("trees  predicted us  faster from this many elements\n"
                                    "-----  ------------  ------------------------------\n"
                                    "    1         3.000                               -\n"
                                    "    2         2.000                           1,234\n"))
      << text_report(answer);
  answer.trees->rows[1] = {.trees = 2, .predicted = Seconds(3e-6), .beyond_memory = BytesPerSecond(16e9)};
  answer.trees->per_node = false;
  EXPECT_TRUE(
      text_report(answer).ends_with("trees  predicted us if all run at once  faster if memory per core exceeds\n"
                                    "-----  -------------------------------  ---------------------------------\n"
                                    "    1                            3.000                                  -\n"
                                    "    2                            3.000                           128 Gb/s\n"))
      << text_report(answer);
}

TEST(TextReport, ChosenRootIsNamedWithWhatElseWasTried) {
  PlanAnswer answer = small_plan();
  answer.question.roots_tried = {{0, "(0,0)", "star", Cycles(1090), true}, {3, "(3,0)", "chain", Cycles(1100), false}};
  const std::string text = text_report(answer);
  EXPECT_NE(text.find("8x1 PEs, best root found: (0,0)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("root       tried (0,0): 1,090 cycles by star; (3,0): 1,100 cycles by chain (predicted)\n"),
            std::string::npos)
      << text;
}

TEST(Phrases, ANameInParenthesesHasNoneOfItsOwn) {
  EXPECT_EQ(without_parentheses("paper 1d (Lemma 5.5)"), "paper 1d, Lemma 5.5");
  EXPECT_EQ(without_parentheses("space-time"), "space-time");
}

TEST(Phrases, WhoDoesItStandsBeforeTheConditions) {
  Question question = small_plan().question;
  question.in_place = true;
  EXPECT_EQ(question_text(question, "chain"), "reduce (sum) of 256 f32 on wse2, 8x1 PEs by chain, in place");
}

TEST(Phrases, LongTextsAreWrappedAndNotCut) {
  EXPECT_EQ(wrapped("1, 2, 3, 4", 5), (std::vector<std::string>{"1, 2,", "3, 4"}));
  EXPECT_EQ(wrapped("short unbreakable", 6), (std::vector<std::string>{"short", "unbreakable"}));
  EXPECT_EQ(wrapped("", 5), std::vector<std::string>{""});
}

TEST(Phrases, MissingTimesAreDashes) {
  EXPECT_EQ(cycles_text(std::nullopt), "-");
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

TEST(TextReport, PlanSaysInOneLineWhatWasSkippedUnlessAllIsAskedFor) {
  PlanAnswer answer = small_plan();
  answer.skipped = {{"snake", "needs a grid, got 8x1"}, {"xy-star", "needs a grid, got 8x1"}, {"ring", "is late"}};
  const std::string shortened = text_report(answer);
  EXPECT_NE(shortened.find("\nskipped    3 algorithms (2 of them: needs a grid, got 8x1); --verbose lists them\n"),
            std::string::npos)
      << shortened;
  EXPECT_EQ(shortened.find("snake"), std::string::npos) << shortened;
  const std::string all = text_report(answer, {.verbose = true});
  EXPECT_NE(all.find("skipped    snake, xy-star: needs a grid, got 8x1\nskipped    ring: is late\n"), std::string::npos)
      << all;
  answer.skipped.pop_back();
  EXPECT_NE(text_report(answer).find("skipped    2 algorithms (needs a grid, got 8x1); --verbose lists them\n"),
            std::string::npos);
}

TEST(TextReport, PlanSaysThatAPredictionDecides) {
  PlanAnswer answer = small_plan();
  std::swap(answer.candidates[0], answer.candidates[1]);
  answer.starred_by = StarredBy::prediction;
  const std::string text = text_report(answer);
  EXPECT_NE(text.find("\nstarred    two-phase is ranked by its prediction; it was not simulated; the best simulated "
                      "algorithm is chain\n"),
            std::string::npos)
      << text;
  answer.candidates[1].simulated_seconds.reset();
  EXPECT_NE(text_report(answer).find("\nstarred    two-phase is ranked by its prediction; it was not simulated\n"),
            std::string::npos);
  answer.predicted_only = true;
  const std::string quick = text_report(answer);
  EXPECT_NE(quick.find("\nverified   not verified: --quick neither proves nor simulates\n"), std::string::npos)
      << quick;
  EXPECT_EQ(quick.find("note "), std::string::npos) << quick;
}

TEST(TextReport, PlanEndsWithTheNextCommands) {
  PlanAnswer answer = small_plan();
  answer.next = {"muster simulate --grid 8x1", "muster emit --grid 8x1"};
  EXPECT_TRUE(
      text_report(answer).ends_with("next       muster simulate --grid 8x1\nnext       muster emit --grid 8x1\n"));
}

TEST(TextReport, WinnersRowIsColouredOnATerminal) {
  const std::string text = text_report(small_plan(), {.colour = true});
  EXPECT_NE(text.find("\n\033[1;32m*  chain "), std::string::npos) << text;
  EXPECT_EQ(text_report(small_plan()).find('\033'), std::string::npos);
}

TEST(TextReport, LongLinesFitTheTerminalAndCommandsStayWhole) {
  const std::string text =
      "why        chain wins because it is short\n"
      "a  table      of columns that stay\n"
      "next       muster plan --collective reduce\n"
      "  indented words that go on\n"
      "\n";
  EXPECT_EQ(fitted(text, {}), text);
  EXPECT_EQ(fitted(text, {.width = 34}),
            "why        chain wins because it\n"
            "           is short\n"
            "a  table      of columns that stay\n"
            "next       muster plan --collective reduce\n"
            "  indented words that go on\n"
            "\n");
  EXPECT_EQ(fitted("  one two three four five six\n", {.width = 24}), "  one two three four\n  five six\n");
}

TEST(TextReport, PlanComparesWithProvenBoundsAloneAndMarksTheOthers) {
  PlanAnswer answer = small_plan();
  answer.bounds.push_back({"paper", "every model", Cycles(145), Seconds(1.45e-7), false});
  const std::string text = text_report(answer);
  EXPECT_NE(text.find("\nbound      100 cycles, 0.100 us (distance): every reduce\n"
                      "in model   145 cycles, 0.145 us (paper): every model\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("0.140      1.40\n"), std::string::npos) << text;
}

TEST(TextReport, PlanWithoutCandidatesSaysSo) {
  PlanAnswer answer = small_plan();
  answer.candidates.clear();
  answer.why.clear();
  const std::string text = text_report(answer);
  EXPECT_NE(text.find("no algorithm for reduce on wse2 fits this request"), std::string::npos);
  EXPECT_NE(text.find("snake: needs a grid"), std::string::npos);
}

TEST(TextReport, SimulationComparesWithPredictionAndBound) {
  EXPECT_EQ(text_report(small_simulation()),
            "reduce (sum) of 256 f32 on wse2, 8x1 PEs by chain\n"
            "\n"
            "            cycles     us  compared\n"
            "----------  ------  -----  -------------------------------------\n"
            "simulated      140  0.140\n"
            "predicted      150  0.150  10 cycles (7.1%) above the simulation\n"
            "best bound     100  0.100  simulated is 1.40 times the bound\n"
            "\n"
            "verified   the schedule is proven exactly\n"
            "result     correct: 256 elements equal the reference\n"
            "traffic    2 colors, 1,792 hops, busiest port 256 elements, utilization 25.0%\n"
            "engine     cycle\n"
            "\n"
            "resource    bytes  busy us  utilization\n"
            "----------  -----  -------  -----------\n"
            "links west  7,168    0.100        50.0%\n");
}

std::string calls_line(const std::vector<std::int64_t>& ends) {
  SimulationAnswer answer = small_simulation();
  answer.calls = static_cast<int>(ends.size());
  for (const std::int64_t end : ends) answer.result.call_cycles.emplace_back(end);
  const std::string text = text_report(answer);
  const std::size_t first = text.find("calls      ");
  return text.substr(first, text.find('\n', first) - first);
}

TEST(TextReport, ManyCallsAreTheFirstTheLastAndTheirDistance) {
  EXPECT_EQ(calls_line({140, 250}), "calls      2, done at cycles 140, 250");
  EXPECT_EQ(calls_line({140, 250, 350, 450, 550}),
            "calls      5; the first is done at cycle 140, the last at 550; 100 cycles apart, from call 2 on");
  EXPECT_EQ(calls_line({10, 20, 30, 40, 50}),
            "calls      5; the first is done at cycle 10, the last at 50; 10 cycles apart, from call 1 on");
  EXPECT_EQ(calls_line({10, 20, 40, 50, 70}),
            "calls      5; the first is done at cycle 10, the last at 70; 15.0 cycles apart on average");
}

TEST(TextReport, CallsOnAMachineWithoutAClockEndAtTimes) {
  SimulationAnswer answer = small_simulation();
  answer.result.cycles = std::nullopt;
  answer.predicted_cycles = std::nullopt;
  answer.calls = 2;
  answer.call_ends = {Seconds(1.5e-6), Seconds(3e-6)};
  EXPECT_NE(text_report(answer).find("\ncalls      2, done after 1.500, 3.000 us\n"), std::string::npos);
  answer.call_ends.resize(5, Seconds(9e-6));
  answer.calls = 5;
  EXPECT_NE(text_report(answer).find("\ncalls      5; the first is done after 1.500 us, the last after 9.000 us\n"),
            std::string::npos);
}

TEST(TextReport, SimulationSaysHowTheScheduleWasProven) {
  SimulationAnswer answer = small_simulation();
  answer.error_probability = 1e-12;
  EXPECT_NE(text_report(answer).find("verified   the schedule is proven by fingerprints (a wrong"), std::string::npos)
      << text_report(answer);
}

TEST(TextReport, BrokenMachinesAreListedAsSuch) {
  const std::vector<MachineAnswer> machines{{"a", "mesh", "1x1", "s", "", ""}, {"b", "", "", "", "", "b.toml:1: no"}};
  EXPECT_NE(text_report(machines).find("b        -       -      broken: b.toml:1: no\n"), std::string::npos)
      << text_report(machines);
}

TEST(TextReport, LongValuesOfAMachineGoOnInTheNextRow) {
  const std::string value = "[10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]";
  const std::string text = text_report(MachineAnswer{"a", "mesh", "1x1", "s", "", ""}, {{"colors", value, "here"}});
  EXPECT_NE(text.find("colors  [10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,  here\n        22, 23]\n"),
            std::string::npos)
      << text;
}

TEST(TextReport, FaultShowsLocationAndCycleInsteadOfTimes) {
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

TEST(TextReport, CheckedProgramsSayWhatWasCheckedOrShowTheCounterexample) {
  ProgramCheckAnswer answer{
      .machine = "wse2", .shape = {.sizes = {8, 1}, .text = "8x1", .key = "grid"}, .verified = true};
  answer.checks = {"budgets: all"};
  answer.processors = 8;
  answer.classes = 1;
  answer.colors = 2;
  answer.messages = 7;
  EXPECT_EQ(text_report(answer), "no fault found: 8 PEs in 1 class, 2 colors, 7 messages\n\nbudgets: all\n");
  answer.counterexample = {.kind = "deadlock", .location = "PE (1,0)", .message = "one\ntwo"};
  EXPECT_EQ(text_report(answer), "refused (deadlock at PE (1,0)): one\n  two\n");
  answer.not_checked = "too long";
  EXPECT_EQ(text_report(answer), "not checked: too long; 8 PEs in 1 class, 2 colors, 7 messages\n");
}

TEST(TextReport, AFaultBeforeRunningHasNoCycle) {
  SimulationAnswer answer;
  answer.verified = true;
  answer.result.fault =
      Fault{.kind = "switch", .location = "PE (1,0)", .cycle = {}, .message = "why", .before_running = true};
  const std::string text = text_report(answer);
  EXPECT_NE(text.find("switch at PE (1,0)\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("cycle"), std::string::npos) << text;
  EXPECT_NE(text.find("none: the static checks refuse the program"), std::string::npos) << text;
}

TEST(TextReport, OrderOfAdditionsFollowsTheVerdict) {
  VerifyAnswer answer{
      .verified = true, .counterexample = {}, .error_probability = 0, .nodes = 2, .streams = 1, .steps = 2};
  answer.additions = AdditionsAnswer{.rank = 0, .element = 7, .formula = "(x0 + x1)"};
  EXPECT_EQ(text_report(answer), "verified exactly: 2 nodes, 1 stream, 2 steps\nrank 0, element 7: (x0 + x1)\n");
}

TEST(TextReport, ClaimsAreCountedByVerdictAndShareTheirRemarks) {
  const std::vector<ClaimAnswer> answers{{"a", "paper", "1", "s", "1", "1", true, false, "because", "paper"},
                                         {"b", "paper", "1", "s", "1", "2", false, true, "because", "ours"},
                                         {"c", "paper", "1", "s", "1", "3", false, false, "", "ours"}};
  const std::string text = text_report(answers);
  EXPECT_NE(text.find("3 claims: 1 holds, 1 differs as explained, 1 fails\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  a, b:\n    because\n"), std::string::npos) << text;
  EXPECT_NE(text.find("FAILS"), std::string::npos);
  EXPECT_NE(text.find("b      1        ours    1"), std::string::npos) << text;
  EXPECT_NE(text.find("  ours (2): ours; the paper does not state it\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("lemma"), std::string::npos) << text;
  EXPECT_NE(text_report(std::vector{answers[0]}).find("\n1 claim: 1 holds, 0 differ as explained, 0 fail\n"),
            std::string::npos);
}

}  // namespace
}  // namespace muster
