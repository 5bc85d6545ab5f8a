// Programs with one thing changed at random: whatever the cycle engine runs into, the static checks have found before.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>

#include "backend/wafer/csl/samples.h"
#include "backend/wafer/csl_reader/read_csl.h"
#include "backend/wafer/stream/trace.h"
#include "base/index.h"

namespace muster::wafer {
namespace {

/// Blocks go down a row, from PE to PE; each lies in two pieces where it comes from and in one where it goes. As CSL, it is
/// sent in pieces and taken at once.
Schedule scattered_relay(std::int32_t places) {
  ScheduleBuilder b({.nodes = places, .count = 12});
  const SpanId pieces = b.span(std::array{Range{0, 3}, Range{8, 4}});
  const SpanId place = b.span({2, 7});
  StreamId stream = b.stream(0, 1, pieces);
  b.step(0, pieces).own(Buffer::input).push(stream);
  for (std::int32_t x = 1; x + 1 < places; ++x) {
    const StreamId next = b.stream(x, x + 1, pieces);
    b.step(x, pieces).take(stream).push(next);
    stream = next;
  }
  b.step(places - 1, pieces).take(stream).store(Buffer::output, place);
  b.contract({.collective = Collective::broadcast, .ranks = samples::all_ranks(places), .root = 0, .count = 12});
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
      return *samples::program_of("wse2", "tree", 9, 6);
    case 1:
      return *samples::program_of("wse3", "star", 6, 5);
    case 2:
      return *samples::grid_program_of("wse2", "two-phase", 5, 4, 3);
    case 3:
      return *samples::ring("wse2", 4, 8);
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
  switch (*rc::gen::inRange(0, 5)) {
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
    default: {
      const SpanId shorter =
          program.spans.add(Range{0, std::max<std::int64_t>(0, program.spans.count(o.elements) - 1)});
      o.elements = o.own_elements = o.store_elements = shorter;
      if (o.sent != Buffer::none) o.sent_elements = shorter;
    }
  }
}

TEST(Checks, FollowARelayWhoseBlocksAreSentInPieces) {
  const WaferProgram program = right_program(4);
  EXPECT_FALSE(trace_messages(Cells(program), 1).parts.empty());
  EXPECT_FALSE(check_program(program));
  EXPECT_EQ(simulate_streams(program, {}).engine, "cycle");
}

RC_GTEST_PROP(Checks, FindEverythingThatTheCycleEngineRunsInto, ()) {
  WaferProgram program = right_program(*rc::gen::inRange(0, 5));
  RC_ASSERT(!check_program(program));
  // A class of its own for the PE that is changed.
  const auto pe = *rc::gen::inRange<std::size_t>(0, program.class_of.size());
  program.classes.push_back(program.classes[at(program.class_of[pe])]);
  program.class_of[pe] = static_cast<std::int32_t>(program.classes.size()) - 1;
  ProcessorClass& changed = program.classes.back();
  *rc::gen::arbitrary<bool>() ? change_route(changed) : change_operation(program, changed);
  const auto found = check_program(program);
  if (found) RC_ASSERT(found->kind != "not checked");
  if (found) RC_ASSERT(!found->place.empty());
  const Result result = simulate(program, {.calls = 2, .give_up = Cycles(1 << 16)});
  RC_CLASSIFY(found.has_value(), "found");
  RC_CLASSIFY(result.fault.has_value(), "runs into it");
  if (result.fault) {
    if (!found) RC_LOG() << result.fault->kind << " " << result.fault->message;
    RC_ASSERT(found.has_value());
  }
}

}  // namespace
}  // namespace muster::wafer
