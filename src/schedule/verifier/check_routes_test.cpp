#include "machine/families.h"
#include "machine/test_hyperx.h"
#include "schedule/builder.h"
#include "schedule/verifier/verify_test_support.h"

namespace muster {
namespace {

/// Core 0 broadcasts to the last core of node 3, through node 1.
Schedule message_to_node_3(const Machine& machine) {
  const NodeId last = rank_count(*as<HyperX>(machine)) - 1;
  ScheduleBuilder b({.nodes = node_count(*as<HyperX>(machine)), .count = 4});
  const SpanId all = b.span({0, 4});
  const StreamId stream = b.stream(0, last, all);
  b.step(0, all).own(Buffer::input).push(stream);
  b.step(last, all).take(stream).store(Buffer::input);
  b.contract({.collective = Collective::broadcast, .ranks = {0, last}, .root = 0, .count = 4, .to = Buffer::input});
  return std::move(b).finish();
}

TEST(DefaultRoute, MayNotPassWhatHasFailed) {
  Machine machine = test_hyperx({2, 2});
  const Schedule schedule = message_to_node_3(machine);
  EXPECT_TRUE(is_verified(schedule, machine));
  auto& hyperx = *as<HyperX>(machine);
  hyperx.failed_links = {{0, 2}};
  EXPECT_TRUE(is_verified(schedule, machine)) << "it goes along dimension 0 first";
  hyperx.failed_links = {{0, 1}};
  const Counterexample cut = refusal(schedule, machine);
  EXPECT_EQ(cut.kind, Kind::no_route);
  EXPECT_TRUE(says(cut, "its default route goes from switch of core 0 to switch of core 128, which is not usable"));
  hyperx.failed_links = {};
  hyperx.failed_nodes = {1};
  EXPECT_EQ(refusal(schedule, machine).kind, Kind::no_route);
}

}  // namespace
}  // namespace muster
