// Programs with one thing changed at random: whatever the cycle engine runs into, the static checks have found before.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>

#include "backend/wafer/csl/samples.h"
#include "backend/wafer/csl_reader/read_csl.h"
#include "backend/wafer/directions.h"
#include "backend/wafer/stream/trace.h"
#include "backend/wafer/test_programs.h"
#include "base/index.h"

namespace muster::wafer {
namespace {

/// Blocks go down a row, from PE to PE; each lies in two pieces where it comes from and in one where it goes. As CSL, it is
/// sent in pieces and taken at once.
Schedule scattered_relay(std::int32_t size) {
  ScheduleBuilder b({.nodes = size, .count = 12});
  const SpanId pieces = b.span(std::array{Range{0, 3}, Range{8, 4}});
  const SpanId stored = b.span({2, 7});
  StreamId stream = b.stream(0, 1, pieces);
  b.step(0, pieces).own(Buffer::input).push(stream);
  for (std::int32_t x = 1; x + 1 < size; ++x) {
    const StreamId next = b.stream(x, x + 1, pieces);
    b.step(x, pieces).take(stream).push(next);
    stream = next;
  }
  b.step(size - 1, pieces).take(stream).store(Buffer::output, stored);
  b.contract({.collective = Collective::broadcast, .ranks = samples::all_ranks(size), .root = 0, .count = 12});
  return std::move(b).finish();
}

WaferProgram as_csl(const WaferProgram& program) {
  CslSource source;
  const auto files = emit_csl(program, {});
  if (!files) throw std::runtime_error(files.reason());
  for (const EmittedFile& file : files.value()) source.files[file.name] = file.text;
  WaferProgram read = *read_csl(source, program.machine);
  read.contracts = program.contracts;
  read.arithmetic = program.arithmetic;
  return read;
}

WaferProgram right_program(int which) {
  switch (which) {
    case 0:
      return *samples::program_of("wse2", "tree", 9, *rc::gen::element(3, 40));
    case 1:
      return *samples::program_of("wse3", "star", 6, 5);
    case 2:
      return *samples::grid_program_of("wse2", "two-phase", 5, 4, 3);
    case 3:
      return *samples::ring("wse2", 4, *rc::gen::element(8, 120));
    case 4:
      return *samples::program_of("wse3", "two-phase", 10, 60);
    default:
      return as_csl(*samples::lowered(scattered_relay(5), samples::row_of("wse2", 5), {}));
  }
}

Direction any_direction() { return static_cast<Direction>(*rc::gen::inRange(0, kDirections)); }

void change_route(ProcessorClass& c) {
  if (c.routes.empty()) return;
  ColorRoute& route = c.routes[*rc::gen::inRange<std::size_t>(0, c.routes.size())];
  Position& position = route.positions[*rc::gen::inRange<std::size_t>(0, route.count)];
  (*rc::gen::arbitrary<bool>() ? position.from : position.to) = set_of(any_direction());
}

void change_operation(WaferProgram& program, ProcessorClass& c) {
  if (c.operations.empty()) return;
  const auto at = static_cast<std::ptrdiff_t>(*rc::gen::inRange<std::size_t>(0, c.operations.size()));
  Operation& o = c.operations[static_cast<std::size_t>(at)];
  switch (*rc::gen::inRange(0, 7)) {
    case 0:
      o.times = std::max(1, o.times + *rc::gen::inRange(-1, 2));
      return;
    case 1:
      c.operations.insert(c.operations.begin() + at, Operation(o));
      return;
    case 2:
      c.operations.erase(c.operations.begin() + at);
      return;
    case 3:
      for (Output& output : o.outputs) output.ending = static_cast<Ending>(*rc::gen::inRange(0, 4));
      return;
    case 4:
      std::swap(c.operations.front(), o);
      return;
    case 5:
      o.sent = Buffer::none;
      if (o.operands.empty() && program.spans.count(o.elements) > 0) o.operands = {kOwnOperand};
      return;
    default: {
      const SpanId shorter =
          program.spans.add(Range{0, std::max<std::int64_t>(0, program.spans.count(o.elements) - 1)});
      o.elements = o.own_elements = o.store_elements = shorter;
      if (o.sent != Buffer::none) o.sent_elements = shorter;
    }
  }
}

TEST(Checks, FollowARelayWhoseBlocksAreSentInPieces) {
  const WaferProgram program = right_program(5);
  EXPECT_FALSE(trace_messages(Cells(program), 1).parts.empty());
  EXPECT_FALSE(check_program(program));
  EXPECT_EQ(simulate_streams(program, {}).engine, "cycle");
}

RC_GTEST_PROP(Checks, FindEverythingThatTheCycleEngineRunsInto, ()) {
  WaferProgram program = right_program(*rc::gen::inRange(0, 6));
  RC_ASSERT(!check_program(program));
  // A class of its own for the PE that is changed.
  const auto pe = *rc::gen::inRange<std::size_t>(0, program.class_of.size());
  program.classes.push_back(program.classes[at(program.class_of[pe])]);
  program.class_of[pe] = static_cast<std::int32_t>(program.classes.size()) - 1;
  ProcessorClass& changed = program.classes.back();
  *rc::gen::arbitrary<bool>() ? change_route(changed) : change_operation(program, changed);
  const auto found = check_program(program);
  if (found) RC_ASSERT(found->kind != "not checked");
  if (found) RC_ASSERT(!found->location.empty());
  const Result result = simulate(program, {.calls = 2, .give_up = Cycles(1 << 16)});
  RC_CLASSIFY(found.has_value(), "found");
  RC_CLASSIFY(result.fault.has_value(), "runs into it");
  if (result.fault) {
    if (!found) RC_LOG() << result.fault->kind << " " << result.fault->message;
    RC_ASSERT(found.has_value());
  }
}

/// What Kept::deliveries should keep, from a trace of everything.
struct Deliveries {
  std::vector<std::array<std::int32_t, 3>> transits;  ///< message, cell, taker
  std::vector<std::int32_t> hops;
  std::vector<Follower> followers;
  std::vector<std::int32_t> taken;  ///< messages
  bool operator==(const Deliveries&) const = default;
};

Deliveries deliveries_of(const Trace& whole) {
  Deliveries found;
  std::vector<std::int32_t> hops, before;  // of each transit; messages before
  for (const Transit& t : whole.transits) {
    hops.push_back(t.parent == kNone ? 0 : hops[at(t.parent)] + 1);
    before.push_back(t.before == kNone ? kNone : whole.transits[at(t.before)].message);
    const bool known = t.parent != kNone && before[at(t.parent)] == before.back();
    if (before.back() != kNone && before.back() != t.message && !known) {
      found.followers.push_back({.message = t.message, .before = before.back()});
    }
    if (!has(t.to, Direction::ramp)) continue;
    found.transits.push_back({t.message, t.cell, t.taker});
    found.hops.push_back(hops.back());
  }
  for (const std::int32_t transit : whole.takes) found.taken.push_back(whole.transits[at(transit)].message);
  return found;
}

RC_GTEST_PROP(Checks, KeepOfDeliveriesWhatATraceOfEverythingHas, ()) {
  WaferProgram program = right_program(*rc::gen::inRange(0, 6));
  const bool is_right = *rc::gen::arbitrary<bool>();
  if (!is_right) {
    ProcessorClass& changed = program.classes[*rc::gen::inRange<std::size_t>(0, program.classes.size())];
    *rc::gen::arbitrary<bool>() ? change_route(changed) : change_operation(program, changed);
  }
  const Cells cells(program);
  const Trace whole = trace_messages(cells, 1), kept = trace_messages(cells, 1, Kept::deliveries);
  RC_ASSERT(kept.fault.has_value() == whole.fault.has_value());
  RC_ASSERT(kept.finding || !whole.finding);
  RC_ASSERT(!is_right || !kept.finding);
  RC_ASSERT(kept.unsupported == whole.unsupported && kept.parts == whole.parts);
  RC_ASSERT(kept.messages.size() == whole.messages.size() && kept.executions.size() == whole.executions.size());
  Deliveries actual{.hops = kept.hops, .followers = kept.followers};
  for (const Transit& t : kept.transits) actual.transits.push_back({t.message, t.cell, t.taker});
  for (const std::int32_t transit : kept.takes) actual.taken.push_back(kept.transits[at(transit)].message);
  RC_ASSERT(actual == deliveries_of(whole));
}

/// Neighbours of a row send each other vectors, on two colors each way; every PE does its part in an order of its own.
WaferProgram gossip(std::int32_t width) {
  test::HandMade row(width, 24);
  row.colors({2, 3, 4, 5});
  const auto color = [](bool east, std::int32_t from) { return static_cast<std::int8_t>((east ? 0 : 2) + from % 2); };
  for (std::int32_t x = 0; x < width; ++x) {
    const auto add = [&](bool fits, std::int8_t c, Direction from, Direction to) {
      if (fits) row.routes(static_cast<std::size_t>(x), test::route({test::from_to(from, to)}, c));
    };
    add(x + 1 < width, color(true, x), Direction::ramp, Direction::east);
    add(x > 0, color(false, x), Direction::ramp, Direction::west);
    add(x > 0, color(true, x - 1), Direction::west, Direction::ramp);
    add(x + 1 < width, color(false, x + 1), Direction::east, Direction::ramp);
  }
  WaferProgram program = row.program();
  const int messages = *rc::gen::inRange(2, 10);
  for (int m = 0; m < messages; ++m) {
    const bool east = *rc::gen::arbitrary<bool>();
    const auto from = *rc::gen::inRange(east ? 0 : 1, east ? width - 1 : width);
    Operation sends;
    sends.elements = sends.own_elements = sends.store_elements = sends.sent_elements =
        program.spans.add(Range{0, *rc::gen::inRange<std::int64_t>(1, 25)});
    Operation takes = sends;
    sends.operands = {kOwnOperand};
    sends.own = Buffer::input;
    sends.outputs = {{color(east, from), Ending::nothing}};
    takes.operands = {color(east, from)};
    takes.store = Buffer::output;
    // In front of what is there already, as far as that does not overtake on the same color.
    const auto insert = [&](std::int32_t x, const Operation& o) {
      auto& all = program.classes[static_cast<std::size_t>(x)].operations;
      auto position = all.end();
      auto back = *rc::gen::inRange(0, 3);
      while (back-- > 0 && position != all.begin() && (position - 1)->outputs != o.outputs &&
             (position - 1)->operands != o.operands) {
        --position;
      }
      all.insert(position, o);
    };
    insert(from, sends);
    insert(east ? from + 1 : from - 1, takes);
  }
  return program;
}

RC_GTEST_PROP(Checks, FindEveryWaitCycleThatTheCycleEngineRunsInto, ()) {
  const WaferProgram program = gossip(*rc::gen::inRange(2, 6));
  const auto found = check_program(program);
  const Result result = simulate(program, {.give_up = Cycles(1 << 16)});
  RC_CLASSIFY(found && found->kind == "wait-cycle", "a wait cycle");
  RC_CLASSIFY(found && found->kind == "deadlock", "a deadlock with any buffers");
  RC_CLASSIFY(found && !result.fault, "runs all the same");
  if (result.fault) RC_ASSERT(found.has_value());
}

}  // namespace
}  // namespace muster::wafer
