#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/json_report.h"
#include "report/report_fixtures.h"
#include "report/text_report.h"

namespace muster {
namespace {

CandidateAnswer timed(const std::string& name, std::int64_t cycles) {
  CandidateAnswer one{.algorithm = name, .parameters = {}};
  one.simulated_cycles = Cycles(cycles);
  one.simulated_seconds = Seconds(static_cast<double>(cycles) * 1e-9);
  return one;
}

SensitivityAnswer two_settings() {
  SensitivityAnswer answer{.question = row_of_eight(), .asked = "star", .rows = {}, .left_out = {}};
  answer.rows.push_back({"", "", {timed("star", 100), timed("tree", 120), timed("chain", 120)}, 0});
  answer.rows.push_back({"ramp.queue", "8", {timed("tree", 100), timed("star", 150)}, 1});
  answer.left_out.push_back({"chain", "with ramp.queue = 8: deadlock: stuck"});
  return answer;
}

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

TEST(SensitivityReport, JsonHasAllRankings) {
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

}  // namespace
}  // namespace muster
