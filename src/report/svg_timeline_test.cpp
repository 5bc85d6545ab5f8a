#include "report/svg_timeline.h"

#include <gtest/gtest.h>

namespace muster {
namespace {

/// One dimension that sends chunks of `length` us, each after a pause as long, until `end`.
SimulationAnswer alternating(std::int64_t length, std::int64_t end) {
  constexpr std::int64_t kMicrosecond = 1'000'000;
  SimulationAnswer answer;
  answer.question = {.machine = "m",
                     .collective = "allreduce",
                     .shape = {.sizes = {2, 2}, .text = "2x2", .with_unit = "2x2 NPUs", .key = "dimensions"}};
  answer.algorithm = "themis";
  answer.parameters = {{"order", {1, "scf"}}};
  answer.result.seconds = Seconds(static_cast<double>(end) * 1e-6);
  Timeline timeline{.in_picoseconds = true, .kinds = {"reduce-scatter", "allgather"}};
  timeline.tracks = {{.group = "dimension", .name = "dimension 1"}};
  int chunk = 0;
  for (std::int64_t at = 0; at < end; at += 2 * length) {
    timeline.spans.push_back({.track = 0,
                              .begin = Cycles(at * kMicrosecond),
                              .end = Cycles((at + length) * kMicrosecond),
                              .label = "",
                              .mark = std::to_string(++chunk),
                              .kind = chunk % 2});
  }
  answer.result.timeline = timeline;
  return answer;
}

int count_of(const std::string& text, const std::string& what) {
  int count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

TEST(SvgTimeline, HasABoxWithItsNumberForEverySpan) {
  const std::string svg = svg_timeline(alternating(10, 100), "with a=b", "muster simulate");
  EXPECT_EQ(count_of(svg, "fill=\"#0072b2\""), 2 + 1);  // and one in the legend
  EXPECT_EQ(count_of(svg, "fill=\"#e69f00\""), 3 + 1);
  for (const char* const mark : {">1<", ">2<", ">3<", ">4<", ">5<"}) EXPECT_EQ(count_of(svg, mark), 1) << mark;
  EXPECT_EQ(count_of(svg, "50.0% busy"), 1);
  EXPECT_EQ(count_of(svg, "themis order=scf, with a=b: 100.000 us"), 1);
  EXPECT_EQ(count_of(svg, ">dimension 1<"), 1);
}

TEST(SvgTimeline, LeavesOutNumbersThatDoNotFit) {
  const std::string svg = svg_timeline(alternating(1, 400), "", "");
  EXPECT_EQ(count_of(svg, "fill=\"#0072b2\"") + count_of(svg, "fill=\"#e69f00\""), 200 + 2);
  EXPECT_EQ(count_of(svg, ">150<"), 0);
}

TEST(SvgTimeline, CountsGapsOfAStretchAsIdle) {
  SimulationAnswer answer = alternating(10, 100);
  for (TimelineSpan& span : answer.result.timeline->spans) span.busy = Cycles(2'500'000);
  EXPECT_EQ(count_of(svg_timeline(answer, "", ""), "12.5% busy"), 1);
}

TEST(SvgTimeline, SaysWhatKindsAreDoneToWhereThatIsKnown) {
  SimulationAnswer answer = alternating(10, 100);
  EXPECT_EQ(count_of(svg_timeline(answer, "", ""), ">allgather<"), 1);
  answer.result.timeline->done_to = "a chunk";
  EXPECT_EQ(count_of(svg_timeline(answer, "", ""), ">allgather of a chunk<"), 1);
}

TEST(SvgTimeline, HasLowerRowsForManyTracks) {
  SimulationAnswer answer = alternating(10, 100);
  const auto height = [](const std::string& svg) { return std::stoi(svg.substr(svg.find("height=\"") + 8)); };
  answer.result.timeline->tracks.resize(12);
  const int of_twelve = height(svg_timeline(answer, "", ""));
  answer.result.timeline->tracks.resize(24);
  EXPECT_LT(height(svg_timeline(answer, "", "")), of_twelve + 100);
}

TEST(SvgTimeline, DrawsManyNarrowSpansOfAKindTogether) {
  SimulationAnswer answer = alternating(1, 100'000);
  for (TimelineSpan& span : answer.result.timeline->spans) span.kind = 0;
  EXPECT_LT(svg_timeline(answer, "", "").size(), 200'000U);
}

}  // namespace
}  // namespace muster
