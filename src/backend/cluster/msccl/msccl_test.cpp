#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "backend/cluster/msccl/from_schedule.h"
#include "backend/cluster/msccl/lift.h"
#include "backend/cluster/msccl/text.h"
#include "base/index.h"
#include "machine/cluster.h"
#include "schedule/builder.h"
#include "schedule/verify.h"

namespace muster::msccl {
namespace {

Machine all_linked(std::int32_t gpus) {
  Cluster cluster;
  cluster.dimensions.push_back({.kind = Cluster::Kind::fully_connected,
                                .size = gpus,
                                .link_bandwidth = BytesPerSecond(1e9),
                                .links = 1,
                                .latency = Seconds(0)});
  cluster.buffer_chunks = 2;
  return {.name = "all linked", .summary = "", .network = cluster};
}

/// A ring that reduces and scatters, then gathers, in place.
Schedule ring(std::int32_t gpus, std::int64_t count) {
  ScheduleBuilder b({.nodes = gpus, .count = count, .output = 0});
  std::vector<std::vector<StreamId>> at_round;
  const auto span = [&](std::int32_t index) { return b.span(block(count, gpus, ((index % gpus) + gpus) % gpus)); };
  for (std::int32_t round = 0; round < 2 * (gpus - 1); ++round) {
    at_round.emplace_back();
    for (std::int32_t g = 0; g < gpus; ++g) at_round.back().push_back(b.stream(g, (g + 1) % gpus, span(g - round)));
  }
  for (std::int32_t g = 0; g < gpus; ++g) {
    const std::int32_t before = (g + gpus - 1) % gpus;
    b.step(g, span(g)).own(Buffer::input).push(at_round[0][at(g)]);
    for (std::int32_t round = 0; round < 2 * (gpus - 1); ++round) {
      auto step = b.step(g, span(before - round)).take(at_round[at(round)][at(before)]);
      if (round < gpus - 1) step.own(Buffer::input);
      if (round >= gpus - 2) step.store(Buffer::input);
      if (round + 1 < 2 * (gpus - 1)) step.push(at_round[at(round + 1)][at(g)]);
    }
  }
  std::vector<NodeId> all;
  for (NodeId g = 0; g < gpus; ++g) all.push_back(g);
  b.contract({.collective = Collective::allreduce, .ranks = all, .count = count, .to = Buffer::input});
  return std::move(b).finish();
}

Algo written(const Schedule& flat) {
  Outcome<Algo> algo = from_schedule(flat, "test");
  EXPECT_TRUE(algo) << algo.reason();
  return std::move(algo).value();
}

void expect_right(const Algo& algo) {
  const Algo read = read_xml(write_xml(algo, "made by a test --"), "test.xml");
  EXPECT_EQ(read, algo);
  const Verdict verdict = verify(lift(read, "test.xml"), all_linked(static_cast<std::int32_t>(algo.gpus.size())));
  EXPECT_TRUE(verdict.verified()) << verdict.counterexample->message;
  const Slots slots = least_slots(read);
  ASSERT_TRUE(slots.least) << slots.stuck;
  EXPECT_LE(*slots.least, 2);
}

TEST(Msccl, OfARingHasOneThreadBlockPerGpu) {
  const Algo algo = written(ring(5, 5 * 7));
  EXPECT_EQ(algo.chunks_per_loop, 5);
  EXPECT_EQ(algo.channels, 1);
  for (const Gpu& gpu : algo.gpus) {
    ASSERT_EQ(gpu.blocks.size(), 1U);
    EXPECT_EQ(gpu.scratch_chunks, 0);
    EXPECT_EQ(gpu.blocks[0].steps.size(), 9U) << "s, rrs, rrs, rrs, rrcs, rcs, rcs, rcs, r";
    EXPECT_EQ(gpu.blocks[0].steps[4].type, Type::receive_reduce_copy_send);
  }
  expect_right(algo);
}

TEST(Msccl, StepsOfManyChunksAreCut) {
  ScheduleBuilder b({.nodes = 2, .count = 200});
  const SpanId low = b.span({0, 100}), high = b.span({100, 100}), element = b.span({0, 1});
  const StreamId to_1 = b.stream(0, 1, low), to_0 = b.stream(1, 0, high), tiny = b.stream(0, 1, element);
  b.step(0, low).own(Buffer::input).push(to_1).store(Buffer::output);
  b.step(0, element).own(Buffer::input).push(tiny);
  b.step(0, high).take(to_0).store(Buffer::output);
  b.step(1, high).own(Buffer::input).push(to_0).store(Buffer::output);
  b.step(1, low).take(to_1).store(Buffer::output);
  b.step(1, element).take(tiny).store(Buffer::output);
  b.contract({.collective = Collective::allgather, .ranks = {0, 1}, .count = 200});
  const Algo algo = written(std::move(b).finish());
  for (const Gpu& gpu : algo.gpus) {
    for (const ThreadBlock& block : gpu.blocks) {
      for (const Step& step : block.steps) EXPECT_LE(step.count, kMostChunksPerStep);
    }
  }
  expect_right(algo);
}

TEST(Msccl, RefusesPiecesThatAreNoMultiplesOfOneChunk) {
  const Outcome<Algo> algo = from_schedule(ring(3, 10), "test");
  ASSERT_FALSE(algo);
  EXPECT_EQ(
      algo.reason(),
      "the vector of 10 elements is cut into 3 pieces whose sizes are not multiples of the smallest, as MSCCL needs; "
      "use another count or fewer chunks");
}

TEST(Msccl, AWrongFileIsFoundOut) {
  Algo algo = written(ring(4, 4));
  algo.gpus[2].blocks[0].steps[3].type = Type::receive_copy_send;  // it was rrcs
  EXPECT_FALSE(verify(lift(algo, "wrong.xml"), all_linked(4)).verified());
}

TEST(Msccl, ThreadBlocksThatWaitForEachOtherAreNamed) {
  Algo algo = written(ring(3, 3));
  for (Gpu& gpu : algo.gpus) std::swap(gpu.blocks[0].steps[0], gpu.blocks[0].steps[1]);
  const Slots slots = least_slots(algo);
  EXPECT_FALSE(slots.least);
  EXPECT_EQ(slots.stuck.substr(0, slots.stuck.find(';')),
            "step 0 of thread block 0 of GPU 0 waits for a message from GPU 2 on channel 0");
}

}  // namespace
}  // namespace muster::msccl
