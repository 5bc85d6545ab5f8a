// Strips on several threads against one strip on one: the same answer to the bit, whatever the program and however it ends.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "backend/wafer/simulate/strip.h"
#include "backend/wafer/test_grids.h"
#include "backend/wafer/test_problem.h"
#include "base/index.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

constexpr std::size_t kCounts[] = {2, 3, 5, 8};  // of strips

/// What differs, or nothing.
std::string difference(const Timeline& a, const Timeline& b) {
  if (a.tracks.size() != b.tracks.size() || a.spans.size() != b.spans.size()) return "sizes of the timeline";
  for (std::size_t i = 0; i < a.tracks.size(); ++i) {
    if (a.tracks[i].group != b.tracks[i].group || a.tracks[i].name != b.tracks[i].name) return "tracks";
  }
  for (std::size_t i = 0; i < a.spans.size(); ++i) {
    const TimelineSpan &s = a.spans[i], &t = b.spans[i];
    if (s.track != t.track || s.begin != t.begin || s.end != t.end || s.label != t.label) return "spans";
  }
  return "";
}

std::string difference(const Result& a, const Result& b) {
  if (test::fault_text(a) != test::fault_text(b))
    return "the fault: " + test::fault_text(a) + ", " + test::fault_text(b);
  if (a.fault && a.fault->cycle != b.fault->cycle) return "the cycle of the fault";
  if (a.cycles != b.cycles || a.call_cycles != b.call_cycles) return "cycles";
  if (a.node_times != b.node_times) return "times of processors";
  if (a.hops != b.hops || a.max_port_load != b.max_port_load || a.utilization != b.utilization) return "loads";
  if (a.resources.size() != b.resources.size()) return "resources";
  for (std::size_t r = 0; r < a.resources.size(); ++r) {
    const Resource &s = a.resources[r], &t = b.resources[r];
    if (s.name != t.name || s.bytes != t.bytes || s.busy != t.busy || s.utilization != t.utilization) return s.name;
  }
  if (a.outputs != b.outputs) return "outputs";
  return a.timeline ? difference(*a.timeline, *b.timeline) : "";
}

/// Compares all numbers of strips with one.
std::string difference(const WaferProgram& program, const SimulateOptions& options) {
  const Result one = simulate(program, options, {.strips = 1});
  for (const std::size_t strips : kCounts) {
    const Result many = simulate(program, options, {.strips = strips});
    if (const std::string what = difference(one, many); !what.empty())
      return fmt::format("{} strips: {}", strips, what);
  }
  return "";
}

test::Tree any_tree(std::int32_t size) {
  return test::random_tree(size, [](std::int32_t n) { return *rc::gen::inRange(0, n); });
}

test::Grid any_grid() {
  test::Grid grid{.width = *rc::gen::inRange(1, 9), .height = *rc::gen::inRange(1, 9)};
  if (*rc::gen::inRange(0, 3) == 0) grid = {.width = *rc::gen::inRange(1, 24), .height = 1};
  grid.root_x = *rc::gen::inRange(0, grid.width);
  grid.root_y = *rc::gen::inRange(0, grid.height);
  return grid;
}

Schedule any_schedule(const test::Grid& grid) {
  const std::int64_t count = *rc::gen::inRange(1, 30);
  const auto flood = *rc::gen::element(test::Flood::none, test::Flood::after, test::Flood::fused);
  switch (*rc::gen::inRange(0, 5)) {
    case 0:
      return test::flood(grid.nodes(), grid.root(), count);
    case 1:
      return test::reduce_forest(test::snake_of(grid), 0, count, flood);
    case 2:
      return test::allreduce_x_then_y(grid, count, any_tree);
    case 3:
      return test::ring_allreduce(test::plain_ring(grid.nodes()), count);
    default:
      return test::reduce_xy(grid, count, any_tree, flood);
  }
}

Machine any_machine(const test::Grid& grid) {
  Machine machine = test::wafer(grid.width, grid.height);
  Mesh& mesh = test::mesh_of(machine);
  mesh.router_buffer = *rc::gen::inRange(1, 9);
  mesh.ramp_queue = *rc::gen::inRange(1, 5);
  mesh.ramp_latency = Cycles(*rc::gen::inRange(1, 8));
  mesh.hop_latency = Cycles(*rc::gen::inRange(1, 4));
  mesh.operation_start = Cycles(*rc::gen::element<std::int64_t>(0, 0, 1, 7, 40));
  mesh.receive_gap = Cycles(*rc::gen::element<std::int64_t>(0, 0, 1, 5, 25));
  mesh.receive_interval = Cycles(*rc::gen::element<std::int64_t>(1, 1, 2, 7));
  mesh.arbitration = *rc::gen::element(Arbitration::lowest_color, Arbitration::highest_color, Arbitration::round_robin);
  return machine;
}

