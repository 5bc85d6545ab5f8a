// Simulated times and data against the paper's formulas and the reference, through the whole pipeline.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdlib>

#include "base/error.h"
#include "machine/mesh.h"
#include "plan/job.h"
#include "plan/plan_test_support.h"
#include "plan/stages.h"
#include "schedule/builder.h"

namespace muster {
namespace {

constexpr std::int64_t kRamp = 2;  // T_R of the ideal wafer

/// The simulated cycles, after checking that the data is right and no bound is beaten.
std::int64_t cycles_of(const Job& job, const SimulationAnswer& answer) {
  const std::string where =
      fmt::format("{} on {}, {} words, root {}", answer.algorithm, shape_text(job.machine), job.count, job.root);
  EXPECT_TRUE(answer.verified) << where << answer.refusal;
  EXPECT_FALSE(answer.result.fault) << where << ": " << answer.result.fault->message;
  EXPECT_TRUE(answer.result_correct) << where << ": " << answer.difference;
  EXPECT_GT(answer.checked_elements, 0) << where;
  if (!answer.result.cycles) return -1;
  for (const BoundAnswer& bound : bounds_of(job)) {
    if (bound.for_pipeline && answer.bound) {
      EXPECT_GE(*answer.result.cycles, *bound.cycles) << where << ": " << bound.name;
    }
  }
  return answer.result.cycles->value();
}

std::int64_t simulated(const Job& job, const std::string& algorithm, const Parameters& given = {}) {
  return cycles_of(job, simulate(job, choose_with_defaults(job, algorithm, given)));
}

/// One message from the last PE of a row to the first; nothing else happens.
Schedule message(NodeId processors, std::int64_t count) {
  ScheduleBuilder b({.nodes = processors, .count = count});
  const SpanId all = b.span({0, count});
  const StreamId stream = b.stream(processors - 1, 0, all);
  b.step(processors - 1, all).own(Buffer::input).push(stream);
  b.step(0, all).take(stream).store(Buffer::input);
  b.contract({.collective = Collective::broadcast,
              .ranks = {processors - 1, 0},
              .root = 0,
              .count = count,
              .to = Buffer::input});
  return std::move(b).finish();
}

/// What the paper's formula misses by at most, for every size.
void expect_near(std::int64_t cycles, std::int64_t formula, const std::string& what) {
  EXPECT_LE(std::abs(cycles - formula), 4) << what << ": " << cycles << " cycles, " << formula << " by the formula";
}

void check_formulas(std::int32_t p, std::int64_t b) {
  const Job reduce = wafer_job(Collective::reduce, p, 1, b);
  const Job broadcast = wafer_job(Collective::broadcast, p, 1, b);
  const std::string size = fmt::format(", P = {}, B = {}", p, b);
  expect_near(cycles_of(broadcast, simulate(broadcast, message(p, b))), b + p + 2 * kRamp, "message" + size);
  expect_near(simulated(broadcast, "flood"), b + p + 2 * kRamp, "flood" + size);
  expect_near(simulated(reduce, "chain"), b + (2 * kRamp + 2) * (p - 1), "chain" + size);
  expect_near(simulated(reduce, "star"), b * (p - 1) + 2 * kRamp + 1, "star" + size);
}

TEST(Simulation, AgreesWithThePaperFormulasAtTheEdges) {
  for (const std::int32_t p : {2, 3, 16, 63, 64}) {
    for (const std::int64_t b : {1, 2, 3, 255, 256}) check_formulas(p, b);
  }
}

RC_GTEST_PROP(Simulation, AgreesWithThePaperFormulasInBetween, ()) {
  check_formulas(*rc::gen::inRange(2, 65), *rc::gen::inRange(1, 257));
  RC_ASSERT(!testing::Test::HasFailure());
}

TEST(Simulation, OfTheIdealWaferIsExact) {
  const Job reduce = wafer_job(Collective::reduce, 16, 1, 40);
  EXPECT_EQ(simulated(reduce, "chain"), 40 + (2 * kRamp + 2) * 15 - 1);
  EXPECT_EQ(simulated(reduce, "star"), 40 * 15 + 2 * kRamp + 1);
  EXPECT_EQ(simulated(wafer_job(Collective::broadcast, 16, 1, 40), "flood"), 40 + 15 + 2 * kRamp);
}

TEST(Simulation, FollowsThePredictionWhenRampsAndHopsTakeLonger) {
  for (const std::int64_t ramp : {1, 7}) {
    for (const std::int64_t hop : {1, 3}) {
      Job job = wafer_job(Collective::reduce, 9, 1, 50);
      Mesh& mesh = *as<Mesh>(job.machine);
      mesh.ramp_latency = Cycles(ramp);
      mesh.hop_latency = Cycles(hop);
      expect_near(simulated(job, "chain"), 50 + (2 * ramp + hop + 1) * 8, fmt::format("chain, {}, {}", ramp, hop));
      expect_near(simulated(job, "star"), 50 * 8 + 2 * ramp + hop, fmt::format("star, {}, {}", ramp, hop));
      simulated(job, "two-phase");
      job.collective = Collective::broadcast;
      expect_near(simulated(job, "flood"), 50 + hop * 8 + 2 * ramp, fmt::format("flood, {}, {}", ramp, hop));
    }
  }
}

RC_GTEST_PROP(Simulation, OfEveryAlgorithmComputesTheReferenceAndBeatsNoBound, ()) {
  const bool grid = *rc::gen::inRange(0, 4) == 0;
  const std::int32_t length = *rc::gen::inRange(1, grid ? 7 : 40);
  const std::int32_t other = grid ? *rc::gen::inRange(1, 7) : 1;
  const bool row = *rc::gen::arbitrary<bool>();
  Job job = wafer_job(Collective::reduce, row ? length : other, row ? other : length, *rc::gen::inRange(1, 40));
  job.root = *rc::gen::inRange(0, length * other);
  job.calls = *rc::gen::inRange(1, 3);
  job.arithmetic = {.type = *rc::gen::element(ElementType::f32, ElementType::f16, ElementType::i32),
                    .op = *rc::gen::element(Operator::sum, Operator::max)};
  const Job asked = job;
  for (const Algorithm& algorithm : algorithms_of("mesh")) {
    job = sized_for(asked, algorithm.collective);
    const Request request = request_of(job);
    if (algorithm.family != "mesh" || algorithm.unsupported(request)) continue;
    Parameters given;
    for (const ParameterSpec& spec : algorithm.parameters) {
      given[spec.name] = *rc::gen::inRange(spec.least(request), spec.most(request) + 1);
    }
    try {
      simulated(job, algorithm.name, given);
    } catch (const InputError&) {
      simulated(job,
                algorithm.name);  // many parts can need more queues or colors than there are; the default never does
    }
  }
  RC_ASSERT(!testing::Test::HasFailure());
}

TEST(Simulation, OfAScheduleFromElsewhereIsRefusedWithACounterexample) {
  const Job job = wafer_job(Collective::reduce, 3, 1, 4);
  ScheduleBuilder b({.nodes = 3, .count = 4});
  const SpanId all = b.span({0, 4});
  const StreamId stream = b.stream(1, 0, all);
  b.step(1, all).own(Buffer::input).push(stream);
  b.step(0, all).own(Buffer::input).take(stream).store(Buffer::output);
  b.contract({.collective = Collective::reduce, .ranks = {0, 1, 2}, .root = 0, .count = 4});
  const SimulationAnswer answer = simulate(job, std::move(b).finish());
  EXPECT_FALSE(answer.verified);
  EXPECT_FALSE(answer.result_correct);
  EXPECT_FALSE(answer.refusal.empty());
  EXPECT_FALSE(answer.result.cycles);
}

TEST(Simulation, CountsElementsAsTheUserDoes) {
  Job job = wafer_job(Collective::reduce, 9, 1, 7);
  job.arithmetic.type = ElementType::f16;
  EXPECT_EQ(simulate(job, choose(job, "chain", {})).checked_elements, 7) << "the eighth half is padding";
  job.calls = 3;
  EXPECT_EQ(simulate(job, choose(job, "chain", {})).checked_elements, 3 * 7);
  job.collective = Collective::broadcast;
  EXPECT_EQ(simulate(job, choose(job, "flood", {})).checked_elements, 3 * 7 * 9);
  job.count = 8;
  EXPECT_EQ(simulate(job, choose(job, "flood", {})).checked_elements, 3 * 8 * 9);
  job.arithmetic.type = ElementType::f32;
  EXPECT_EQ(simulate(job, choose(job, "flood", {})).checked_elements, 3 * 8 * 9);
}

TEST(Simulation, CountsThePaddingOfAVectorInBlocksOnce) {
  Job job = wafer_job(Collective::reduce, 3, 1, 11);
  job.arithmetic.type = ElementType::f16;
  Schedule blocks;
  blocks.contracts.push_back({.collective = Collective::reduce_scatter, .ranks = {0, 1, 2}, .count = 6});
  EXPECT_EQ(elements_compared(job, blocks, 6), 11);
  EXPECT_EQ(elements_compared(job, blocks, 12), 22);
}

TEST(Simulation, RunsBelowTheBoundOfThePapersModelButNotBelowAProvenOne) {
  const Job job = wafer_job(Collective::reduce, 16, 1, 1);
  const std::vector<BoundAnswer> bounds = bounds_of(job);
  EXPECT_EQ(bounds.back().name, "paper 1d (Lemma 5.5)");
  EXPECT_FALSE(bounds.back().for_pipeline);
  EXPECT_LT(Cycles(simulated(job, "star")), *bounds.back().cycles);
}

TEST(Simulation, NamesPredictionAndBound) {
  const Job job = wafer_job(Collective::reduce, 9, 1, 10);
  const SimulationAnswer answer = simulate(job, choose(job, "two-phase", {{"group", 2}}));
  EXPECT_EQ(answer.parameters.at("group"), 2);
  EXPECT_EQ(answer.bound->name, "space-time");
  EXPECT_EQ(answer.bound->cycles, Cycles(27));
  EXPECT_TRUE(answer.predicted_cycles.has_value());
  EXPECT_EQ(answer.question.shape.sizes, (std::vector<std::int64_t>{9, 1}));
}

}  // namespace
}  // namespace muster
