#include <gtest/gtest.h>

#include "report/csv_report.h"
#include "report/report_fixtures.h"
#include "report/text_report.h"

namespace muster {
namespace {

TEST(SweepReport, IsATableWithAColumnPerAlgorithm) {
  EXPECT_EQ(text_report(small_sweep()),
            "reduce (sum) of f32 on wse2: simulated cycles (predicted in parentheses)\n"
            "\n"
            "grid  count  bound  chain  two-phase  snake  best\n"
            "----  -----  -----  -----  ---------  -----  -----\n"
            " 8x1    256    100    140    (2,000)      -  chain\n"
            "\n"
            "-          not supported at that size: needs a grid, got \"8x1\"\n");
}

TEST(SweepReport, SaysWhyNotWhereThatIsShort) {
  SweepAnswer answer = small_sweep();
  for (int i = 0; i < 3; ++i) {
    answer.sizes.push_back(answer.sizes.front());
    answer.sizes.back().skipped.front().reason += std::to_string(i);
  }
  const std::string text = text_report(answer);
  EXPECT_NE(text.find("-          not supported at that size; 'muster plan' says why\n"), std::string::npos) << text;
}

TEST(SweepReport, SaysWhatFailed) {
  SweepAnswer answer = small_sweep();
  answer.sizes[0].candidates[0].failed = true;
  answer.sizes[0].candidates[0].note = "deadlock: all wait";
  const std::string text = text_report(answer);
  EXPECT_NE(text.find("FAILED    (2,000)"), std::string::npos) << text;
  EXPECT_NE(text.find("FAILED     chain (1 size): deadlock: all wait\n"), std::string::npos) << text;
}

TEST(SweepReport, IsCsvWithALinePerSizeAndAlgorithm) {
  EXPECT_EQ(
      csv_report(small_sweep()),
      "machine,collective,grid,ranks,count,type,op,root,algorithm,parameters,predicted_cycles,predicted_seconds,"
      "simulated_cycles,simulated_seconds,bound,bound_cycles,best,note,bound_seconds,utilization\n"
      "wse2,reduce,8x1,8,256,f32,sum,0,chain,,150,1.5e-07,140,1.4e-07,distance,100,1,,1e-07,\n"
      "wse2,reduce,8x1,8,256,f32,sum,0,two-phase,group=3,2000,2e-06,,,distance,100,0,not simulated: too large,1e-07,\n"
      "wse2,reduce,8x1,8,256,f32,sum,0,snake,,,,,,distance,100,0,\"needs a grid, got \"\"8x1\"\"\",1e-07,\n");
}

TEST(SweepReport, QuotesCellsThatNeedIt) {
  EXPECT_EQ(csv_line({"a", "b,c", "say \"no\"", "two\nlines", ""}), "a,\"b,c\",\"say \"\"no\"\"\",\"two lines\",\n");
}

}  // namespace
}  // namespace muster
