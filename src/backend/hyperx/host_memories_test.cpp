#include "backend/hyperx/host_memories.h"

#include <gtest/gtest.h>

#include "backend/hyperx/test_schedules.h"

namespace muster::hyperx {
namespace {

HostProgram program_with(Schedule schedule) {
  HostProgram program;
  program.machine = two_cores();
  program.arithmetic = {.type = ElementType::i32};
  program.schedule = std::move(schedule);
  return program;
}

std::vector<Word> inputs(const HostProgram& program, NodeId rank, std::int64_t count, std::uint64_t seed) {
  std::vector<Word> words(static_cast<std::size_t>(count));
  program.arithmetic.inputs(rank, 0, seed, words);
  return words;
}

TEST(HostMemories, CombineWhatWasSentWithWhatIsHeld) {
  const HostProgram program = program_with(exchange_of_two(3));
  HostMemories memories(program, 7);
  const Step& left = program.schedule.steps[0];
  const Step& right = program.schedule.steps[1];
  memories.send(0, left);
  memories.send(1, right);
  memories.finish(0, left);
  memories.finish(1, right);
  std::vector<Word> sum = inputs(program, 0, 3, 7);
  program.arithmetic.combine(sum, inputs(program, 1, 3, 7));
  EXPECT_EQ(memories.outputs(), (Outputs{sum, sum}));
}

/// Core 0 overwrites its vector after it has sent it.
TEST(HostMemories, SendWhatIsHeldWhenAStepBegins) {
  ScheduleBuilder b({.nodes = 2, .count = 2});
  const SpanId all = b.span({0, 2});
  const StreamId right = b.stream(0, 1, all), left = b.stream(1, 0, all);
  b.step(0, all).take(left).store(Buffer::input).push(right).send_old(Buffer::input, all);
  b.step(1, all).take(right).store(Buffer::input).push(left).send_old(Buffer::input, all);
  b.contract({.collective = Collective::allreduce, .ranks = {0, 1}, .count = 2, .to = Buffer::input});
  const HostProgram program = program_with(std::move(b).finish());
  HostMemories memories(program, 1);
  memories.send(0, program.schedule.steps[0]);
  memories.send(1, program.schedule.steps[1]);
  memories.finish(0, program.schedule.steps[0]);
  memories.finish(1, program.schedule.steps[1]);
  EXPECT_EQ(memories.outputs(), (Outputs{inputs(program, 1, 2, 1), inputs(program, 0, 2, 1)})) << "they changed places";
}

TEST(HostMemories, StoreScatteredElementsWhereTheyBelong) {
  ScheduleBuilder b({.nodes = 2, .count = 4});
  const std::vector<Range> ends{{0, 1}, {3, 1}};
  const SpanId outer = b.span(ends), middle = b.span({1, 2});
  const StreamId right = b.stream(0, 1, outer);
  b.step(0, outer).own(Buffer::input).push(right);
  b.step(1, outer).take(right).store(Buffer::input, middle);
  b.contract({.collective = Collective::reduce, .ranks = {0, 1}, .root = 1, .count = 4, .to = Buffer::input});
  const HostProgram program = program_with(std::move(b).finish());
  HostMemories memories(program, 1);
  memories.send(0, program.schedule.steps[0]);
  memories.finish(0, program.schedule.steps[0]);
  memories.finish(1, program.schedule.steps[1]);
  const std::vector<Word> sent = inputs(program, 0, 4, 1), held = inputs(program, 1, 4, 1);
  EXPECT_EQ(memories.outputs(), (Outputs{{}, {held[0], sent[0], sent[3], held[3]}})) << "only the root owes something";
}

}  // namespace
}  // namespace muster::hyperx