SimulateOptions any_options() {
  return {.calls = *rc::gen::inRange(1, 4),
          .seed = 5,
          .give_up = Cycles(*rc::gen::element<std::int64_t>(1 << 14, 1 << 14, 100)),
          .timeline = *rc::gen::arbitrary<bool>()};
}

/// Nothing if the lowering refuses it.
std::unique_ptr<WaferProgram> any_program() {
  const test::Grid grid = any_grid();
  RC_PRE(grid.nodes() > 1);
  auto program = lower(any_schedule(grid), any_machine(grid), {});
  RC_PRE(program.ok());
  return std::move(program).value();
}

/// Some route leads elsewhere, or some processor leaves its last operation out: many such programs have a fault.
void change(WaferProgram& program) {
  ProcessorClass& c = program.classes[*rc::gen::inRange<std::size_t>(0, program.classes.size())];
  if (c.routes.empty() || (!c.operations.empty() && *rc::gen::inRange(0, 3) == 0)) {
    if (!c.operations.empty()) c.operations.pop_back();
    return;
  }
  ColorRoute& route = c.routes[*rc::gen::inRange<std::size_t>(0, c.routes.size())];
  Position& position = route.positions[*rc::gen::inRange<std::size_t>(0, route.count)];
  Directions& side = *rc::gen::arbitrary<bool>() ? position.from : position.to;
  side = static_cast<Directions>(side ^ 1U << *rc::gen::inRange(0U, 5U));
}

RC_GTEST_PROP(Strips, ChangeNothingOfTheAnswer, ()) { RC_ASSERT(difference(*any_program(), any_options()) == ""); }

RC_GTEST_PROP(Strips, ChangeNothingOfAFault, ()) {
  const auto program = any_program();
  const int changes = *rc::gen::inRange(1, 4);
  for (int i = 0; i < changes; ++i) change(*program);
  const SimulateOptions options = any_options();
  RC_TAG(simulate(*program, options, {.strips = 1}).fault.value_or(Fault{.kind = "none"}).kind);
  RC_ASSERT(difference(*program, options) == "");
}

TEST(Strips, ChangeNothingWhereOnlySomeCyclesAreWorthThreads) {
  const test::Grid grid{.width = 24, .height = 24};
  const auto program = lower(test::flood(grid.nodes(), 0, 64), test::wafer(grid.width, grid.height), {});
  ASSERT_TRUE(program.ok());
  const Result one = simulate(*program.value(), {}, {.strips = 1});
  ASSERT_FALSE(one.fault);
  EXPECT_EQ(difference(one, simulate(*program.value(), {}, {.strips = 3, .least_in_flight = 400})), "");
  EXPECT_EQ(difference(one, simulate(*program.value(), {.threads = 2})), "");
}

std::vector<std::pair<NodeId, NodeId>> ends_of(std::int32_t width, std::int32_t height, std::size_t count) {
  const Machine machine = test::wafer(width, height);
  std::vector<std::pair<NodeId, NodeId>> all;
  for (const NodeRange& range : cut(*as<Mesh>(machine), width * height, count))
    all.emplace_back(range.first, range.end);
  return all;
}

TEST(Strips, AreWholeRowsOrColumnsOfTheOnlyRow) {
  using Ends = std::vector<std::pair<NodeId, NodeId>>;
  EXPECT_EQ(ends_of(4, 5, 2), (Ends{{0, 8}, {8, 20}}));
  EXPECT_EQ(ends_of(4, 2, 3), (Ends{{0, 4}, {4, 8}}));
  EXPECT_EQ(ends_of(7, 1, 2), (Ends{{0, 3}, {3, 7}}));
  EXPECT_EQ(ends_of(1, 1, 8), (Ends{{0, 1}}));
  EXPECT_EQ(ends_of(3, 3, 0), (Ends{{0, 9}}));
}

}  // namespace
}  // namespace muster::wafer
