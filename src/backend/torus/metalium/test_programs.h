// A program of two cores, written by hand: an allreduce in which each sends its vector and adds what it gets.
#pragma once

#include "backend/torus/program.h"
#include "base/source_dir.h"
#include "machine/loader.h"
#include "schedule/builder.h"

namespace muster::torus {

inline Machine two_workers() { return with_workers(load_machine(source_dir() + "/machines/wormhole-n150.toml"), 2); }

/// `words` of each vector, as many as fill whole tiles or fewer.
inline TorusProgram exchange_of_two(Arithmetic arithmetic, std::int64_t words) {
  ScheduleBuilder b({.nodes = 2, .count = words});
  const SpanId all = b.span({0, words});
  const StreamId right = b.stream(0, 1, all);
  const StreamId left = b.stream(1, 0, all);
  b.step(0, all).own(Buffer::input).take(left).store(Buffer::output).push(right).send_old(Buffer::input, all);
  b.step(1, all).take(right).own(Buffer::input).store(Buffer::output).push(left).send_old(Buffer::input, all);

  TorusProgram program;
  program.machine = two_workers();
  program.arithmetic = arithmetic;
  program.contracts = {{.collective = Collective::allreduce, .ranks = {0, 1}, .count = words}};
  program.extent = {words, words, 0};
  program.pieces = Pieces(std::move(b).finish());
  program.tile_bytes = 1024 * size_of(arithmetic.type).value();
  const std::int64_t bytes = whole_tiles(words * kWordBytes, program.tile_bytes);
  program.memory.address[1] = {0};
  program.memory.address[2] = {bytes};
  program.memory.end = 2 * bytes;
  program.memory_used = 3 * bytes;
  for (const NodeId other : {1, 0}) {
    Core core;
    core.calls[0] = {Write{.to = other, .source = 0, .target = 2 * bytes, .bytes = words * kWordBytes},
                     Increment{.at = other, .counter = 0},
                     Await{.counter = 0, .value = 1},
                     Post{.to = Processor::compute},
                     WriteBarrier{},
                     AtomicBarrier{}};
    core.calls[1] = {Expect{.from = Processor::compute}};
    core.calls[2] = {
        Expect{.from = Processor::dataflow_0},
        Combine{.left = 0, .right = 2 * bytes, .target = bytes, .tiles = bytes / program.tile_bytes},
        Post{.to = Processor::dataflow_1},
    };
    core.counters = 1;
    core.tokens[0][2] = 1;
    core.tokens[2][1] = 1;
    program.cores.push_back(std::move(core));
  }
  return program;
}

inline Arithmetic sum_of(std::string_view type) {
  return {.type = type_from_name(type).value_or(ElementType::f32), .op = Operator::sum};
}

}  // namespace muster::torus
