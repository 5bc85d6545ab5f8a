#include "backend/cluster/msccl/gpu_writer.h"

#include <gtest/gtest.h>

#include "base/index.h"

namespace muster::msccl {
namespace {

using Peer = GpuWriter::Peer;
using Types = std::vector<Type>;

constexpr Peer kA{1, 0}, kB{2, 0}, kC{3, 0};

Address input(std::int32_t chunk) { return {Buffer::input, chunk}; }

/// "type of step" by thread block.
std::vector<Types> types(const Gpu& gpu) {
  std::vector<Types> all;
  for (const ThreadBlock& block : gpu.blocks) {
    all.emplace_back();
    for (const Step& step : block.steps) all.back().push_back(step.type);
  }
  return all;
}

const Step& step_of(const Gpu& gpu, std::int32_t block, std::int32_t step) {
  return gpu.blocks[at(block)].steps[at(step)];
}

TEST(GpuWriter, SendsOnInTheStepThatReceives) {
  GpuWriter writer;
  writer.receive(input(0), 2, kA, {});
  writer.send(input(0), 2, kB);
  writer.receive(input(2), 1, kA, input(5));
  writer.send(input(2), 1, kB);
  const Gpu gpu = std::move(writer).finish(6, 3);
  EXPECT_EQ(types(gpu), (std::vector<Types>{{Type::receive_copy_send, Type::receive_reduce_copy_send}}));
  EXPECT_EQ(gpu.blocks[0].receive, 1);
  EXPECT_EQ(gpu.blocks[0].send, 2);
  EXPECT_EQ(gpu.blocks[0].steps[1].source, input(5));
  EXPECT_EQ(gpu.input_chunks, 6);
  EXPECT_EQ(gpu.output_chunks, 3);
}

TEST(GpuWriter, SendsApartWhatIsNotExactlyWhatWasReceived) {
  const auto blocks = [](const Address& address, std::int32_t count, const Peer& to) {
    GpuWriter writer;
    writer.receive(input(0), 2, kA, {});
    writer.send(address, count, to);
    return types(std::move(writer).finish(4, 0));
  };
  const std::vector<Types> apart{{Type::receive}, {Type::send}};
  EXPECT_EQ(blocks(input(0), 2, kB), (std::vector<Types>{{Type::receive_copy_send}}));
  EXPECT_EQ(blocks(input(0), 1, kB), apart) << "less";
  EXPECT_EQ(blocks(input(1), 2, kB), apart) << "half of it";
  EXPECT_EQ(blocks(input(3), 1, kB), apart) << "something else";
  EXPECT_EQ(blocks(input(0), 2, {2, 1}), apart) << "on another channel";
}

TEST(GpuWriter, LetsNoMessageOvertakeAnotherOfItsConnection) {
  GpuWriter writer;
  writer.receive(input(0), 1, kA, {});
  writer.send(input(3), 1, kB);
  writer.send(input(0), 1, kB);
  const Gpu gpu = std::move(writer).finish(4, 0);
  EXPECT_EQ(types(gpu), (std::vector<Types>{{Type::receive}, {Type::send, Type::send}}));
  EXPECT_EQ(step_of(gpu, 1, 0).source, input(3));
  EXPECT_EQ(step_of(gpu, 1, 1).dependency, (Dependency{0, 0}));
  EXPECT_TRUE(step_of(gpu, 0, 0).has_dependents);
}

TEST(GpuWriter, JoinsAConnectionWithOneOtherOnly) {
  GpuWriter writer;
  writer.receive(input(0), 1, kA, {});
  writer.send(input(0), 1, kB);
  writer.receive(input(1), 1, kA, {});
  writer.send(input(1), 1, kC);
  writer.receive(input(2), 1, kC, {});
  writer.send(input(2), 1, kB);
  const Gpu gpu = std::move(writer).finish(3, 0);
  EXPECT_EQ(types(gpu),
            (std::vector<Types>{{Type::receive_copy_send, Type::receive, Type::send}, {Type::send}, {Type::receive}}));
  EXPECT_EQ(step_of(gpu, 0, 2).dependency, (Dependency{2, 0})) << "to B, received from C by another thread block";
}

TEST(GpuWriter, TurnsASecondDependencyIntoANop) {
  GpuWriter writer;
  writer.receive(input(0), 1, kA, {});
  writer.receive(input(1), 1, kC, {});
  writer.send(input(0), 2, kB);
  const Gpu gpu = std::move(writer).finish(2, 0);
  EXPECT_EQ(types(gpu), (std::vector<Types>{{Type::receive}, {Type::receive}, {Type::nop, Type::send}}));
  EXPECT_EQ(step_of(gpu, 2, 0).dependency, (Dependency{0, 0}));
  EXPECT_EQ(step_of(gpu, 2, 1).dependency, (Dependency{1, 0}));
  EXPECT_TRUE(step_of(gpu, 0, 0).has_dependents && step_of(gpu, 1, 0).has_dependents);
}

TEST(GpuWriter, WaitsForReadersBeforeAChunkIsStoredOver) {
  GpuWriter writer;
  writer.send(input(0), 1, kB);
  writer.receive(input(0), 1, kA, {});
  const Gpu gpu = std::move(writer).finish(1, 0);
  EXPECT_EQ(step_of(gpu, 1, 0).dependency, (Dependency{0, 0}));
}

TEST(GpuWriter, AsksForNothingThatAnEarlierDependencyCovers) {
  GpuWriter writer;
  writer.receive(input(0), 1, kA, {});
  writer.receive(input(1), 1, kA, {});
  writer.send(input(1), 1, {2, 1});
  writer.send(input(0), 1, {2, 1});
  const Gpu gpu = std::move(writer).finish(2, 0);
  EXPECT_EQ(step_of(gpu, 1, 0).dependency, (Dependency{0, 1}));
  EXPECT_EQ(step_of(gpu, 1, 1).dependency, Dependency{}) << "step 0 has ended by then";
  EXPECT_FALSE(step_of(gpu, 0, 0).has_dependents);
}

TEST(GpuWriter, CopiesInTheFirstThreadBlock) {
  GpuWriter writer;
  writer.copy(input(0), {Buffer::output, 0}, 1);
  EXPECT_EQ(types(std::move(writer).finish(1, 1)), (std::vector<Types>{{Type::copy}}));
  GpuWriter with_peers;
  with_peers.send(input(0), 1, kB);
  with_peers.copy(input(0), {Buffer::output, 0}, 1);
  const Gpu gpu = std::move(with_peers).finish(1, 1);
  EXPECT_EQ(types(gpu), (std::vector<Types>{{Type::send, Type::copy}}));
}

/// Received and combined into scratch, and sent on.
GpuWriter through_scratch(std::int32_t chunks, Address& scratch) {
  GpuWriter writer;
  (void)writer.scratch(3);  // of someone else, who never uses it
  scratch = writer.scratch(chunks);
  writer.receive(scratch, chunks, kA, input(0));
  writer.send(scratch, chunks, kB);
  return writer;
}

TEST(GpuWriter, KeepsNothingInScratchThatIsOnlySentOn) {
  Address scratch;
  const Gpu gpu = std::move(through_scratch(2, scratch)).finish(2, 0);
  EXPECT_EQ(types(gpu), (std::vector<Types>{{Type::receive_reduce_send}}));
  EXPECT_EQ(gpu.scratch_chunks, 0);
}

TEST(GpuWriter, KeepsScratchOfWhichAnyChunkIsRead) {
  for (const std::int32_t read : {0, 1}) {
    Address scratch;
    GpuWriter writer = through_scratch(2, scratch);
    writer.send({Buffer::scratch, scratch.chunk + read}, 1, kC);
    const Gpu gpu = std::move(writer).finish(2, 0);
    EXPECT_EQ(types(gpu), (std::vector<Types>{{Type::receive_reduce_copy_send}, {Type::send}})) << read;
    EXPECT_EQ(gpu.scratch_chunks, 2) << "numbered anew";
    EXPECT_EQ(step_of(gpu, 1, 0).source, (Address{Buffer::scratch, read}));
  }
}

}  // namespace
}  // namespace muster::msccl
