// Malformed schedules, as a stranger's file may hold them: each gets its own words, and none trips the verifier.
#include <functional>

#include "machine/torus.h"
#include "schedule/phase.h"
#include "schedule/verifier/exchanges_test_support.h"
#include "schedule/verifier/phases_test_support.h"
#include "schedule/verifier/verify_test_support.h"

namespace muster::examples {
namespace {

struct Spoilt {
  std::function<void(Schedule&)> spoil;
  std::string says;
};

TEST(CheckForm, AnExchangeTakesSomethingToo) {
  ScheduleBuilder b({.nodes = 2, .count = 4});
  const SpanId all = b.span({0, 4});
  const StreamId s = b.stream(1, 0, all);
  b.step(0, all).take(s).store(Buffer::output);
  b.step(1, b.span({0, 0})).send_old(Buffer::input, all).push(s);
  b.step(1, all).own(Buffer::input).store(Buffer::output);
  b.contract({.collective = Collective::broadcast, .ranks = {0, 1}, .root = 1, .count = 4});
  const Counterexample wrong = refusal(std::move(b).finish(), mesh(2, 1));
  EXPECT_EQ(wrong.kind, Kind::malformed);
  EXPECT_EQ(wrong.message, "step 1 at PE (1,0) has no operand; give it a stream or an element of its own");
}

/// PE 1 sends to PE 0 and, through its own router, to itself; with `beside`, it takes that while it sends.
Schedule comes_back(bool beside, std::int64_t count) {
  ScheduleBuilder b({.nodes = 2, .count = count});
  const SpanId all = b.span({0, count});
  const std::vector<NodeId> both{0, 1};
  const StreamId stream = b.multicast(1, both, all);
  if (beside) {
    b.step(1, all).take(stream).store(Buffer::output).push(stream).send_old(Buffer::input, all);
  } else {
    b.step(1, all).own(Buffer::input).push(stream);
    b.step(1, all).take(stream).store(Buffer::output);
  }
  b.step(0, all).take(stream).store(Buffer::output);
  b.contract({.collective = Collective::broadcast, .ranks = {0, 1}, .root = 1, .count = count});
  return std::move(b).finish();
}

TEST(CheckForm, LetsAStreamToOthersComeBackToItsSource) {
  EXPECT_TRUE(is_verified(comes_back(true, 100), mesh(2, 1)));
  EXPECT_EQ(refusal(comes_back(false, 100), mesh(2, 1)).kind, Kind::wait_cycle);
}

TEST(CheckForm, NamesWhatIsOutOfRange) {
  const std::vector<Spoilt> cases = {
      {[](Schedule& s) { s.node_count = 0; }, "the schedule has 0 nodes"},
      {[](Schedule& s) { s.node_count = 9; }, "the schedule has 9 nodes, the machine 4"},
      {[](Schedule& s) { s.extent[0] = -1; }, "a buffer of -1 elements"},
      {[](Schedule& s) { s.streams[1].source = 4; }, "stream 1 starts at node 4 of 4"},
      {[](Schedule& s) { s.sinks[2] = -1; }, "stream 2 ends at node -1 of 4"},
      {[](Schedule& s) { s.sinks[2] = 3; }, "stream 2 runs from PE (3,0) to itself"},
      {[](Schedule& s) { s.streams[0].sinks.count = 0; }, "stream 0 has no sink"},
      {[](Schedule& s) { s.streams[2].sinks = s.streams[0].sinks; },
       "stream 2 has its sinks outside the list or shares"},
      {[](Schedule& s) { s.streams[0].elements = 7; }, "stream 0 has unknown span 7"},
      {[](Schedule& s) { s.streams[0].route = 0; }, "stream 0 has unknown route 0"},
      {[](Schedule& s) { s.first_lane.pop_back(); }, "the table of lanes does not fit"},
      {[](Schedule& s) { s.first_lane[1] = 3; }, "lane"},
      {[](Schedule& s) { s.lanes[2].count = 2; }, "lane"},
      {[](Schedule& s) { s.steps.pop_back(); }, "lanes hold 4 steps, the schedule 3"},
      {[](Schedule& s) { s.steps[1].elements = -1; }, "step 1 at PE (1,0) has unknown span -1"},
      {[](Schedule& s) { s.steps[1].operands.count = 2147483647; },
       "step 1 at PE (1,0) has operands, outputs or waits"},
      {[](Schedule& s) { s.steps[1].operands = s.steps[0].operands; }, "shared with another step"},
      {[](Schedule& s) { s.operands[1] = 99; }, "takes unknown stream 99"},
      {[](Schedule& s) { s.operands[1] = kOwn; }, "names its own element 2 times"},
      {[](Schedule& s) { s.outputs[0] = -1; }, "pushes unknown stream -1"},
      {[](Schedule& s) { s.steps[2].own = Buffer::none; }, "combines its own element but names no buffer"},
      {[](Schedule& s) { s.steps[3].operands.count = 0; }, "names a buffer of its own but does not combine it"},
      {[](Schedule& s) { s.steps[3].operands.count = 0, s.steps[3].own = Buffer::none; },
       "step 3 at PE (3,0) has no operand"},
      {[](Schedule& s) { s.steps[0].sent = Buffer::input; }, "is an exchange that sends to no one"},
      {[](Schedule& s) { s.steps[0].store = Buffer::scratch; }, "stores element 7 of scratch, which has 0"},
      {[](Schedule& s) {
         s.steps[0].own_elements = s.spans.add({0, 7});
       },
       "runs over 8 elements but reads 7 of input"},
      {[](Schedule& s) {
         s.steps[0].own = Buffer::output, s.steps[0].own_elements = s.spans.add({1, 8}), s.extent[1] = 9;
       },
       "reads elements [1,9) and stores elements [0,8) of output; they must be identical or disjoint"},
      {[](Schedule& s) {
         s.waits = {3}, s.steps[0].waits = {0, 1};
       },
       "waits for step 3, which is not of that node"},
      {[](Schedule& s) { s.contracts.clear(); }, "no contract"},
      {[](Schedule& s) { s.contracts[0].ranks.clear(); }, "contract 0 has no ranks"},
      {[](Schedule& s) { s.contracts[0].count = 0; }, "contract 0 has 0 elements; it needs at least one"},
      {[](Schedule& s) {
         s.contracts.push_back({.ranks = {2, 3}, .count = 8, .to = Buffer::input});
       },
       "contract 0 ends in output of PE (2,0), contract 1 in input; a node's contracts end in one buffer"},
      {[](Schedule& s) { s.contracts[0].ranks[1] = 4; }, "contract 0 has rank at node 4 of 4"},
      {[](Schedule& s) { s.contracts[0].ranks[1] = 0; }, "contract 0 names PE (0,0) twice"},
      {[](Schedule& s) { s.contracts[0].root = 4; }, "contract 0 has root 4 of 4 ranks"},
      {[](Schedule& s) { s.contracts[0].count = 9; }, "contract 0 holds 9 elements in input, which has 8"},
      {[](Schedule& s) { s.contracts[0].count = -1; }, "contract 0 has -1 elements"},
      {[](Schedule& s) { s.contracts[0].to = Buffer::none; }, "contract 0 has no buffer"},
      {[](Schedule& s) { s.contracts[0].collective = Collective::neighbours; }, "contract 0 has 0 columns for 4 ranks"},
      {[](Schedule& s) { s.contracts[0].collective = Collective::all_to_all, s.contracts[0].count = 7; },
       "contract 0 has 7 elements, not a multiple of its 4 ranks"},
  };
  const Schedule right = reduce_by_tree(chain_tree(4), 0, 8);
  ASSERT_TRUE(is_verified(right, mesh(4, 1)));
  for (const Spoilt& spoilt : cases) {
    Schedule wrong = right;
    spoilt.spoil(wrong);
    const Counterexample counterexample = refusal(wrong, mesh(4, 1));
    EXPECT_EQ(counterexample.kind, Kind::malformed) << counterexample.message;
    EXPECT_TRUE(says(counterexample, spoilt.says));
  }
}

TEST(CheckForm, AnExchangeSendsWhatItStoresOrSomethingElse) {
  Schedule wrong = exchange_blocks(4, doubling_partner, 8);
  wrong.steps[0].sent = Buffer::output;
  wrong.steps[0].sent_elements = wrong.spans.add({1, 4});
  EXPECT_TRUE(says(refusal(wrong, mesh(4, 1)), "they must be identical or disjoint"));
}

TEST(CheckForm, StepsRunOnlyWhereDataCanBeCombined) {
  Torus torus;
  torus.width = 3;
  torus.height = 2;
  torus.worker_columns = {0, 1};
  torus.worker_rows = {0, 1};
  torus.input_buffer = Bytes(64);
  const Machine machine{.name = "torus", .summary = "", .network = torus};
  ASSERT_EQ(node_count(machine), 6);
  EXPECT_TRUE(is_verified(reduce_by_tree(chain_tree(4), 0, 8), machine));
  Schedule wrong = reduce_by_tree(chain_tree(5), 0, 8);
  EXPECT_TRUE(says(refusal(wrong, machine), "only routes: it cannot run step 4"));
}

/// Rank 1 sends its vector to a DRAM bank, node 4, and rank 0 gets it from there.
Schedule through_memory(bool combined) {
  ScheduleBuilder b({.nodes = 6, .count = 8});
  const SpanId all = b.span({0, 8});
  const StreamId there = b.stream(1, 4, all);
  const StreamId back = b.stream(4, 0, all);
  b.step(1, all).own(Buffer::input).push(there);
  if (combined) {
    b.step(4, all).take(there).own(Buffer::scratch).push(back);
  } else {
    b.step(4, all).take(there).store(Buffer::scratch);
    b.step(4, all).own(Buffer::scratch).push(back);
  }
  b.step(0, all).take(back).own(Buffer::input).store(Buffer::output);
  b.contract({.collective = Collective::reduce, .ranks = {0, 1}, .root = 0, .count = 8});
  Schedule schedule = std::move(b).finish();
  schedule.extent[2] = 8;
  return schedule;
}

TEST(CheckForm, MemoriesStoreAndSendButDoNotCombine) {
  Torus torus;
  torus.width = 3;
  torus.height = 2;
  torus.worker_columns = {0, 1};
  torus.worker_rows = {0, 1};
  torus.input_buffer = Bytes(64);
  torus.dram.banks = {{.x = 2, .y = 0}};
  const Machine machine{.name = "torus", .summary = "", .network = torus};
  ASSERT_EQ(node_at(torus, {.x = 2, .y = 0}), 4);
  EXPECT_TRUE(is_verified(through_memory(false), machine));
  const Counterexample wrong = refusal(through_memory(true), machine);
  EXPECT_EQ(wrong.kind, Kind::malformed);
  EXPECT_EQ(wrong.message, "tile (2,0) stores and sends, but cannot combine: step 2 at tile (2,0) has 2 operands");
}

TEST(CheckForm, NamesWhatIsWrongWithPhases) {
  const std::vector<Spoilt> cases = {
      {[](Schedule& s) { s.phases[1].part = 2; }, "phase 1: uses part 2 of 2"},
      {[](Schedule& s) { s.phases[1].groups = 2; }, "phase 1: uses group set 2 of 2"},
      {[](Schedule& s) { s.phases[1].offset = -1; }, "phase 1: has offset -1; use 0 to 2^62"},
      {[](Schedule& s) { s.phases[1].offset = kMostElements; },
       "phase 1, group 0: works on element 4611686018427387920 of buffers of 17"},
      {[](Schedule& s) { s.phases[0].after = {0}; }, "phase 0: comes after phase 0, which is not an earlier phase"},
      {[](Schedule& s) { s.phases[0].input = Buffer::none; }, "phase 0: has no buffer bound"},
      {[](Schedule& s) { s.phases[0].output = Buffer::input; },
       "phase 0: part 0 works from one buffer to another, but"},
      {[](Schedule& s) { s.parts[0].contracts.clear(); }, "phase 0: part 0 has 0 contracts"},
      {[](Schedule& s) { s.parts[0].contracts[0].ranks.pop_back(); }, "covers 4 of its 5 nodes"},
      {[](Schedule& s) { s.group_sets[0][2].members.pop_back(); },
       "phase 0, group 2: has 4 members, part 0 has 5 nodes"},
      {[](Schedule& s) { s.group_sets[0][2].members[1] = 15; }, "phase 0, group 2: has node 15 of 15 as a member"},
      {[](Schedule& s) { s.group_sets[0][2].members[1] = 10; }, "has PE (0,2) as a member twice"},
      {[](Schedule& s) { s.group_sets[0][0].on = 5; }, "works on unknown span 5"},
      {[](Schedule& s) {
         s.group_sets[0][0].on = s.spans.add({0, 16});
       },
       "works on 16 elements, part 0 on 17"},
      {[](Schedule& s) {
         s.group_sets[0][0].on = s.spans.add({1, 17});
       },
       "works on element 17 of buffers of 17"},
      {[](Schedule& s) { s.steps.resize(1); }, "a schedule with phases has no steps"},
  };
  const Schedule right = row_then_column_reduce(5, 3, 17, true);
  for (const Spoilt& spoilt : cases) {
    Schedule wrong = right;
    spoilt.spoil(wrong);
    const Counterexample counterexample = refusal(wrong, mesh(5, 3));
    EXPECT_EQ(counterexample.kind, Kind::malformed) << counterexample.message;
    EXPECT_TRUE(says(counterexample, spoilt.says));
  }
}

TEST(CheckForm, PartsAreNotNestedWithoutEnd) {
  Schedule nested = reduce_by_tree(chain_tree(2), 0, 4);
  for (int level = 0; level < 40; ++level) {
    ScheduleBuilder b({.nodes = 2, .count = 4});
    const std::int32_t part = b.part(std::move(nested));
    const std::int32_t pair = b.groups({{.members = {0, 1}, .on = b.span({0, 4})}});
    b.phase({.part = part, .groups = pair, .after = {}});
    b.contract({.collective = Collective::reduce, .ranks = {0, 1}, .root = 0, .count = 4});
    nested = std::move(b).finish();
    if (level == 5) {
      EXPECT_TRUE(is_verified(nested, mesh(2, 1)));
    }
  }
  EXPECT_TRUE(says(refusal(nested, mesh(2, 1)), "parts are nested more than 31 deep"));
}

}  // namespace
}  // namespace muster::examples
