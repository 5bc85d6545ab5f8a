// Wrong schedules: each is refused for the right reason, and the message names the right location.
#include "schedule/verify.h"

#include "schedule/verifier/exchanges_test_support.h"
#include "schedule/verifier/verify_test_support.h"

namespace muster::examples {
namespace {

/// A chain on a row to node 0 in which each node runs `edit` on its step, if it is the chosen one.
template <class Edit>
Schedule chain_with(NodeId nodes, std::int64_t count, NodeId chosen, Edit edit) {
  ScheduleBuilder b({.nodes = nodes, .count = count});
  const SpanId all = b.span({0, count});
  std::vector<StreamId> west(static_cast<std::size_t>(nodes));
  for (NodeId v = 1; v < nodes; ++v) west[static_cast<std::size_t>(v)] = b.stream(v, v - 1, all);
  for (NodeId v = 0; v < nodes; ++v) {
    const StreamId in = v + 1 < nodes ? west[static_cast<std::size_t>(v) + 1] : kOwn;
    if (v == chosen) {
      edit(b, in, west[static_cast<std::size_t>(v)]);
      continue;
    }
    auto step = b.step(v, all).own(Buffer::input);
    if (in != kOwn) step.take(in);
    if (v > 0) step.push(west[static_cast<std::size_t>(v)]);
    if (v == 0) step.store(Buffer::output);
  }
  b.contract({.collective = Collective::reduce, .ranks = first_nodes(nodes), .root = 0, .count = count});
  return std::move(b).finish();
}

TEST(Refusal, AMissingContributionIsNamed) {
  const Schedule schedule = chain_with(8, 16, 3, [](ScheduleBuilder& b, StreamId in, StreamId out) {
    b.step(3, b.span({0, 16})).take(in).push(out);
  });
  for (const VerifyOptions& options : {VerifyOptions{}, kFingerprints}) {
    const Counterexample wrong = refusal(schedule, mesh(8, 1), options);
    EXPECT_EQ(wrong.kind, Kind::missing);
    EXPECT_EQ(wrong.node, 0);
    EXPECT_EQ(wrong.element, 0);
    EXPECT_EQ(
        wrong.message,
        "rank 0 (PE (0,0)) must hold the combination of 8 ranks in elements [0,16) of output; element 0 lacks the "
        "contribution of rank 3 (PE (3,0))");
  }
}

TEST(Refusal, AContributionMissingInSomeElementsIsFoundThere) {
  const Schedule schedule = chain_with(4, 16, 2, [](ScheduleBuilder& b, StreamId in, StreamId out) {
    const SpanId all = b.span({0, 16});
    b.step(2, all).take(in).store(Buffer::scratch);
    b.step(2, b.span({0, 9})).own(Buffer::input).store(Buffer::output);  // too few, and in the wrong buffer
    b.step(2, all).own(Buffer::scratch).push(out);
  });
  Schedule with_scratch = schedule;
  with_scratch.extent[2] = 16;
  const Counterexample wrong = refusal(with_scratch, mesh(4, 1));
  EXPECT_EQ(wrong.kind, Kind::missing);
  EXPECT_TRUE(says(wrong, "rank 2 (PE (2,0))"));
}

TEST(Refusal, ADoubledContributionIsNamed) {
  const Schedule schedule = chain_with(4, 16, 2, [](ScheduleBuilder& b, StreamId in, StreamId out) {
    const SpanId all = b.span({0, 16});
    b.step(2, all).own(Buffer::input).take(in).store(Buffer::output);
    b.step(2, b.span({5, 3})).own(Buffer::input).store(Buffer::scratch);
    b.step(2, b.span({5, 3})).own(Buffer::output).store(Buffer::output);
    b.step(2, all).own(Buffer::output).push(out);
  });
  Schedule doubled = schedule;
  doubled.extent[2] = 16;
  EXPECT_TRUE(is_verified(doubled, mesh(4, 1))) << "a harmless detour";

  const Schedule twice = chain_with(4, 16, 0, [](ScheduleBuilder& b, StreamId in, StreamId) {
    const SpanId all = b.span({0, 16});
    const StreamId again = b.stream(2, 0, b.span({5, 3}));
    b.step(0, all).own(Buffer::input).take(in).store(Buffer::output);
    b.step(0, b.span({5, 3})).own(Buffer::output).take(again).store(Buffer::output);
    b.step(2, b.span({5, 3})).own(Buffer::input).push(again);
  });
  EXPECT_EQ(refusal(twice, mesh(4, 1, 2)).kind, Kind::wait_cycle)
      << "PE 2 sends to PE 0 before it takes part in the chain";
  for (const VerifyOptions& options : {VerifyOptions{}, kFingerprints}) {
    const Counterexample wrong = refusal(twice, mesh(4, 1, 16), options);
    EXPECT_EQ(wrong.kind, Kind::doubled);
    EXPECT_EQ(wrong.element, 5);
    EXPECT_TRUE(says(wrong, "element 5 counts rank 2 (PE (2,0)) 2 times"));
  }
}

TEST(Refusal, FingerprintsDoNotWrapAround) {
  // 2^61 copies of one contribution look like one modulo 2^61 - 1; the number of contributions gives them away.
  ScheduleBuilder b({.nodes = 2, .count = 1});
  const SpanId single = b.span({0, 1});
  Buffer from = Buffer::input;
  for (int i = 0; i < 61; ++i) {
    const StreamId there = b.stream(1, 0, single);
    const StreamId back = b.stream(0, 1, single);
    b.step(1, single).own(from).push(there);
    b.step(0, single).take(there).push(back);
    b.step(1, single).own(from).take(back).store(Buffer::output);
    from = Buffer::output;
  }
  const StreamId last = b.stream(1, 0, single);
  b.step(1, single).own(Buffer::output).push(last);
  b.step(0, single).own(Buffer::input).take(last).store(Buffer::output);
  b.contract({.collective = Collective::reduce, .ranks = {0, 1}, .root = 0, .count = 1});
  const Schedule schedule = std::move(b).finish();
  for (const VerifyOptions& options : {VerifyOptions{}, kFingerprints}) {
    const Counterexample wrong = refusal(schedule, mesh(2, 1), options);
    EXPECT_EQ(wrong.kind, Kind::doubled);
    EXPECT_TRUE(says(wrong, "rank 1 (PE (1,0)) 2305843009213693952 times"));
  }
}

TEST(Refusal, CrossedStreamsOfTwoGroupsAreForeign) {
  ScheduleBuilder b({.nodes = 4, .count = 8});
  const SpanId all = b.span({0, 8});
  const StreamId s = b.stream(1, 2, all);  // to the other group
  const StreamId t = b.stream(3, 0, all);
  b.step(1, all).own(Buffer::input).push(s);
  b.step(3, all).own(Buffer::input).push(t);
  b.step(0, all).own(Buffer::input).take(t).store(Buffer::output);
  b.step(2, all).own(Buffer::input).take(s).store(Buffer::output);
  for (const NodeId first : {0, 2}) {
    b.contract({.collective = Collective::reduce, .ranks = {first, first + 1}, .root = 0, .count = 8});
  }
  const Counterexample wrong = refusal(std::move(b).finish(), mesh(2, 2));
  EXPECT_EQ(wrong.kind, Kind::foreign);
  EXPECT_EQ(wrong.node, 0);
  EXPECT_EQ(
      wrong.message,
      "rank 0 (PE (0,0)) must hold the combination of 2 ranks in elements [0,8) of output; element 0 lacks the "
      "contribution of rank 1 (PE (1,0)) and contains element 0 of input of PE (1,1), which does not belong there");
}

TEST(Refusal, ElementsOfDifferentOffsetsAreNotCombined) {
  const Schedule shifted = chain_with(4, 16, 2, [](ScheduleBuilder& b, StreamId in, StreamId out) {
    const SpanId all = b.span({0, 16});
    const std::vector<Range> rotated = {{1, 15}, {0, 1}};
    b.step(2, all).own(Buffer::input, b.span(rotated)).take(in).push(out);
  });
  for (const VerifyOptions& options : {VerifyOptions{}, kFingerprints}) {
    const Counterexample wrong = refusal(shifted, mesh(4, 1), options);
    EXPECT_EQ(wrong.kind, Kind::foreign);
    EXPECT_EQ(wrong.node, 2);
    EXPECT_EQ(wrong.message,
              "step 2 at PE (2,0) combines, as element 0, element 1 of input of PE (2,0) with element 0 of input of PE "
              "(3,0)");
  }
}

TEST(Refusal, ARaceNamesBothSteps) {
  for (const bool ordered : {false, true}) {
    ScheduleBuilder b({.nodes = 3, .count = 8});
    const SpanId all = b.span({0, 8});
    const StreamId s = b.stream(1, 0, all);
    const StreamId t = b.stream(2, 0, all);
    b.step(1, all).own(Buffer::input).push(s);
    b.step(2, all).own(Buffer::input).push(t);
    auto first = b.step(0, all, 0).own(Buffer::input).take(s).store(Buffer::output);
    const StepId first_id = first.id();
    auto second = b.step(0, all, 1).own(Buffer::output).take(t).store(Buffer::output);
    if (ordered) second.after(first_id);
    b.contract({.collective = Collective::reduce, .ranks = {0, 1, 2}, .root = 0, .count = 8});
    const Schedule schedule = std::move(b).finish();
    if (ordered) {
      EXPECT_TRUE(is_verified(schedule, mesh(3, 1)));
      continue;
    }
    const Counterexample wrong = refusal(schedule, mesh(3, 1));
    EXPECT_EQ(wrong.kind, Kind::race);
    EXPECT_EQ(wrong.node, 0);
    EXPECT_EQ(wrong.element, 0);
    EXPECT_TRUE(says(wrong, "at PE (0,0), two steps race for element 0 of output: step "));
    EXPECT_TRUE(says(wrong, "step 0 (lane 0) stores it"));
    EXPECT_TRUE(says(wrong, "step 1 (lane 1) "));
  }
}

TEST(Refusal, WaitsOrderLanesThroughAThird) {
  // Lane 2 waits for lane 1, which waits for lane 0: that orders lane 2 after lane 0, but only from that step on.
  for (const bool early : {false, true}) {
    ScheduleBuilder b({.nodes = 1, .count = 8, .scratch = 8});
    const SpanId all = b.span({0, 8});
    auto a = b.step(0, all, 0).own(Buffer::input).store(Buffer::scratch);
    const StepId a_id = a.id();
    auto other = b.step(0, b.span({0, 0}), 1).own(Buffer::input).after(a_id);
    const StepId other_id = other.id();
    auto c = b.step(0, all, 2).own(Buffer::scratch).store(Buffer::output);
    if (!early) c.after(other_id);
    b.contract({.collective = Collective::reduce, .ranks = {0}, .root = 0, .count = 8});
    const Schedule schedule = std::move(b).finish();
    if (early) {
      EXPECT_EQ(refusal(schedule, mesh(1, 1)).kind, Kind::race);
    } else {
      EXPECT_TRUE(is_verified(schedule, mesh(1, 1)));
    }
  }
}

TEST(Refusal, ARingThatSendsBeforeItTakesDeadlocksWhenBlocksExceedTheBuffer) {
  const Schedule pair = careless_ring_shift(2, 64);
  EXPECT_TRUE(is_verified(pair, mesh(2, 1, 64))) << "the buffer holds a block";
  const Counterexample wrong = refusal(pair, mesh(2, 1, 63));
  EXPECT_EQ(wrong.kind, Kind::wait_cycle);
  EXPECT_TRUE(says(wrong, "4 steps wait for each other:"));
  EXPECT_TRUE(says(wrong, "\n  step 1 at PE (0,0) waits for step 0 at PE (0,0), before it in its lane"));
  EXPECT_TRUE(
      says(wrong, "\n  step 0 at PE (0,0) waits for step 4 at PE (1,0) to take stream 0 (64 elements, space for 63)"));

  const Counterexample longer = refusal(careless_ring_shift(20, 64), mesh(20, 1));
  EXPECT_EQ(longer.kind, Kind::wait_cycle);
  EXPECT_TRUE(says(longer, "40 steps wait for each other:"));
  EXPECT_TRUE(says(longer, "... 29 more ..."));
  EXPECT_EQ(std::count(longer.message.begin(), longer.message.end(), '\n'), 12);
}

TEST(Refusal, StepsThatWaitForEachOthersStreamsDeadlockWithAnyBuffer) {
  ScheduleBuilder b({.nodes = 2, .count = 1});
  const SpanId single = b.span({0, 1});
  const StreamId s = b.stream(0, 1, single);
  const StreamId t = b.stream(1, 0, single);
  b.step(0, single).own(Buffer::input).take(t).push(s);
  b.step(1, single).own(Buffer::input).take(s).push(t);
  b.contract({.collective = Collective::allreduce, .ranks = {0, 1}, .count = 1});
  const Counterexample wrong = refusal(std::move(b).finish(), mesh(2, 1, 1000));
  EXPECT_EQ(wrong.kind, Kind::wait_cycle);
  EXPECT_TRUE(says(wrong, "step 0 at PE (0,0) waits for step 1 at PE (1,0) to push stream 1"));
}

TEST(Refusal, WaitsInACycleAreRefused) {
  ScheduleBuilder b({.nodes = 1, .count = 1, .scratch = 1});
  const SpanId single = b.span({0, 1});
  b.step(0, single, 0).own(Buffer::input).store(Buffer::output);
  b.step(0, single, 1).own(Buffer::input).store(Buffer::scratch).after(StepId{0});
  b.contract({.collective = Collective::reduce, .ranks = {0}, .root = 0, .count = 1});
  Schedule schedule = std::move(b).finish();
  ASSERT_TRUE(is_verified(schedule, mesh(1, 1)));
  schedule.steps[0].waits = {1, 1};
  schedule.waits = {0, 1};
  const Counterexample wrong = refusal(schedule, mesh(1, 1));
  EXPECT_EQ(wrong.kind, Kind::wait_cycle);
  EXPECT_TRUE(says(wrong, "step 1 at PE (0,0) waits for step 0 at PE (0,0), as declared"));
  schedule.waits = {0, 0};
  EXPECT_TRUE(says(refusal(schedule, mesh(1, 1)), "step 0 at PE (0,0) waits for itself"));
}

TEST(Refusal, AnExchangeThatOverwritesWhatItSendsMayGoOnLongerThanItsBuffer) {
  EXPECT_TRUE(is_verified(exchange_whole(2, doubling_partner, 1000), mesh(2, 1, 1)));
}

TEST(Refusal, ReadingBeforeStoringIsTooEarly) {
  const Schedule schedule = chain_with(3, 8, 1, [](ScheduleBuilder& b, StreamId in, StreamId out) {
    b.step(1, b.span({0, 8})).own(Buffer::output).take(in).push(out);
  });
  const Counterexample wrong = refusal(schedule, mesh(3, 1));
  EXPECT_EQ(wrong.kind, Kind::too_early);
  EXPECT_EQ(wrong.message, "step 1 at PE (1,0) reads element 0 of output, where nothing has been stored before");
}

TEST(Refusal, AResultThatIsNeverStoredIsMissing) {
  Schedule schedule = reduce_by_tree(chain_tree(3), 0, 8);
  schedule.steps[0].store = Buffer::none;
  const Counterexample wrong = refusal(schedule, mesh(3, 1));
  EXPECT_EQ(wrong.kind, Kind::missing);
  EXPECT_TRUE(says(wrong, "nothing was ever stored in element 0"));
}

TEST(Refusal, RoutesMustBeTreesOfLinksToTheSinks) {
  const auto with_route = [](std::vector<Hop> hops) {
    Schedule schedule = reduce_by_tree(star_tree(4), 0, 8);  // on a grid of 2 x 2
    schedule.routes.push_back(std::move(hops));
    schedule.streams[2].route = 0;  // from node 3 to node 0
    return refusal(schedule, mesh(2, 2));
  };
  const Counterexample diagonal = with_route({{3, 0}});
  EXPECT_EQ(diagonal.kind, Kind::no_route);
  EXPECT_EQ(diagonal.stream, 2);
  EXPECT_EQ(diagonal.message,
            "stream 2 from PE (1,1) to PE (0,0): its route goes from PE (1,1) to PE (0,0), but no link joins them");
  EXPECT_TRUE(says(with_route({{3, 1}}), "does not reach its sink PE (0,0)"));
  EXPECT_TRUE(says(with_route({}), "does not reach its sink PE (0,0)"));
  EXPECT_TRUE(says(with_route({{3, 1}, {1, 0}, {2, 0}}), "enters PE (0,0) twice"));
  EXPECT_TRUE(says(with_route({{3, 1}, {1, 0}, {1, 3}}), "enters PE (1,1) again, its source"));
  EXPECT_TRUE(says(with_route({{3, 1}, {2, 0}}), "continues at PE (0,1), where it never arrives"));
  EXPECT_TRUE(says(with_route({{3, 1}, {1, 0}, {3, 2}}), "ends at PE (0,1), where no step takes it"));
  EXPECT_TRUE(says(with_route({{3, 9}}), "visits node 9, which is not one of the schedule's 4"));

  Schedule right = reduce_by_tree(star_tree(4), 0, 8);
  right.routes = {{{3, 1}, {1, 0}}};
  right.streams[2].route = 0;
  EXPECT_TRUE(is_verified(right, mesh(2, 2)));
}

TEST(Refusal, RoutesStayOnTheNodesOfTheSchedule) {
  // The row below exists on the machine, but not in the schedule.
  Schedule schedule = reduce_by_tree(chain_tree(4), 0, 8);
  schedule.routes = {{{1, 5}, {5, 4}, {4, 0}}};
  schedule.streams[0].route = 0;
  const Counterexample wrong = refusal(schedule, mesh(4, 2));
  EXPECT_EQ(wrong.kind, Kind::no_route);
  EXPECT_TRUE(says(wrong, "its route visits node 5, which is not one of the schedule's 4"));
}

TEST(Refusal, StreamsArePushedAndTakenOnce) {
  const Schedule right = reduce_by_tree(chain_tree(4), 0, 8);
  const Machine machine = mesh(4, 1);
  Schedule wrong = right;
  wrong.streams[1].source = 3;  // was 2 → 1
  EXPECT_TRUE(says(refusal(wrong, machine),
                   "stream 1 from PE (3,0) to PE (1,0): step 2 at PE (2,0) pushes it, but it starts at PE (3,0)"));
  wrong = right;
  wrong.sinks[1] = 3;
  EXPECT_EQ(refusal(wrong, machine).kind, Kind::mismatch);
  wrong = right;
  wrong.outputs[1] = 0;
  EXPECT_EQ(refusal(wrong, machine).kind, Kind::mismatch);
  wrong = right;
  wrong.streams[1].elements = wrong.spans.add({1, 7});
  EXPECT_TRUE(says(refusal(wrong, machine), "it carries elements [1,8), but step 2 at PE (2,0) pushes [0,8)"));
  wrong = right;
  wrong.steps[2].outputs = {};
  EXPECT_TRUE(says(refusal(wrong, machine), "no step of PE (2,0) pushes it"));
}

/// Two multicasts bring the halves of a vector to all other nodes of a row; `stray` has its own word in element 0 before, or after.
Schedule halves_to_all(NodeId nodes, NodeId stray, bool before) {
  ScheduleBuilder b({.nodes = nodes, .count = 8});
  const std::vector<SpanId> halves{b.span({0, 4}), b.span({4, 4})};
  std::vector<NodeId> others;
  for (NodeId v = 1; v < nodes; ++v) others.push_back(v);
  std::vector<StreamId> streams;
  for (const SpanId half : halves) {
    streams.push_back(b.multicast(0, others, half));
    b.step(0, half).own(Buffer::input).push(streams.back());
    b.step(0, half).own(Buffer::input).store(Buffer::output);
  }
  const SpanId first = b.span({0, 1});
  for (const NodeId v : others) {
    if (v == stray && before) b.step(v, first).own(Buffer::output).store(Buffer::output);
    for (std::size_t i = 0; i < halves.size(); ++i) b.step(v, halves[i]).take(streams[i]).store(Buffer::output);
    if (v == stray && !before) b.step(v, b.span({3, 1})).own(Buffer::output).store(Buffer::output, first);
  }
  b.contract({.collective = Collective::broadcast, .ranks = first_nodes(nodes), .root = 0, .count = 8});
  return std::move(b).finish();
}

TEST(Refusal, OfOneThatTookTheSameAsAllNamesNobodyElse) {
  EXPECT_TRUE(is_verified(halves_to_all(6, 0, true), mesh(6, 1)));
  for (const VerifyOptions& options : {VerifyOptions{}, kFingerprints}) {
    for (const NodeId stray : {1, 3, 5}) {
      EXPECT_EQ(refusal(halves_to_all(6, stray, true), mesh(6, 1), options).kind, Kind::too_early);
      const Counterexample wrong = refusal(halves_to_all(6, stray, false), mesh(6, 1), options);
      EXPECT_EQ(wrong.node, stray);
      EXPECT_EQ(wrong.element, 0);
    }
  }
}

}  // namespace
}  // namespace muster::examples
