#include <gtest/gtest.h>

#include "report/report_fixtures.h"
#include "report/text_report.h"

namespace muster {
namespace {

TEST(SensitivityReport, SaysWhoWinsWhereAndWhatStayingCosts) {
  EXPECT_EQ(text_report(two_settings()),
            "reduce (sum) of 256 f32 on wse2, 8x1 PEs: one timing parameter at a time\n"
            "\n"
            "parameter         value  best  star  to best  ranking by simulated cycles\n"
            "----------------  -----  ----  ----  -------  ---------------------------\n"
            "(as in the file)          100   100     1.00  star < tree = chain\n"
            "ramp.queue        8       100   150     1.50  tree < star\n"
            "\n"
            "winner     star is best with 1 of 2 settings; tree with ramp.queue = 8\n"
            "staying    star takes at most 1.50 times as long as the best, with ramp.queue = 8\n"
            "left out   chain: with ramp.queue = 8: deadlock: stuck\n");
}

TEST(SensitivityReport, EqualTimesAreNoChangeOfWinner) {
  SensitivityAnswer answer = two_settings();
  answer.rows[1].ranking = {timed("tree", 100), timed("star", 100)};
  const std::string text = text_report(answer);
  EXPECT_NE(text.find("star is best with all 2 settings"), std::string::npos) << text;
  EXPECT_NE(text.find("nothing is faster than star with any setting"), std::string::npos) << text;
}

}  // namespace
}  // namespace muster
