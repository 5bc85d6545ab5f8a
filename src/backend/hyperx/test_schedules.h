// Schedules of two cores and their switches, for tests.
#pragma once

#include "backend/hyperx/test_machines.h"
#include "schedule/builder.h"

namespace muster::hyperx {

/// Cores 0 and 1 side by side; their switches are 2 and 3.
inline Machine two_cores() { return machine_of(piuma({}, 1, 2, 1)); }

inline Contract allreduce_of_two(std::int64_t count) {
  return {.collective = Collective::allreduce, .ranks = {0, 1}, .count = count};
}

/// An allreduce through the switches, whose root is that of core 1: each core gives in one lane and takes in the next one.
inline void add_pair(ScheduleBuilder& b, SpanId elements, std::int32_t lane = 0) {
  const StreamId from_0 = b.stream(0, 2, elements), from_1 = b.stream(1, 3, elements), up = b.stream(2, 3, elements);
  const StreamId down = b.multicast(3, std::vector<NodeId>{2, 1}, elements), to_0 = b.stream(2, 0, elements);
  b.step(0, elements, lane).own(Buffer::input).push(from_0);
  b.step(0, elements, lane + 1).take(to_0).store(Buffer::output);
  b.step(1, elements, lane).own(Buffer::input).push(from_1);
  b.step(1, elements, lane + 1).take(down).store(Buffer::output);
  b.step(2, elements, lane).take(from_0).push(up);
  b.step(2, elements, lane + 1).take(down).push(to_0);
  b.step(3, elements, lane).take(up).take(from_1).push(down);
}

/// An allreduce of the cores alone: each sends its vector and adds what it gets.
inline Schedule exchange_of_two(std::int64_t count) {
  ScheduleBuilder b({.nodes = 2, .count = count});
  const SpanId all = b.span({0, count});
  const StreamId right = b.stream(0, 1, all), left = b.stream(1, 0, all);
  b.step(0, all).own(Buffer::input).take(left).store(Buffer::output).push(right).send_old(Buffer::input, all);
  b.step(1, all).take(right).own(Buffer::input).store(Buffer::output).push(left).send_old(Buffer::input, all);
  b.contract(allreduce_of_two(count));
  return std::move(b).finish();
}

}  // namespace muster::hyperx
