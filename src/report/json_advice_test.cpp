#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/json_report.h"
#include "report/text_report.h"

namespace muster {
namespace {

AdviceAnswer small_advice() {
  AdviceAnswer answer{.machine = "m", .summary = "a cluster", .shape = {4, 4}, .bandwidth = BytesPerSecond(1e9)};
  answer.dimensions = {{.kind = "ring",
                        .size = 4,
                        .bandwidth = BytesPerSecond(9e8),
                        .share = 0.9,
                        .baseline_busy = 0.5,
                        .baseline_wasted = BytesPerSecond(4.5e8),
                        .baseline_best = BytesPerSecond(8e8),
                        .least_share = 0.2,
                        .most_share = 0.8},
                       {.kind = "switch",
                        .size = 4,
                        .bandwidth = BytesPerSecond(1e8),
                        .share = 0.1,
                        .baseline_busy = 1,
                        .baseline_wasted = BytesPerSecond(0),
                        .baseline_best = BytesPerSecond(2e8),
                        .least_share = 0.2,
                        .most_share = 0.8}};
  answer.pairs = {
      {.first = 1, .second = 2, .provision = Provision::under, .ratio = 0.5, .enough = BytesPerSecond(2e8)}};
  answer.baseline_utilization = 0.5;
  answer.baseline_limiting = {2};
  answer.ceiling = 0.5;
  answer.limiting = {2};
  answer.limiting_share = 0.1;
  answer.limiting_least = 0.2;
  return answer;
}

TEST(TextReport, GivesAdvice) {
  EXPECT_EQ(text_report(small_advice()),
            "m: a cluster\n"
            "8 Gb/s per NPU; allreduce, reduce-scatter and allgather; latency is assumed to be hidden\n\n"
            "dimension     bandwidth  share  baseline busy    wasted  best for baseline           any scheduler\n"
            "------------  ---------  -----  -------------  --------  -----------------  ----------------------\n"
            "1: ring, 4     7.2 Gb/s  90.0%          50.0%  3.6 Gb/s           6.4 Gb/s  1.6 Gb/s to 6.4 Gb/s !\n"
            "2: switch, 4   800 Mb/s  10.0%         100.0%     0 b/s           1.6 Gb/s  1.6 Gb/s to 6.4 Gb/s !\n\n"
            "dimensions  the later dimension is       has  baseline uses  ratio\n"
            "----------  ----------------------  --------  -------------  -----\n"
            "1 and 2     under-provisioned       800 Mb/s       1.6 Gb/s    0.5\n\n"
            "baseline   hierarchical uses 50.0% of the bandwidth; dimension 2 limits it\n"
            "optimum    no schedule can use more than 50.0% (no faster than the baseline): dimension 2 has 10.0% of "
            "the bandwidth and needs 20.0%\n");
}

TEST(JsonReport, GivesAdvice) {
  const auto json = nlohmann::json::parse(json_report(small_advice()));
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["dimensions"], (nlohmann::json{4, 4}));
  EXPECT_EQ(json["advice"][0]["least"], 2e8);
  EXPECT_EQ(json["advice"][0]["in_range"], false);
  EXPECT_EQ(json["pairs"][0]["provision"], "under");
  EXPECT_EQ(json["baseline"]["limiting"], nlohmann::json{2});
  EXPECT_EQ(json["optimum"]["least_share"], 0.2);
}

TEST(JsonReport, HasNoLimitWhereAllBandwidthCanBeUsed) {
  AdviceAnswer answer = small_advice();
  answer.ceiling = 1;
  answer.limiting.clear();
  const auto json = nlohmann::json::parse(json_report(answer));
  EXPECT_TRUE(json["optimum"]["limiting"].empty());
  EXPECT_TRUE(json["optimum"]["share"].is_null());
  EXPECT_NE(text_report(answer).find("some schedule can use the full bandwidth: 2.00 times as fast"),
            std::string::npos);
}

}  // namespace
}  // namespace muster
