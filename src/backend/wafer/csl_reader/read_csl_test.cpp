#include "backend/wafer/csl_reader/read_csl.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "backend/wafer/csl/form.h"
#include "backend/wafer/csl/samples.h"
#include "backend/wafer/csl_reader/compare.h"

namespace muster::wafer {
namespace {

using samples::program_of;

CslSource emitted(const WaferProgram& program, const EmitOptions& options = {}) {
  const auto files = emit_csl(program, options);
  if (!files) throw std::runtime_error(files.reason());
  CslSource source;
  for (const EmittedFile& file : files.value()) source.files[file.name] = file.text;
  return source;
}

/// What is wrong with the program that its own text describes: nothing, if all is well. What is compared with is the form
/// that CSL can say; most programs are in it as they are.
std::string lost(const WaferProgram& program, const EmitOptions& options = {}) {
  const auto read = read_csl(emitted(program, options), program.machine);
  return difference(csl_form(program), *read, {options.offset_x, options.offset_y}).value_or("");
}

std::unique_ptr<WaferProgram> lowered(ScheduleBuilder builder, const std::string& machine, std::int32_t places,
                                      Arithmetic arithmetic = {}) {
  return samples::lowered(std::move(builder).finish(), samples::row_of(machine, places), arithmetic);
}

/// A chain towards place 0, which sends the sum back as it comes: its last step takes, combines, stores and pushes.
std::unique_ptr<WaferProgram> fused_allreduce(const std::string& machine, std::int32_t places,
                                              Arithmetic arithmetic = {}) {
  ScheduleBuilder b({.nodes = places, .count = 12});
  const SpanId all = b.span({0, 12});
  std::vector<StreamId> up{-1};
  std::vector<NodeId> others;
  for (std::int32_t x = 1; x < places; ++x) {
    up.push_back(b.stream(x, x - 1, all));
    others.push_back(x);
  }
  const StreamId down = b.multicast(0, others, all);
  for (std::int32_t x = 1; x < places; ++x) {
    auto step = b.step(x, all).own(Buffer::input);
    if (x + 1 < places) step.take(up[static_cast<std::size_t>(x) + 1]);
    step.push(up[static_cast<std::size_t>(x)]);
  }
  b.step(0, all).own(Buffer::input).take(up[1]).store(Buffer::output).push(down);
  for (const NodeId x : others) b.step(x, all).take(down).store(Buffer::output);
  b.contract({.collective = Collective::allreduce, .ranks = samples::all_ranks(places), .root = 0, .count = 12});
  return lowered(std::move(b), machine, places, arithmetic);
}

/// A ring of exchanges: every place passes blocks to its right, adding on the first round and storing on the second.
std::unique_ptr<WaferProgram> ring(const std::string& machine, std::int32_t places, std::int64_t count,
                                   Arithmetic arithmetic = {}) {
  ScheduleBuilder b({.nodes = places, .count = count});
  const auto block_of = [&](std::int32_t i) { return b.span(block(count, places, (i % places + places) % places)); };
  for (std::int32_t k = 0; k < 2 * (places - 1); ++k) {
    const bool adding = k < places - 1;
    std::vector<StreamId> to_right;
    for (std::int32_t i = 0; i < places; ++i) to_right.push_back(b.stream(i, (i + 1) % places, block_of(i - k)));
    for (std::int32_t i = 0; i < places; ++i) {
      const StreamId from_left = to_right[static_cast<std::size_t>((i + places - 1) % places)];
      auto step = b.step(i, block_of(i - 1 - k)).take(from_left);
      if (adding) step.own(Buffer::input);
      step.store(Buffer::output).push(to_right[static_cast<std::size_t>(i)]);
      step.send_old(k == 0 ? Buffer::input : Buffer::output, block_of(i - k));
    }
  }
  b.contract({.collective = Collective::allreduce, .ranks = samples::all_ranks(places), .root = 0, .count = count});
  return lowered(std::move(b), machine, places, arithmetic);
}

TEST(ReadCsl, RebuildsEveryShapeOnBothMachines) {
  for (const std::string machine : {"wse2", "wse3"}) {
    for (const std::string& shape : samples::shapes()) {
      for (const std::int32_t places : {2, 3, 5, 8, 13, 64, 100}) {
        EXPECT_EQ(lost(*program_of(machine, shape, places)), "") << machine << " " << shape << " " << places;
      }
    }
  }
}

TEST(ReadCsl, RebuildsEveryTypeAndOperatorThatIsEmitted) {
  for (const std::string machine : {"wse2", "wse3"}) {
    for (const ElementType type : {ElementType::f32, ElementType::f16}) {
      for (const Operator op : {Operator::sum, Operator::max, Operator::prod}) {
        EXPECT_EQ(lost(*program_of(machine, "tree", 9, 16, {type, op})), "");
      }
    }
    EXPECT_EQ(lost(*program_of(machine, "flood", 9, 16, {ElementType::i32, Operator::sum})), "");
  }
}

TEST(ReadCsl, RebuildsWhatIsWrittenWithAFunctionForLackOfAnInstruction) {
  for (const Operator op : {Operator::sum, Operator::max, Operator::min, Operator::prod}) {
    EXPECT_EQ(lost(*program_of("wse2", "tree", 9, 16, {ElementType::i32, op})), "") << operator_name(op);
  }
  EXPECT_EQ(lost(*program_of("wse3", "two-phase", 9, 16, {ElementType::f32, Operator::min})), "");
  EXPECT_EQ(lost(*ring("wse2", 3, 12, {ElementType::i32, Operator::min})), "");
}

TEST(ReadCsl, RebuildsAStepThatStoresAndSendsAsTwo) {
  for (const std::string machine : {"wse2", "wse3"}) {
    for (const std::int32_t places : {2, 3, 7}) EXPECT_EQ(lost(*fused_allreduce(machine, places)), "");
  }
  const auto program = fused_allreduce("wse2", 5);
  EXPECT_NE(difference(*program, csl_form(*program)), std::nullopt);
}

TEST(ReadCsl, RebuildsExchanges) {
  for (const std::string machine : {"wse2", "wse3"}) {
    for (const std::int32_t places : {2, 3, 4}) EXPECT_EQ(lost(*ring(machine, places, 18)), "") << machine << places;
    EXPECT_EQ(lost(*ring(machine, 3, 18, {ElementType::f16, Operator::max})), "");
  }
}

TEST(ReadCsl, TheFormThatCslCanSayComputesTheSame) {
  for (const auto& program : {fused_allreduce("wse2", 5), ring("wse2", 4, 10)}) {
    const Result result = simulate(csl_form(*program), {.calls = 2});
    EXPECT_FALSE(result.fault) << result.fault->message;
  }
}

TEST(ReadCsl, RebuildsAProgramAtAnOffsetAmongIdleProcessors) {
  EXPECT_EQ(lost(*program_of("wse2", "tree", 6), {.offset_x = 3, .offset_y = 2}), "");
}

TEST(ReadCsl, TakesParametersOfTheCommandLine) {
  const auto program = program_of("wse2", "chain", 4, 16);
  CslSource source = emitted(*program);
  source.parameters = {{"count", "40"}, {"offset_x", "1"}};
  const auto read = read_csl(source, program->machine);
  EXPECT_EQ(difference(*program_of("wse2", "chain", 4, 40), *read, {1, 0}).value_or(""), "");
}

RC_GTEST_PROP(ReadCsl, RebuildsEveryPreOrderTree, ()) {
  const auto places = *rc::gen::inRange(2, 24);
  std::vector<std::int32_t> path{0};
  std::vector<std::int32_t> parents{-1};
  for (std::int32_t x = 1; x < places; ++x) {
    path.resize(static_cast<std::size_t>(*rc::gen::inRange<int>(1, static_cast<int>(path.size()) + 1)));
    parents.push_back(path.back());
    path.push_back(x);
  }
  const auto schedule =
      samples::reduce(places, 4, [&](std::int32_t x) { return parents[static_cast<std::size_t>(x)]; });
  const auto program = lower(schedule, samples::row_of("wse3", places), {});
  RC_PRE(program.ok());
  RC_ASSERT(lost(*program.value()) == "");
}

}  // namespace
}  // namespace muster::wafer
