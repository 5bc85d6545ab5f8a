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
  switch (*rc::gen::inRange(0, 5)) {
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
  }
}

RC_GTEST_PROP(ChunkedSchedule, IsNeverAcceptedAsPhasesWhereTheFlatOneIsWrong, ()) {
  const Cluster cluster = any_reducing_cluster(4, 5);
  const Machine machine{.name = "small", .summary = "", .network = cluster};
  OperationTimes times(cluster);
  const ChunkedCollective c = any_collective(times);
  Schedule schedule = chunked_schedule(c, plan_chunks(c, themis_orders(c), SendFirst::smallest));
  if (schedule.phases.empty()) return;
  change(schedule);
  if (!verify(schedule, machine).verified()) return;
  const Verdict flat = verify(expand(schedule), machine);
  if (!flat.verified()) RC_FAIL(flat.counterexample->message);
}

}  // namespace
}  // namespace muster
