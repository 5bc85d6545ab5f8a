#include "base/crew.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace muster {
namespace {

TEST(Crew, DoesTheWorkOfEveryMemberInEveryRound) {
  for (const std::size_t members : {1U, 2U, 3U, 8U}) {
    std::vector<int> rounds(members, 0);  // each member has its own; read here between rounds
    Crew crew(members, [&](std::size_t member) { ++rounds[member]; });
    for (int round = 1; round <= 200; ++round) {
      crew.run();
      EXPECT_EQ(rounds, std::vector<int>(members, round));
    }
  }
}

TEST(Crew, ShowsEveryMemberWhatTheOthersDidInTheRoundBefore) {
  constexpr std::size_t kMembers = 3;
  std::vector<std::vector<int>> sums(2, std::vector<int>(kMembers, 1));
  std::size_t now = 0;
  Crew crew(kMembers, [&](std::size_t member) {
    int sum = 0;
    for (const int other : sums[now]) sum += other;
    sums[1 - now][member] = sum % 1000;
  });
  int expected = 1;
  for (int round = 0; round < 500; ++round, now = 1 - now) {
    crew.run();
    expected = 3 * expected % 1000;
    EXPECT_EQ(sums[1 - now], std::vector<int>(kMembers, expected));
  }
}

TEST(Crew, ThrowsTheExceptionOfTheSmallestMemberAndGoesOnAfterwards) {
  bool fails = true;
  std::vector<int> done(4, 0);
  Crew crew(4, [&](std::size_t member) {
    ++done[member];
    if (fails && member >= 2) throw std::runtime_error(std::to_string(member));
  });
  try {
    crew.run();
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "2");
  }
  fails = false;
  crew.run();
  EXPECT_EQ(done, std::vector<int>(4, 2));
}

TEST(Crew, MayNeverBeCalled) {
  const Crew crew(3, [](std::size_t) { FAIL() << "no one asked for work"; });
}

}  // namespace
}  // namespace muster
