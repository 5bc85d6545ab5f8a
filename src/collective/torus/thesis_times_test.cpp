#include "collective/torus/thesis_times.h"

#include <gtest/gtest.h>

#include "collective/torus/torus_test_machines.h"

namespace muster {
namespace {

/// 128 KiB of words.
Request request() {
  return {.machine = test_wormhole(8, 8), .collective = Collective::allreduce, .count = 128 * 1024 / 4};
}

TEST(ThesisTimes, SendAtNineGigabytesPerSecond) {
  // 131,072 B / 9 GB/s = 14,563.6 ns; a synchronisation takes 18 x 9 ns.
  EXPECT_EQ(thesis_time_of_whole_vectors(request()).value(), 87867);
  EXPECT_EQ(thesis_time_of_halved_vectors(request()).value(), 29937);
}

}  // namespace
}  // namespace muster
