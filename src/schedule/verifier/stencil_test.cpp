// Time steps of the wave equation: proven for any grid, equal to the triple loop, and refused with the right counterexample as soon
// as one thing is wrong.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "base/source_dir.h"
#include "schedule/interpret.h"
#include "schedule/phase.h"
#include "schedule/text.h"
#include "schedule/verifier/stencil_test_support.h"
#include "schedule/verifier/time_steps.h"
#include "schedule/verifier/verify_stages.h"
#include "schedule/verifier/verify_test_support.h"

namespace muster {
namespace {

using namespace muster::examples;

Wave random_wave(bool may_have_velocity = true) {
  const auto number = [](std::int32_t least, std::int32_t end) { return *rc::gen::inRange(least, end); };
  return {.width = number(1, 7),
          .height = number(1, 6),
          .radius = number(1, 5),
          .count = number(1, 12),
          .has_velocity = may_have_velocity && number(0, 2) == 1};
}

RC_GTEST_PROP(Stencil, IsProvenForAnyGridAndRadius, ()) {
  const Wave wave = random_wave();
  const Schedule schedule = wave_step(wave);
  const Verdict verdict = verify(schedule, mesh(wave.width, wave.height));
  if (!verdict.verified()) RC_FAIL(verdict.counterexample->message);
  RC_ASSERT(verdict.error_probability > 0);
  RC_ASSERT(verdict.error_probability < 1e-9);
}

RC_GTEST_PROP(Stencil, EqualsTheTripleLoopBitForBit, ()) {
  const Wave wave = random_wave();
  const auto phases = *rc::gen::inRange(1, 4);
  const auto repeat = phases % 2 == 0 ? *rc::gen::inRange(1, 3) : 1;
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const Schedule schedule = wave_steps(wave, phases, repeat);
  const Outputs outputs = interpret(schedule, Arithmetic{}, seed);
  WaveLoops loops(wave, seed);
  for (std::int64_t step = 0; step < phases * repeat; ++step) loops.step();
  for (NodeId node = 0; node < wave.nodes(); ++node) {
    for (std::int64_t k = 0; k < wave.end(); ++k) {
      RC_ASSERT(outputs[at(node)][at(k)] == std::bit_cast<Word>(loops.now()[at(node)][at(k)]));
    }
  }
}

RC_GTEST_PROP(Stencil, IsTheSameAfterWritingAndReadingItsText, ()) {
  const Wave wave = random_wave();
  const Schedule step = wave_step(wave);
  const std::string text = to_text(step);
  RC_ASSERT(to_text(parse_schedule(text, "again.json")) == text);
  RC_ASSERT(is_verified(parse_schedule(text, "again.json"), mesh(wave.width, wave.height)));
  const std::string steps = to_text(wave_steps(wave, 2, 3));
  RC_ASSERT(to_text(parse_schedule(steps, "again.json")) == steps);
}

RC_GTEST_PROP(Stencil, StepsAreProvenAsPhases, ()) {
  const Wave wave = random_wave();
  const auto phases = *rc::gen::inRange(1, 5);
  const std::int64_t repeat = phases % 2 == 0 ? *rc::gen::inRange(1, 1'000'000) : 1;
  const Verdict verdict = verify(wave_steps(wave, phases, repeat), mesh(wave.width, wave.height));
  if (!verdict.verified()) RC_FAIL(verdict.counterexample->message);
}

/// The induction of verify_time_steps.cpp, held against steps that are written out.
RC_GTEST_PROP(Stencil, StepsAreProvenWrittenOut, ()) {
  const Wave wave = random_wave(false);
  const Verdict verdict = verify(expand(wave_steps(wave, 2, 1)), mesh(wave.width, wave.height));
  if (!verdict.verified()) RC_FAIL(verdict.counterexample->message);
}

/// A step of a schedule at a node, counted among those of its last lane: products, along z, (velocity,) difference.
StepId step_of_sum(const Schedule& schedule, NodeId node, std::int32_t number) {
  return schedule.lanes_of(node).back().first + number;
}

Wave wave_to_break() {
  Wave wave = random_wave();
  wave.width = std::max(wave.width, 3);
  wave.radius = std::max(wave.radius, 2);
  wave.count += wave.radius;  // every term reads some cell that is not zero
  return wave;
}

struct Broken {
  Wave wave = wave_to_break();
  Schedule schedule = wave_step(wave);
  NodeId node = *rc::gen::inRange(0, wave.nodes());

