#include "plan/screening.h"

#include <gtest/gtest.h>

#include "machine/torus.h"
#include "plan/job.h"
#include "plan/plan_test_support.h"
#include "plan/ranking.h"

namespace muster {
namespace {

Job torus_job(std::int64_t tiles, std::int64_t count) {
  Job job{.machine = with_workers(shipped_machine("wormhole-n150"), tiles),
          .collective = Collective::allreduce,
          .count = count};
  job.arithmetic.type = ElementType::bf16;
  return job;
}

TEST(Screening, DoesNothingWhereNoSimulatorIsApproximate) {
  const Job job = wafer_job(Collective::reduce, 9, 1, 40);
  Candidates candidates = candidates_for(request_of(job));
  const Candidates before = candidates;
  screen(job, candidates);
  ASSERT_EQ(candidates.offered.size(), before.offered.size());
  for (std::size_t i = 0; i < before.offered.size(); ++i) {
    EXPECT_EQ(candidates.offered[i].choice.parameters, before.offered[i].choice.parameters);
    EXPECT_FALSE(candidates.offered[i].screened);
  }
}

TEST(Screening, PutsTheFastestFirstAndTriesTheParametersOfThoseNearIt) {
  const Job job = torus_job(16, 16'384);
  Candidates candidates = candidates_for(request_of(job));
  const std::size_t algorithms = candidates.offered.size();
  screen(job, candidates);
  EXPECT_GE(candidates.offered.size(), algorithms);
  const Ticks best = candidates.offered.front().screened.value();
  Job flows = job;
  flows.engine = Engine::stream;
  for (const Candidate& candidate : candidates.offered) {
    EXPECT_GE(candidate.time(), best) << candidate.choice.algorithm->name;
    if (!candidate.screened) continue;
    const SimulationAnswer answer = simulate(flows, candidate.choice);
    EXPECT_EQ(answer.result.cycles->value(), candidate.screened->value()) << candidate.choice.algorithm->name;
  }
}

TEST(Screening, LeavesParametersThatWereGiven) {
  Job job = torus_job(16, 16'384);
  job.given = {{"chunks", 2}};
  Candidates candidates = candidates_for(request_of(job), job.given);
  screen(job, candidates);
  for (const Candidate& candidate : candidates.offered) {
    const auto chunks = candidate.choice.parameters.find("chunks");
    if (chunks == candidate.choice.parameters.end()) continue;
    EXPECT_EQ(chunks->second, 2) << candidate.choice.algorithm->name;
  }
}

TEST(Screening, LeavesOneEntryOfEachAlgorithm) {
  const Job job = torus_job(8, 4096);
  std::set<std::string> names;
  for (const CandidateAnswer& candidate : rank(job, run_stages).answer.candidates) {
    EXPECT_TRUE(names.insert(candidate.algorithm).second) << candidate.algorithm;
  }
}

}  // namespace
}  // namespace muster
