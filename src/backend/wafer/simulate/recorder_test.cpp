// What happened when, in programs whose cycles are known.
#include "backend/wafer/simulate/recorder.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "backend/wafer/test_schedules.h"
#include "backend/wafer/wafer.h"

namespace muster::wafer {
namespace {

Result run(const Schedule& schedule, std::int32_t width, bool timeline = true) {
  const auto program = lower(schedule, test::wafer(width), {});
  EXPECT_TRUE(program.ok());
  SimulateOptions options{.seed = 7};
  options.timeline = timeline;
  return simulate(*program.value(), options);
}

/// "PE (1,0): [0, 4) reads input, sends color 0".
std::vector<std::string> lines(const Timeline& timeline) {
  std::vector<std::string> all;
  for (const TimelineSpan& span : timeline.spans) {
    all.push_back(fmt::format("{}: [{}, {}) {}", timeline.tracks[static_cast<std::size_t>(span.track)].name,
                              span.begin.value(), span.end.value(), span.label));
  }
  return all;
}

TEST(Timeline, OfAMessageShowsWhoWorkedWhen) {
  const Result result = run(test::reduce_row(test::chain_tree(2), 4), 2);
  ASSERT_TRUE(result.timeline);
  // Issued in cycles 0 to 3, over the link in 2 to 5, used in 5 to 8.
  EXPECT_EQ(lines(*result.timeline),
            (std::vector<std::string>{"PE (0,0): [5, 9) reads input, takes color 0, stores output",
                                      "PE (1,0): [0, 4) reads input, sends color 0", "PE (1,0) to west: [2, 6) busy"}));
  EXPECT_EQ(result.timeline->tracks.front().group, "PE");
  EXPECT_EQ(result.timeline->tracks.back().group, "link");
}

TEST(Timeline, OfAStarHasOneSpanPerMessageAndCoversAllHops) {
  const Result result = run(test::reduce_row(test::star_tree(4), 6), 4);
  ASSERT_TRUE(result.timeline);
  std::int64_t messages = 0, busy = 0;
  for (const TimelineSpan& span : result.timeline->spans) {
    const TimelineTrack& track = result.timeline->tracks[static_cast<std::size_t>(span.track)];
    if (track.name == "PE (0,0)") ++messages;
    if (track.group == "link") busy += (span.end - span.begin).value();
  }
  EXPECT_EQ(messages, 3);
  EXPECT_EQ(busy, result.hops + 3);  // and a reset over three links
}

TEST(Timeline, IsWrittenOnlyWhenAskedFor) {
  EXPECT_FALSE(run(test::reduce_row(test::chain_tree(2), 4), 2, false).timeline);
}

}  // namespace
}  // namespace muster::wafer
