#include "study/mesh/critical_path.h"

#include <gtest/gtest.h>

#include "plan/plan_test_support.h"
#include "plan/stages.h"
#include "schedule/phase.h"
#include "study/mesh/path_text.h"

namespace muster {
namespace {

Schedule flat_of(const Job& job, const std::string& algorithm) {
  const Choice choice = choose_with_defaults(job, algorithm, {});
  return expand(choice.algorithm->make(request_of(job), choice.parameters));
}

CriticalPath path_of(const Job& job, const std::string& algorithm) {
  return critical_path(flat_of(job, algorithm), job.machine);
}

std::vector<std::string> lines_of(const Job& job, const std::string& algorithm, std::size_t most = 20) {
  std::vector<std::string> lines;
  for (const PathLine& line : path_lines(path_of(job, algorithm), job.machine, most)) {
    lines.push_back(fmt::format("{}-{} {}", line.begin.value(), line.end.value(), line.what));
  }
  return lines;
}

TEST(CriticalPath, OfAChainPassesEveryProcessorAndThenTheWords) {
  // 1 hop and 2 ramps of 2 cycles from the leaf, one cycle more from those that add; then 8 words.
  const CriticalPath path = path_of(wafer_job(Collective::reduce, 4, 1, 8), "chain");
  EXPECT_EQ(path.end, Cycles(5 + 6 + 6 + 8));
  EXPECT_EQ(path.words, Cycles(8));
  EXPECT_EQ(path.hops, Cycles(3));
  EXPECT_EQ(path.ramps, Cycles(4 + 5 + 5));
  ASSERT_EQ(path.pieces.size(), 4U);
  EXPECT_EQ(path.pieces[0].from, 3);
  EXPECT_EQ(path.pieces[3].kind, PathPiece::Kind::words);
}

TEST(CriticalPath, OfAStarIsTheRootsPort) {
  const CriticalPath path = path_of(wafer_job(Collective::reduce, 5, 1, 10), "star");
  EXPECT_EQ(path.end, Cycles(5 + 4 * 10));
  EXPECT_EQ(path.words, Cycles(40));
}

TEST(CriticalPath, HasNoGapsAndItsPartsAddUp) {
  for (const std::int32_t pes : {2, 3, 7, 16, 33}) {
    for (const std::int64_t count : {1, 5, 64}) {
      for (const char* const name : {"star", "chain", "tree", "two-phase"}) {
        const CriticalPath path = path_of(wafer_job(Collective::reduce, pes, 1, count, pes / 2), name);
        Cycles now(0);
        for (const PathPiece& piece : path.pieces) {
          EXPECT_EQ(piece.begin, now);
          now = piece.end;
        }
        EXPECT_EQ(now, path.end);
        EXPECT_EQ(path.words + path.hops + path.ramps, path.end);
      }
    }
  }
}

TEST(CriticalPath, IsNeverLongerThanTheSimulation) {
  for (const std::int32_t pes : {2, 5, 16, 31}) {
    for (const std::int64_t count : {1, 3, 17, 100}) {
      const Job job = wafer_job(Collective::reduce, pes, 1, count);
      for (const char* const name : {"star", "chain", "tree", "two-phase"}) {
        const Schedule flat = flat_of(job, name);
        const auto run = run_stages(job, flat, {.name = name});
        EXPECT_LE(critical_path(flat, job.machine).end, *run.value().result->cycles) << name << pes << " " << count;
      }
    }
  }
}

TEST(CriticalPath, IsTheSimulatedTimeWhereNothingMeets) {
  for (const char* const name : {"star", "chain"}) {
    const Job job = wafer_job(Collective::reduce, 16, 1, 20);
    const Schedule flat = flat_of(job, name);
    EXPECT_EQ(critical_path(flat, job.machine).end, *run_stages(job, flat, {.name = name}).value().result->cycles);
  }
  const Job job = wafer_job(Collective::broadcast, 5, 4, 20);
  const Schedule flat = flat_of(job, "flood");
  EXPECT_EQ(critical_path(flat, job.machine).end, *run_stages(job, flat, {.name = "flood"}).value().result->cycles);
}

TEST(PathLines, SayRepeatedPiecesOnce) {
  EXPECT_EQ(lines_of(wafer_job(Collective::reduce, 512, 1, 256), "chain"),
            (std::vector<std::string>{"0-5 a message of 1 hop, PE (511,0) to PE (510,0)",
                                      "5-3065 510 times a message of 1 hop, PE (510,0) to PE (0,0)",
                                      "3065-3321 PE (0,0) receives 256 words"}));
  EXPECT_EQ(lines_of(wafer_job(Collective::reduce, 4, 1, 10), "star"),
            (std::vector<std::string>{"0-5 a message of 1 hop, PE (1,0) to PE (0,0)",
                                      "5-35 3 times 10 words received, at PE (0,0)"}));
}

TEST(PathLines, LeaveOutTheMiddleOfLongPaths) {
  const Job job = wafer_job(Collective::reduce, 300, 1, 1);
  const auto all = lines_of(job, "tree", 1000);
  const auto some = lines_of(job, "tree", 5);
  ASSERT_GT(all.size(), 5U);
  ASSERT_EQ(some.size(), 5U);
  EXPECT_EQ(some.front(), all.front());
  EXPECT_EQ(some.back(), all.back());
  EXPECT_NE(some[2].find(fmt::format("... {} similar lines", all.size() - 4)), std::string::npos) << some[2];
}

TEST(CriticalPath, OfASingleProcessorIsItsCopy) {
  const CriticalPath path = path_of(wafer_job(Collective::reduce, 1, 1, 9), "chain");
  EXPECT_EQ(path.end, Cycles(9));
  ASSERT_EQ(path.pieces.size(), 1U);
  EXPECT_TRUE(path.pieces[0].sends);
}

}  // namespace
}  // namespace muster
