#include "study/line_picture.h"

#include <gtest/gtest.h>

#include "machine/routing.h"
#include "plan/plan_test_support.h"

namespace muster {
namespace {

/// As if every processor had been through at cycle 100 plus its number.
Timeline timeline_of(const Machine& machine) {
  Timeline timeline;
  for (NodeId node = 0; node < rank_count(machine); ++node) {
    timeline.tracks.push_back({.group = "PE", .name = node_text(machine, node)});
    timeline.spans.push_back({.track = node, .begin = Ticks(0), .end = Ticks(100 + node), .label = "works"});
  }
  timeline.tracks.push_back({.group = "PE", .name = node_text(machine, 0) + " lane 1"});
  timeline.spans.push_back(
      {.track = rank_count(machine), .begin = Ticks(0), .end = Ticks(500), .label = "works longer"});
  return timeline;
}

LinePicture picture_of(const Job& job, const std::string& algorithm) {
  const Choice choice = choose_with_defaults(job, algorithm, {});
  SimulationAnswer answer = simulate(job, choice);
  answer.result.timeline = timeline_of(job.machine);
  return line_picture(job, choice.algorithm->make(request_of(job), choice.parameters), answer);
}

TEST(LinePicture, HasAMessagePerStreamInTheColorOfItsProgram) {
  const LinePicture picture = picture_of(wafer_job(Collective::reduce, 6, 1, 4), "chain");
  ASSERT_EQ(picture.messages.size(), 5U);
  for (const LinePicture::Message& message : picture.messages) {
    EXPECT_EQ(message.from, message.to + 1);
    EXPECT_FALSE(message.multicast);
    for (const LinePicture::Message& other : picture.messages) {
      EXPECT_EQ(message.channel == other.channel, message.from % 2 == other.from % 2);  // two colors by parity
    }
  }
  EXPECT_EQ(picture.owing, std::vector<std::size_t>{0});
}

TEST(LinePicture, KnowsWhenEveryProcessorWasDone) {
  const LinePicture picture = picture_of(wafer_job(Collective::reduce, 3, 1, 4), "star");
  EXPECT_EQ(picture.ends[2], Ticks(102));
  EXPECT_EQ(picture.ends[0], Ticks(500));  // its second lane took longer
  EXPECT_EQ(picture.title, "reduce of 4 elements by star, 3x1 PEs: 13 cycles");
}

TEST(LinePicture, SaysWhichOfSeveralCallsItShows) {
  Job job = wafer_job(Collective::reduce, 3, 1, 4);
  job.calls = 2;
  const std::string title = picture_of(job, "star").title;
  EXPECT_EQ(title.substr(0, title.rfind(' ')), "reduce of 4 elements by star, 3x1 PEs: call 2 of 2, ending at cycle");
}

TEST(LinePicture, DrawsAMulticastToTheLastProcessorOnEachSide) {
  const LinePicture picture = picture_of(wafer_job(Collective::broadcast, 1, 7, 4, 2), "flood");
  ASSERT_EQ(picture.messages.size(), 2U);
  EXPECT_EQ(picture.messages[0].to, 0U);
  EXPECT_EQ(picture.messages[1].to, 6U);
  EXPECT_TRUE(picture.messages[0].multicast);
  EXPECT_EQ(picture.owing.size(), 7U);
}

TEST(LinePicture, IsForRowsAndColumns) {
  EXPECT_EQ(rejection([] { check_line(wafer_job(Collective::broadcast, 4, 3, 4)); }),
            "--svg draws a row or a column, got 4x3; use e.g. --grid 64x1");
  EXPECT_NO_THROW(check_line(wafer_job(Collective::broadcast, 1, 3, 4)));
}

}  // namespace
}  // namespace muster
