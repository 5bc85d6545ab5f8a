#include "plan/load.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "collective/grid/model.h"
#include "machine/mesh.h"
#include "machine/routing.h"
#include "plan/job.h"
#include "plan/plan_test_support.h"
#include "schedule/builder.h"
#include "schedule/joined_lanes.h"

namespace muster {
namespace {

Load load_of_algorithm(const Job& job, const std::string& name) {
  const Request request = request_of(job);
  const Algorithm& algorithm = find_algorithm(job.collective, "mesh", name);
  return load_of(algorithm.make(request, complete_parameters(algorithm, request, {})), job.machine);
}

TEST(Load, OfAChainIsDeepAndLight) {
  EXPECT_EQ(load_of_algorithm(wafer_job(Collective::reduce, 9, 1, 5), "chain"),
            (Load{.depth = 8, .hops = 8 * 5, .transits = 8 * 2, .port = 5, .queue = 5}));
}

TEST(Load, OfAStarIsShallowAndHeavy) {
  EXPECT_EQ(load_of_algorithm(wafer_job(Collective::reduce, 9, 1, 5), "star"),
            (Load{.depth = 1, .hops = 36 * 5, .transits = 36 + 8, .port = 8 * 5, .queue = 8 * 5}));
}

TEST(Load, OfAFloodCountsEveryLinkOnce) {
  EXPECT_EQ(load_of_algorithm(wafer_job(Collective::broadcast, 5, 4, 7, 6), "flood"),
            (Load{.depth = 1, .hops = 19 * 7, .transits = 20, .port = 7, .queue = 7}));
}

TEST(Load, OfTwoPhasesHasTheLeadersStoreAWholeVector) {
  // 17 PEs, root 8: on each side the leader next to the root stores its group's vector and then passes the next
  // leader's on; the root takes one side after the other.
  EXPECT_EQ(load_of_algorithm(wafer_job(Collective::reduce, 17, 1, 256, 8), "two-phase").queue, 3 * 256);
  EXPECT_EQ(load_of_algorithm(wafer_job(Collective::reduce, 17, 1, 256, 8), "chain").queue, 2 * 256);
}

RC_GTEST_PROP(Load, OfPhasesIsThatOfTheWholeWrittenOut, ()) {
  std::vector<Algorithm> algorithms = algorithms_of("mesh");
  std::erase_if(algorithms, [](const Algorithm& a) {
    const auto begins = [&](const char* prefix) { return a.name.starts_with(prefix); };
    return !begins("xy-") && !begins("x-then-y-") && !begins("split-") && !begins("deal-");
  });
  const Algorithm algorithm = *rc::gen::elementOf(algorithms);
  Job job =
      wafer_job(algorithm.collective, *rc::gen::inRange(2, 12), *rc::gen::inRange(2, 9), *rc::gen::inRange(1, 40));
  if (has_root(algorithm.collective)) job.root = *rc::gen::inRange(0, rank_count(job.machine));
  RC_PRE(!algorithm.unsupported(request_of(job)));
  const Schedule schedule = make_schedule(job, algorithm, choose_with_defaults(job, algorithm.name, {}).parameters);
  RC_ASSERT(!schedule.is_flat());
  RC_LOG() << algorithm.name << " on " << shape_text(job.machine) << "\n";
  const Load load = load_of(schedule, job.machine), whole = load_of(expand_in_lanes(schedule), job.machine);
  RC_ASSERT(load.hops == whole.hops);
  RC_ASSERT(load.transits == whole.transits);
  RC_ASSERT(load.port == whole.port);
  RC_ASSERT(load.of_phases && !whole.of_phases);
}

TEST(Load, StaysAtTheLargestNumberWhereItCannotCount) {
  const Machine pair = with_grid(shipped_machine("wse2"), 3, 1);
  const std::int64_t count = std::int64_t{1} << 62;
  const auto star = find_algorithm(Collective::reduce, "mesh", "star");
  const Load load = load_of(star.make({.machine = pair, .count = count}, {}), pair);
  EXPECT_EQ(load.hops, std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(load.port, std::numeric_limits<std::int64_t>::max());
}

TEST(Load, OfAMulticastCountsSharedLinksOnce) {
  ScheduleBuilder b({.nodes = 4, .count = 5});
  const SpanId all = b.span({0, 5});
  const NodeId sinks[] = {1, 2, 3};
  const StreamId copied = b.multicast(0, sinks, all);
  b.step(0, all).own(Buffer::input).store(Buffer::output).push(copied);
  for (const NodeId sink : sinks) b.step(sink, all).take(copied).store(Buffer::output);
  const Machine row = with_grid(shipped_machine("wse2"), 4, 1);
  EXPECT_EQ(load_of(std::move(b).finish(), row).hops, 3 * 5);
}

TEST(Load, OfExchangesDoesNotWaitForWhatTheyTake) {
  ScheduleBuilder b({.nodes = 2, .count = 4});
  const SpanId all = b.span({0, 4});
  const StreamId there = b.stream(0, 1, all);
  const StreamId back = b.stream(1, 0, all);
  b.step(0, all).own(Buffer::input).take(back).store(Buffer::output).push(there).send_old(Buffer::input, all);
  b.step(1, all).own(Buffer::input).take(there).store(Buffer::output).push(back).send_old(Buffer::input, all);
  const Machine pair = with_grid(shipped_machine("wse2"), 2, 1);
  EXPECT_EQ(load_of(std::move(b).finish(), pair), (Load{.depth = 1, .hops = 8, .transits = 4, .port = 4, .queue = 4}));
}

}  // namespace
}  // namespace muster
