#include "backend/hyperx/event_queue.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <queue>

namespace muster::hyperx {
namespace {

struct Event {
  Time time = 0;
};

RC_GTEST_PROP(EventQueue, GivesEventsInTheOrderOfTime, ()) {
  EventQueue<Event> queue;
  std::priority_queue<Time, std::vector<Time>, std::greater<>> expected;
  Time now = 0;
  const auto add = [&](Time later) {
    queue.push({now + later});
    expected.push(now + later);
  };
  for (const std::uint32_t later : *rc::gen::arbitrary<std::vector<std::uint32_t>>()) {
    add(later % 7 == 0 ? later : later % 100);
    if (later % 3 > 0) add(later % 1000);
    if (later % 5 < 2) continue;
    now = queue.pop().time;
    RC_ASSERT(now == expected.top());
    expected.pop();
  }
  while (!expected.empty()) {
    RC_ASSERT(!queue.is_empty());
    RC_ASSERT(queue.pop().time == expected.top());
    expected.pop();
  }
  RC_ASSERT(queue.is_empty());
}

}  // namespace
}  // namespace muster::hyperx
