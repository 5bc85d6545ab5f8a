#include "report/json_trace.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace muster {
namespace {

Timeline small_timeline() {
  return {.tracks = {{.group = "PE", .name = "PE (0,0)"},
                     {.group = "PE", .name = "PE (1,0)"},
                     {.group = "link", .name = "PE (1,0) to west"}},
          .spans = {{.track = 0, .begin = Cycles(5), .end = Cycles(9), .label = "takes color 0"},
                    {.track = 1, .begin = Cycles(0), .end = Cycles(4), .label = "sends \"color\" 0"},
                    {.track = 2, .begin = Cycles(2), .end = Cycles(6), .label = "busy"}}};
}

TEST(Trace, HasAProcessPerGroupAndAThreadPerTrack) {
  const auto json = nlohmann::json::parse(json_trace(small_timeline()));
  const auto& events = json["traceEvents"];
  ASSERT_EQ(events.size(), 2U + 3U + 3U);
  EXPECT_EQ(events[0]["args"]["name"], "PEs");
  EXPECT_EQ(events[1]["args"]["name"], "links");
  EXPECT_EQ(events[4]["name"], "thread_name");
  EXPECT_EQ(events[4]["pid"], 2);
  EXPECT_EQ(events[4]["tid"], 3);
  EXPECT_EQ(events[4]["args"]["name"], "PE (1,0) to west");
}

TEST(Trace, HasACompleteEventPerSpanInCycles) {
  const auto json = nlohmann::json::parse(json_trace(small_timeline()));
  const auto& event = json["traceEvents"][6];
  EXPECT_EQ(event["ph"], "X");
  EXPECT_EQ(event["pid"], 1);
  EXPECT_EQ(event["tid"], 2);
  EXPECT_EQ(event["ts"], 0);
  EXPECT_EQ(event["dur"], 4);
  EXPECT_EQ(event["name"], "sends \"color\" 0");
}

TEST(Trace, HasTheKindOfASpanAsItsCategory) {
  Timeline timeline = small_timeline();
  timeline.kinds = {"reduce-scatter", "allgather"};
  timeline.spans[1].kind = 1;
  const auto json = nlohmann::json::parse(json_trace(timeline));
  EXPECT_EQ(json["traceEvents"][6]["cat"], "allgather");
  EXPECT_FALSE(json["traceEvents"][5].contains("cat"));
}

TEST(Trace, SaysHowLongAStretchWithGapsIsInUse) {
  Timeline timeline = small_timeline();
  timeline.spans[0].busy = Cycles(3);
  const auto json = nlohmann::json::parse(json_trace(timeline));
  EXPECT_EQ(json["traceEvents"][5]["args"]["busy"], 3);
  EXPECT_FALSE(json["traceEvents"][6].contains("args"));
}

TEST(Trace, OfNothingIsStillATrace) { EXPECT_EQ(nlohmann::json::parse(json_trace({}))["traceEvents"].size(), 0U); }

}  // namespace
}  // namespace muster
