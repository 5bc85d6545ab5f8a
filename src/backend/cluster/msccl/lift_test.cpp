#include "backend/cluster/msccl/lift.h"

#include <gtest/gtest.h>

#include "backend/cluster/msccl/test_algos.h"
#include "base/error.h"

namespace muster::msccl {
namespace {

std::string refusal(const Algo& algo) {
  try {
    (void)lift(algo, "f.xml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

std::vector<Range> ranges(const Schedule& schedule, SpanId span) {
  const auto all = schedule.spans.ranges(span);
  return {all.begin(), all.end()};
}

TEST(Lift, MakesLanesOfThreadBlocksAndStreamsOfMessages) {
  const Schedule schedule =
      lift(pair_of(5, {send_step(1, 3), receive_step(0)}, {receive_step(2, 3), send_step(4)}), "");
  EXPECT_EQ(schedule.node_count, 2);
  ASSERT_EQ(schedule.lanes.size(), 2U);
  ASSERT_EQ(schedule.streams.size(), 2U);
  EXPECT_EQ(schedule.streams[0].source, 0);
  EXPECT_EQ(schedule.sinks_of(schedule.streams[0])[0], 1);
  EXPECT_EQ(schedule.spans.count(schedule.streams[0].elements), 3);
  const muster::Step& sends = schedule.steps[0];
  EXPECT_EQ(sends.own, Buffer::input);
  EXPECT_EQ(ranges(schedule, sends.own_elements), (std::vector<Range>{{1, 3}}));
  const muster::Step& takes = schedule.steps[2];
  EXPECT_EQ(takes.store, Buffer::input);
  EXPECT_EQ(ranges(schedule, takes.store_elements), (std::vector<Range>{{2, 3}}));
  ASSERT_EQ(schedule.contracts.size(), 1U);
  EXPECT_EQ(schedule.contracts[0].to, Buffer::input);
}

TEST(Lift, NamesTheLineOfAStepAndSkipsNops) {
  Algo algo = pair_of(5, {send_step(1, 3), receive_step(0)}, {receive_step(2, 3), nop_step({}), send_step(4)});
  algo.gpus[1].blocks[0].steps[2].line.number = 17;
  EXPECT_EQ(step_text(algo, "f.xml", 3), "f.xml:17 (GPU 1, thread block 0, step 2)");
}

TEST(Lift, PutsAShareWhereItBelongsInTheWholeVector) {
  Algo algo = pair_of(6, {send_step(1), receive_step(0)}, {send_step(1), receive_step(0)});
  algo.in_place = false;
  algo.collective = Collective::allgather;
  for (Gpu& gpu : algo.gpus) {
    gpu.input_chunks = 3;
    gpu.output_chunks = 6;
    gpu.blocks[0].steps[1].destination.buffer = Buffer::output;
  }
  const Schedule schedule = lift(algo, "");
  EXPECT_EQ(ranges(schedule, schedule.steps[0].own_elements), (std::vector<Range>{{1, 1}}));
  EXPECT_EQ(ranges(schedule, schedule.steps[2].own_elements), (std::vector<Range>{{4, 1}})) << "GPU 1 holds 3 to 5";
  EXPECT_EQ(schedule.steps[3].store, Buffer::output);
  EXPECT_EQ(ranges(schedule, schedule.steps[3].store_elements), (std::vector<Range>{{0, 1}}));
}

/// A second thread block of GPU 0 that copies chunk 1 to chunk 2, behind what `steps` wait for.
Algo with_copies(std::vector<Step> before) {
  Algo algo = pair_of(3, {receive_step(0), receive_step(1)}, {send_step(0), send_step(1)});
  before.push_back({.type = Type::copy,
                    .source = {Buffer::input, 1},
                    .destination = {Buffer::input, 2},
                    .count = 1,
                    .dependency = {0, 1}});
  algo.gpus[0].blocks.push_back({.steps = std::move(before)});
  return algo;
}

TEST(Lift, MakesWaitsOfDependenciesAndOfNopsBeforeAStep) {
  const auto waits = [](std::vector<Step> before) {
    const Schedule schedule = lift(with_copies(std::move(before)), "");
    const auto all = schedule.waits_of(schedule.steps[2]);
    return std::vector<StepId>(all.begin(), all.end());
  };
  EXPECT_EQ(waits({}), (std::vector<StepId>{1}));
  EXPECT_EQ(waits({nop_step({0, 0})}), (std::vector<StepId>{0, 1}));
  EXPECT_EQ(waits({nop_step({})}), (std::vector<StepId>{1}));
}

TEST(Lift, SeesThroughANopThatIsWaitedFor) {
  Algo algo = with_copies({nop_step({0, 0})});
  algo.gpus[0].blocks.push_back({.steps = {{.type = Type::copy,
                                            .source = {Buffer::input, 0},
                                            .destination = {Buffer::input, 0},
                                            .count = 1,
                                            .dependency = {1, 0}}}});
  const Schedule schedule = lift(algo, "");
  const auto waits = schedule.waits_of(schedule.steps[3]);
  ASSERT_EQ(waits.size(), 1U);
  EXPECT_EQ(waits[0], 0) << "the nop is no step, but waits for the first one";
}

TEST(Lift, RefusesANopThatWaitsForANop) {
  Algo algo = with_copies({nop_step({0, 0}), nop_step({0, 0})});
  algo.gpus[0].blocks.push_back({.steps = {nop_step({1, 1}), send_step(0)}});
  algo.gpus[0].blocks[1].steps[1].dependency = {2, 0};
  algo.gpus[0].blocks[2].steps[1] = {
      .type = Type::copy, .source = {}, .destination = {}, .count = 1, .dependency = {1, 1}};
  EXPECT_EQ(refusal(algo), "f.xml: GPU 0, thread block 2, step 0: a nop waits for a nop");
}

TEST(Lift, RefusesMessagesThatDoNotFit) {
  EXPECT_EQ(refusal(pair_of(5, {send_step(0, 2)}, {receive_step(0, 3)})),
            "f.xml: message 0 from GPU 0 to GPU 1 on channel 0 has 2 chunks, but 3 are received");
  EXPECT_EQ(refusal(pair_of(5, {send_step(0), send_step(1)}, {receive_step(0)})),
            "f.xml: GPU 0 sends 2 messages to GPU 1 on channel 0, which receives 1");
  EXPECT_EQ(refusal(pair_of(5, {send_step(0)}, {receive_step(0), receive_step(1)})),
            "f.xml: GPU 0 sends 1 messages to GPU 1 on channel 0, which receives 2");
}

TEST(Lift, RefusesBuffersOfOtherSizesThanTheCollectiveNeeds) {
  Algo algo = around(3, 7, {send_step(0), receive_step(1)});
  EXPECT_EQ(refusal(algo), "none");
  algo.gpus[1].input_chunks = 6;
  EXPECT_EQ(refusal(algo), "f.xml: GPU 1 has 6 chunks of input; a collective of 7 chunks needs 7");
  algo.gpus[1].input_chunks = 7;
  algo.gpus[2].output_chunks = 1;
  EXPECT_EQ(refusal(algo), "f.xml: GPU 2 has 1 chunks of output; a collective of 7 chunks needs 7");
  algo.collective = Collective::reduce_scatter;
  EXPECT_EQ(refusal(algo), "f.xml: nchunksperloop=\"7\" is not a multiple of the 3 GPUs");
}

TEST(Lift, RefusesWhatCombinesTwoAddressesOfOneGpu) {
  Algo algo = around(2, 2, {send_step(0), receive_step(1)});
  algo.gpus[1].blocks[0].steps.push_back({.type = Type::reduce, .count = 1, .dependency = {}});
  EXPECT_EQ(refusal(algo),
            "f.xml: GPU 1, thread block 0, step 2: 're' combines two chunks of one GPU, which is not supported here");
}

}  // namespace
}  // namespace muster::msccl
