#include "backend/torus/noc/packet_queue.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <deque>

namespace muster::torus {
namespace {

RC_GTEST_PROP(PacketQueue, IsAQueue, ()) {
  PacketQueue<int> queue;
  std::deque<int> expected;
  const int most = *rc::gen::element(3, 200);
  for (int turn = 0; turn < 600; ++turn) {
    const bool grows = expected.empty() || (std::ssize(expected) < most && *rc::gen::inRange(0, 3) > 0);
    if (grows) {
      queue.push_back(turn);
      expected.push_back(turn);
    } else {
      queue.pop_front();
      expected.pop_front();
    }
    RC_ASSERT(queue.size() == expected.size() && queue.empty() == expected.empty());
    if (!expected.empty()) RC_ASSERT(queue.front() == expected.front() && queue.back() == expected.back());
  }
}

}  // namespace
}  // namespace muster::torus
