#include "backend/wafer/stream/window.h"

#include <gtest/gtest.h>

namespace muster::wafer {
namespace {

/// Two lanes: execution 0, and 1 followed by 2; and a transit.
Trace small_trace() {
  Trace trace;
  trace.executions.resize(3);
  trace.executions[2].before = 1;
  trace.transits.resize(1);
  trace.order = {~0, ~1, 0, ~2};
  trace.executions[0].order = 0;
  trace.executions[1].order = 1;
  trace.transits[0].order = 2;
  trace.executions[2].order = 3;
  return trace;
}

std::vector<std::int32_t> taken(Window& window) {
  std::vector<std::int32_t> items;
  for (std::int32_t item = window.take_lowest(); item >= 0; item = window.take_lowest()) items.push_back(item);
  return items;
}

TEST(Window, BeginsWithThoseThatNeedNobody) {
  const Trace trace = small_trace();
  Window window(trace);
  window.mark_all();
  window.start(false);
  EXPECT_EQ(window.next_cycle(), 0);
  window.open(0, 10);
  EXPECT_EQ(taken(window), (std::vector<std::int32_t>{0, 1}));
}

TEST(Window, GoesOnWithThoseThatHadMoreBehindIt) {
  const Trace trace = small_trace();
  Window window(trace);
  window.start(false);
  window.open(0, 10);
  taken(window);
  EXPECT_TRUE(window.is_first_look(0));
  window.touch(0, 25);
  EXPECT_FALSE(window.is_first_look(0));
  window.touch(1, -1);
  window.touch(2, 14);
  window.keep();
  EXPECT_EQ(window.next_cycle(), 14);
  window.open(14, 20);
  EXPECT_EQ(taken(window), (std::vector<std::int32_t>{2})) << "item 0 goes on behind this window";
  EXPECT_TRUE(window.is_first_look(2));
}

TEST(Window, IsUndoneAsIfItHadNotBeen) {
  const Trace trace = small_trace();
  Window window(trace);
  window.start(false);
  window.open(0, 10);
  window.mark_execution(2);
  window.touch(0, 25);
  EXPECT_EQ(window.touched(), (std::vector<std::int32_t>{0}));
  window.undo();
  EXPECT_LT(window.take_lowest(), 0);
  EXPECT_EQ(window.next_cycle(), 0);
  window.open(0, 2);
  EXPECT_EQ(taken(window), (std::vector<std::int32_t>{0, 1}));
}

TEST(Window, TrustsReadersOfEarlierMessagesUnlessItIsCareful) {
  const Trace trace = small_trace();
  for (const bool careful : {false, true}) {
    Window window(trace);
    EXPECT_FALSE(window.takes_later(0, Lateness::stuck, Reader::of_before)) << "all time at once";
    window.start(careful);
    window.open(0, 10);
    EXPECT_EQ(window.takes_later(0, Lateness::on_time, Reader::of_before), careful);
    EXPECT_FALSE(window.takes_later(0, Lateness::on_time, Reader::of_this));
    window.touch(0, -1);
    EXPECT_TRUE(window.takes_later(0, Lateness::stuck, Reader::of_this));
    EXPECT_FALSE(window.takes_later(0, Lateness::late, Reader::of_before));
    window.cover_all_time();
    EXPECT_FALSE(window.takes_later(0, Lateness::stuck, Reader::of_this));
  }
}

}  // namespace
}  // namespace muster::wafer