  Step& sum(std::int32_t number) { return schedule.steps[at(step_of_sum(schedule, node, number))]; }
  [[nodiscard]] Counterexample refused() const { return refusal(schedule, mesh(wave.width, wave.height)); }
};

RC_GTEST_PROP(Stencil, WithAWrongCoefficientHasAForeignTerm, ()) {
  Broken broken;
  auto& factors = broken.schedule.factors;
  std::vector<std::size_t> with_factor;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    if (factors[i] != kOne && !broken.schedule.coefficients[at(factors[i])].is_array()) with_factor.push_back(i);
  }
  std::int32_t& factor = factors[*rc::gen::elementOf(with_factor)];
  factor = (factor + 1) % static_cast<std::int32_t>(2 * broken.wave.radius + 2);
  const Counterexample found = broken.refused();
  RC_ASSERT(found.kind == Kind::foreign);
  RC_ASSERT(found.node.has_value());
  RC_ASSERT(found.element.has_value());
}

RC_GTEST_PROP(Stencil, WithoutATermLacksIt, ()) {
  Broken broken;
  Step& products = broken.sum(0);
  RC_PRE(products.operands.count > 1);
  --products.operands.count;
  RC_ASSERT(broken.refused().kind == Kind::missing);
}

RC_GTEST_PROP(Stencil, WithATermOfAnotherCellIsRefused, ()) {
  Broken broken;
  const Step& along_z = broken.sum(1);
  const auto term = along_z.operands.first + 1 + *rc::gen::inRange(0, 2 * broken.wave.radius);
  StreamId& operand = broken.schedule.operands[at(term)];
  const std::int64_t first = broken.schedule.spans.hull(broken.schedule.term_of(operand).elements).first;
  const std::int64_t other =
      *rc::gen::distinctFrom(rc::gen::inRange<std::int64_t>(0, 2 * broken.wave.radius + 1), first);
  const SpanId span = broken.schedule.spans.add(Range{other, broken.wave.count});
  operand = term_operand(static_cast<std::int32_t>(broken.schedule.terms.size()));
  broken.schedule.terms.push_back({Buffer::input, span});
  // Its new cell may be owed too, with the same coefficient.
  const auto kind = broken.refused().kind;
  RC_ASSERT(kind == Kind::foreign || kind == Kind::missing || kind == Kind::doubled);
}

RC_GTEST_PROP(Stencil, WithANeighbourTwiceCountsItTwice, ()) {
  Broken broken;
  const Step& products = broken.sum(0);
  RC_PRE(products.operands.count > 2);
  const auto first = at(products.operands.first) + 1;
  broken.schedule.operands[first] = broken.schedule.operands[first + 1];
  const Counterexample found = broken.refused();
  RC_ASSERT(found.kind == Kind::missing || found.kind == Kind::doubled);
}

RC_GTEST_PROP(Stencil, WithStreamsExchangedHasForeignTerms, ()) {
  Broken broken;
  std::vector<StreamId*> taken;
  for (const Lane& lane : broken.schedule.lanes_of(broken.node)) {
    const Step& step = broken.schedule.steps[at(lane.first)];
    StreamId& operand = broken.schedule.operands[at(step.operands.first)];
    if (is_stream(operand)) taken.push_back(&operand);
  }
  RC_PRE(taken.size() > 1);
  // Neighbours at one distance in two directions have one coefficient; then only the order of additions differs.
  const auto factor = [&](const StreamId* operand) {
    return broken.schedule.factors[at(operand - broken.schedule.operands.data())];
  };
  RC_PRE(factor(taken[0]) != factor(taken[1]));
  std::swap(*taken[0], *taken[1]);
  RC_ASSERT(broken.refused().kind == Kind::foreign);
}

RC_GTEST_PROP(Stencil, ThatStoresInUnIsRefused, ()) {
  Broken broken;
  Step& difference = broken.sum(broken.wave.has_velocity ? 3 : 2);
  difference.store = Buffer::input;
  const Counterexample found = broken.refused();
  RC_ASSERT(found.kind == Kind::race);  // the sends read it
}

RC_GTEST_PROP(Stencil, ThatOverwritesTooEarlyIsRefused, ()) {
  Broken broken;
  Step& along_z = broken.sum(1);
  along_z.store = Buffer::output;  // u(n-1) is needed in the last step
  along_z.store_elements = along_z.elements;
  const Counterexample found = broken.refused();
  RC_ASSERT(found.kind == Kind::foreign || found.kind == Kind::missing);
}

/// Whether every element has exactly the contributions that it owes, found one by one.
bool holds_exactly(const Schedule& schedule, const Machine& machine) {
  const verifier::Subject subject{.schedule = schedule, .machine = machine};
  const ScheduleIndex index(schedule);
  const verifier::Dependencies dependencies = verifier::dependencies_of(subject, index);
  std::vector<verifier::Vertex> order;
  (void)verifier::check_waits(subject, index, dependencies, order);
  const Contract& contract = schedule.contracts.front();
  verifier::Contributions contributions(schedule, VerifyOptions{});
  const verifier::TimeSteps steps(schedule, contract, contributions);
  for (std::int32_t rank = 0; rank < std::ssize(contract.ranks); ++rank) {
    for (std::int64_t element = 0; element < 2 * vector_end(contract); ++element) {
      const bool newest = element < vector_end(contract);
      const std::int64_t e = newest ? element : element - vector_end(contract);
      verifier::Products has =
          verifier::Tracer(subject, index, dependencies, order)
              .products_of_memory(contract.ranks[at(rank)], newest ? contract.to : contract.from, e);
      std::erase_if(has, [&](const auto& entry) {
        const std::int64_t from = entry.first.element - contract.margin;
        return from < 0 || from >= contract.count;
      });
      if (has != steps.products(rank, newest, e)) return false;
    }
  }
  return true;
}

RC_GTEST_PROP(Stencil, IsProvenIfAndOnlyIfEveryElementIsRight, ()) {
  Wave wave = random_wave();
  wave.width = std::min(wave.width, 4);
  wave.height = std::min(wave.height, 3);
  Schedule schedule = wave_step(wave);
  const auto number = [](std::size_t end) { return *rc::gen::inRange<std::size_t>(0, end); };
  const std::size_t mutations = number(3);
  for (std::size_t i = 0; i < mutations; ++i) {
    if (number(2) == 0) {
      schedule.factors[number(schedule.factors.size())] =
          static_cast<std::int32_t>(number(schedule.coefficients.size() + 1)) - 1;
    } else {
      const std::size_t operand = number(schedule.operands.size());
      if (is_term(schedule.operands[operand]))
        schedule.operands[operand] = term_operand(static_cast<std::int32_t>(number(schedule.terms.size())));
    }
  }
  const Machine machine = mesh(wave.width, wave.height);
  const Verdict verdict = verify(schedule, machine);
  const bool by_contributions =
      verdict.verified() ||
      (verdict.counterexample->element && verdict.counterexample->kind != Kind::too_early &&
       verdict.counterexample->kind != Kind::race && verdict.counterexample->kind != Kind::malformed);
  if (by_contributions) RC_ASSERT(verdict.verified() == holds_exactly(schedule, machine));
}

TEST(Stencil, OfTheCorpusIsProven) {
  for (const char* name : {"stencil.json", "time_steps.json", "sources_and_receivers.json"}) {
    const std::string path = source_dir() + "/fuzz/corpus/schedule/" + name;
    std::ifstream file(path);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    EXPECT_TRUE(is_verified(parse_schedule(text, name), mesh(2, 1))) << name;
  }
}

TEST(Stencil, NamesRankElementAndTerm) {
  Schedule schedule = wave_step({.width = 4, .height = 3, .radius = 2, .count = 5});
  for (std::size_t i = 0; i < schedule.factors.size(); ++i) {
    const bool is_x2 = schedule.factors[i] != kOne && schedule.coefficients[at(schedule.factors[i])].name == "c_x2";
    if (is_x2) {
      --schedule.factors[i];
      break;
    }
  }
  const Counterexample found = refusal(schedule, mesh(4, 3));
  EXPECT_EQ(found.message,
            "PE (2,0), in element 2 of output, owes c_x2 x element 2 of input of PE (0,0), but has c_x1 x element 2 of "
            "input of PE (0,0) instead");
}

// Contracts and tables that are refused, and phases that are no time steps.

struct Refused {
  Wave wave{.width = 3, .height = 2, .radius = 2, .count = 4};
  Schedule schedule = wave_step(wave);

