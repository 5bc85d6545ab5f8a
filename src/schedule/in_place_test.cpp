// Input and output in one buffer.
#include "schedule/in_place.h"

#include <gtest/gtest.h>

#include <utility>

#include "schedule/builder.h"
#include "schedule/interpret.h"

namespace muster {
namespace {

/// PE 2 → PE 1 → PE 0, which keeps the sum; `again`: PE 0 then reads its own vector once more.
Schedule chain_of_three(bool again) {
  ScheduleBuilder b({.nodes = 3, .count = 8, .scratch = 8});
  const SpanId all = b.span({0, 8});
  const StreamId s = b.stream(2, 1, all), t = b.stream(1, 0, all);
  b.step(2, all).own(Buffer::input).push(s);
  b.step(1, all).take(s).own(Buffer::input).push(t);
  b.step(0, all).take(t).own(Buffer::input).store(Buffer::output);
  if (again) b.step(0, all).own(Buffer::input).store(Buffer::scratch);
  b.contract({.collective = Collective::reduce, .ranks = {0, 1, 2}, .root = 0, .count = 8});
  return std::move(b).finish();
}

TEST(InPlace, KeepsTheResultAndNeedsOneVector) {
  const Arithmetic integers{.type = ElementType::i32, .op = Operator::sum};
  const Schedule two = chain_of_three(false);
  const Schedule single_buffer = in_place(two);
  EXPECT_EQ(single_buffer.extent, (std::array<std::int64_t, kBuffers>{8, 0, 8}));
  EXPECT_EQ(single_buffer.contracts[0].to, Buffer::input);
  EXPECT_EQ(interpret(single_buffer, integers, 5)[0], interpret(two, integers, 5)[0]);
}

TEST(InPlace, ARootInPlaceHoldsItsVectorWhereAllDo) {
  const Arithmetic integers{.type = ElementType::i32, .op = Operator::sum};
  Schedule two = chain_of_three(false);
  two.contracts[0].root_in_place = true;
  for (Step& step : two.steps) {
    if (step.store == Buffer::output) step.own = Buffer::output;
  }
  const Schedule single_buffer = in_place(two);
  EXPECT_FALSE(single_buffer.contracts[0].root_in_place);
  EXPECT_EQ(single_buffer.contracts[0].from, single_buffer.contracts[0].to);
  EXPECT_EQ(interpret(single_buffer, integers, 5)[0], interpret(two, integers, 5)[0]);
}

TEST(InPlace, DoesNothingTwice) {
  const Schedule single_buffer = in_place(chain_of_three(true));
  EXPECT_EQ(in_place(single_buffer).extent, single_buffer.extent);
  EXPECT_EQ(in_place(single_buffer).contracts[0], single_buffer.contracts[0]);
}

}  // namespace
}  // namespace muster
