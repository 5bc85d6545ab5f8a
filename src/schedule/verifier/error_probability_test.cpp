// The bound for the error of fingerprints, and the verifier's pace where they are needed.
#include <ctime>

#include "schedule/verifier/contributions.h"
#include "schedule/verifier/exchanges_test_support.h"
#include "schedule/verifier/verify_test_support.h"

namespace muster::examples {
namespace {

/// Node 1 sends its vector to node 0 in two halves, which are one piece of equal contributions again when they are there.
Schedule two_halves() {
  ScheduleBuilder b({.nodes = 2, .count = 8});
  for (const Range& half : {Range{0, 4}, Range{4, 4}}) {
    const SpanId elements = b.span(half);
    const StreamId s = b.stream(1, 0, elements);
    b.step(1, elements).own(Buffer::input).push(s);
    b.step(0, elements).own(Buffer::input).take(s).store(Buffer::output);
  }
  b.contract({.collective = Collective::reduce, .ranks = {0, 1}, .root = 0, .count = 8});
  return std::move(b).finish();
}

TEST(ErrorProbability, CountsJoinedPiecesAsWellAsWhatIsOwed) {
  constexpr double kOne = 1 / static_cast<double>(verifier::kPrime);
  const Verdict whole = verify(reduce_by_tree(chain_tree(2), 0, 8), mesh(2, 1), kFingerprints);
  EXPECT_DOUBLE_EQ(whole.error_probability, kOne) << "one comparison with what is owed";
  const Verdict halves = verify(two_halves(), mesh(2, 1), kFingerprints);
  EXPECT_TRUE(halves.verified());
  EXPECT_DOUBLE_EQ(halves.error_probability, 2 * kOne) << "and one when the halves are joined";
  EXPECT_EQ(verify(two_halves(), mesh(2, 1)).error_probability, 0) << "exact";
}

TEST(Pace, AMillionNodesAndAsManyMillionElementsAreVerifiedInSeconds) {
  constexpr NodeId kNodes = 1'000'000;
  constexpr std::int64_t kCount = std::int64_t{1} << 40;
  const std::clock_t start = std::clock();
  const Schedule schedule = reduce_by_tree(chain_tree(kNodes), 0, kCount);
  const Verdict verdict = verify(schedule, mesh(kNodes, 1));
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  EXPECT_TRUE(verdict.verified());
  EXPECT_LT(verdict.error_probability, 1e-18);
  EXPECT_LT(seconds, 20) << "about two; more in a sanitizer build";
}

}  // namespace
}  // namespace muster::examples