  Contract& contract() { return schedule.contracts.front(); }
  [[nodiscard]] ::testing::AssertionResult with(const std::string& text) const {
    return says(refusal(schedule, mesh(wave.width, wave.height)), text);
  }
};

TEST(StencilContract, IsRefusedWithWhatItCannotMean) {
  Refused refused;
  const Contract good = refused.contract();
  const auto changed = [&](auto change) {
    refused.contract() = good;
    change(refused.contract());
  };
  changed([](Contract& c) { c.terms.push_back(c.terms.front()); });
  EXPECT_TRUE(refused.with("contract 0 has term 14 twice"));
  changed([](Contract& c) { c.terms[1].dz = 3; });
  EXPECT_TRUE(refused.with("contract 0 has term 1 with dz 3, beyond its margin of 2"));
  changed([](Contract& c) { c.terms[1].coefficient = "c_y1"; });
  EXPECT_TRUE(refused.with("contract 0 has term 1 with coefficient 'c_y1', which the schedule does not have"));
  changed([](Contract& c) { c.terms[1].array = "c0"; });
  EXPECT_TRUE(refused.with("contract 0 has term 1 with array 'c0', which the schedule does not have"));
  changed([](Contract& c) { c.terms[1].buffer = Buffer::scratch; });
  EXPECT_TRUE(refused.with("contract 0 has term 1 of scratch; use input or output"));
  changed([](Contract& c) { c.columns = 4; });
  EXPECT_TRUE(refused.with("contract 0 has 4 columns for 6 ranks"));
  changed([](Contract& c) { c.to = c.from; });
  EXPECT_TRUE(refused.with("contract 0 has u(n) and u(n-1) in input; use two buffers"));
  changed([](Contract& c) { c.steps = 5; });
  EXPECT_TRUE(refused.with("contract 0 is 5 time steps, of which steps of nodes are proven up to 4"));
  changed([](Contract& c) { c.count = 5; });
  EXPECT_TRUE(refused.with("contract 0 needs 9 elements in input, which has 8"));
}

TEST(Coefficients, AreRefusedWithTwoMeaningsOrNone) {
  Refused refused;
  auto& table = refused.schedule.coefficients;
  const auto good = table;
  table[1].name = table[0].name;
  EXPECT_TRUE(refused.with("two coefficients are named 'c0'"));
  table = good;
  table[1].name = "2x";
  EXPECT_TRUE(refused.with("coefficient 1 has no proper name"));
  table = good;
  table[1].value = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(refused.with("coefficient 'c_x1' is inf; use a finite value"));
  table = good;
  refused.schedule.factors.pop_back();
  EXPECT_TRUE(refused.with("list one for each, or none"));
}

TEST(Coefficients, OfTwoArraysInOneContributionAreRefused) {
  Refused refused{.wave = {.width = 2, .height = 1, .radius = 1, .count = 3, .has_velocity = true}};
  refused.schedule = wave_step(refused.wave);
  Schedule& schedule = refused.schedule;
  schedule.factors[at(schedule.steps[at(step_of_sum(schedule, 0, 0))].operands.first)] =
      static_cast<std::int32_t>(schedule.coefficients.size()) - 1;
  EXPECT_TRUE(refused.with("with array 'v' what has an array as a factor already"));
}

TEST(Coefficients, DoNotGoWithOtherOperators) {
  const Schedule schedule = wave_step({.width = 2, .height = 2, .radius = 1, .count = 3});
  EXPECT_THROW((void)interpret(schedule, {.type = ElementType::f16}, 1), InputError);
  EXPECT_THROW((void)interpret(schedule, {.op = Operator::max}, 1), InputError);
}

TEST(Model, IsNotStoredIn) {
  Refused refused{.wave = {.width = 2, .height = 1, .radius = 1, .count = 3, .has_velocity = true}};
  refused.schedule = wave_step(refused.wave);
  refused.schedule.steps[at(step_of_sum(refused.schedule, 1, 3))].store = Buffer::model;
  EXPECT_TRUE(refused.with("stores in model, which is for constants; use scratch"));
}

TEST(TimeSteps, ThatAreNoneAreRefused) {
  Refused refused;
  const Schedule good = wave_steps(refused.wave, 2, 3);
  refused.schedule = good;
  refused.schedule.phases[1].after.clear();
  EXPECT_TRUE(refused.with("phase 1: does not come after phase 0, the time step before it"));
  refused.schedule = good;
  std::swap(refused.schedule.phases[0].input, refused.schedule.phases[0].output);
  EXPECT_TRUE(refused.with("phase 1: goes from output to input, after phase 0 went from output to input"));
  refused.schedule = good;
  refused.schedule.repeat = 4;
  EXPECT_TRUE(refused.with("the contract is 6 time steps, but 2 phases run 4 times"));
  refused.schedule = wave_steps(refused.wave, 1, 1);
  refused.schedule.repeat = refused.schedule.contracts.front().steps = 2;
  EXPECT_TRUE(refused.with("phase 0: goes from input to output, after phase 0 went from input to output"));
  refused.schedule = good;
  refused.schedule.contracts.front().terms.pop_back();
  EXPECT_TRUE(refused.with("phase 0: part 0 has other terms than the schedule's contract"));
  refused.schedule = wave_step(refused.wave);
  refused.schedule.repeat = 2;
  EXPECT_TRUE(refused.with("a schedule of steps is repeated 2 times; repeat phases"));
}

}  // namespace
}  // namespace muster
