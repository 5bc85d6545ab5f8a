#include "collective/dimensions/chunked_schedule.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "machine/families.h"
#include "machine/test_clusters.h"
#include "schedule/interpret.h"
#include "schedule/phase.h"
#include "schedule/verify.h"

namespace muster {
namespace {

ChunkedCollective any_collective(OperationTimes& times) {
  ChunkedCollective c{.times = times,
                      .collective = *rc::gen::element(Collective::allreduce, Collective::reduce_scatter,
                                                      Collective::allgather, Collective::all_to_all),
                      .chunks = {}};
  const std::int64_t unit = c.collective == Collective::allreduce ? 1 : rank_count(times.cluster());
  const auto pieces = *rc::gen::inRange<std::int64_t>(1, 200);
  const auto chunks = *rc::gen::inRange<std::int64_t>(1, std::min<std::int64_t>(pieces, 6) + 1);
  for (std::int64_t i = 0; i < chunks; ++i) c.chunks.push_back(block(pieces, chunks, i).count * unit);
  return c;
}

RC_GTEST_PROP(ChunkedSchedule, IsVerifiedAsPhasesAndFlat, ()) {
  const Cluster cluster = any_reducing_cluster(4, 5);
  const Machine machine{.name = "small", .summary = "", .network = cluster};
  OperationTimes times(cluster);
  const ChunkedCollective c = any_collective(times);
  const auto which = *rc::gen::inRange(0, 3);
  const ChunkPlan plan = which == 0   ? plan_chunks(c, hierarchical_orders(c), SendFirst::arrived)
                         : which == 1 ? plan_chunks(c, themis_orders(c), SendFirst::smallest)
                                      : plan_balanced(c);
  const Schedule schedule = chunked_schedule(c, plan);
  const Verdict verdict = verify(schedule, machine);
  if (!verdict.verified()) RC_FAIL(verdict.counterexample->message);
  const Verdict flat = verify(expand(schedule), machine);
  if (!flat.verified()) RC_FAIL(flat.counterexample->message);
}

/// One thing wrong, or nothing that matters.
void change(Schedule& schedule) {
  Phase& phase = schedule.phases[*rc::gen::inRange<std::size_t>(0, schedule.phases.size())];
  std::vector<Group>& groups = schedule.group_sets[static_cast<std::size_t>(phase.groups)];
  const auto any_group = [&]() -> Group& { return groups[*rc::gen::inRange<std::size_t>(0, groups.size())]; };
  const auto any_member = [&](Group& group) -> NodeId& {
    return group.members[*rc::gen::inRange<std::size_t>(0, group.members.size())];
  };
  switch (*rc::gen::inRange(0, 8)) {
    case 0:
      phase.offset += *rc::gen::inRange<std::int64_t>(1, 4);
      break;
    case 1:
      phase.groups = *rc::gen::inRange<std::int32_t>(0, static_cast<std::int32_t>(schedule.group_sets.size()));
      break;
    case 2:
      phase.part = *rc::gen::inRange<std::int32_t>(0, static_cast<std::int32_t>(schedule.parts.size()));
      break;
    case 3:
      phase.after.clear();
      break;
    case 4:
      schedule.group_sets.emplace_back();
      phase.groups = static_cast<std::int32_t>(schedule.group_sets.size()) - 1;
      break;
    case 5:
      groups.erase(groups.begin() + *rc::gen::inRange<std::ptrdiff_t>(0, std::ssize(groups)));
      break;
    case 6:
      std::swap(any_member(any_group()), any_member(any_group()));
      break;
    case 7:
      any_group().on = any_group().on;
      break;
  }
}

/// Not a fingerprint is needed: each piece is the piece of one rank.
TEST(ChunkedSchedule, OfAnAllToAllIsProvenExactlyAboveTheNodesOfExactProofs) {
  Cluster cluster;
  for (const std::int32_t size : {20, 16}) {
    cluster.dimensions.push_back({.kind = Cluster::Kind::switched,
                                  .size = size,
                                  .link_bandwidth = BytesPerSecond(1e9),
                                  .links = 1,
                                  .latency = Seconds(0)});
  }
  OperationTimes times(cluster);
  for (const std::vector<std::int64_t>& chunks : {std::vector<std::int64_t>{320}, {640, 320, 640, 320}}) {
    const ChunkedCollective c{.times = times, .collective = Collective::all_to_all, .chunks = chunks};
    const Schedule schedule = chunked_schedule(c, plan_balanced(c));
    const Verdict verdict = verify(schedule, {.name = "large", .summary = "", .network = cluster});
    EXPECT_TRUE(verdict.verified());
    EXPECT_EQ(verdict.error_probability, 0) << chunks.size();
  }
}

RC_GTEST_PROP(ChunkedSchedule, IsNeverAcceptedAsPhasesWhereTheFlatOneIsWrong, ()) {
  const Cluster cluster = any_reducing_cluster(4, 5);
  const Machine machine{.name = "small", .summary = "", .network = cluster};
  OperationTimes times(cluster);
  const ChunkedCollective c = any_collective(times);
  Schedule schedule = chunked_schedule(c, plan_chunks(c, themis_orders(c), SendFirst::smallest));
  RC_PRE(!schedule.phases.empty());
  change(schedule);
  if (!verify(schedule, machine).verified()) return;
  const Verdict flat = verify(expand(schedule), machine);
  if (!flat.verified()) RC_FAIL(flat.counterexample->message);
}

}  // namespace
}  // namespace muster
