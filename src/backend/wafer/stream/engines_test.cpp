// The stream engine against the cycle engine, which is the reference: the same cycle for every processor, the same traffic,
// the same data.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "backend/wafer/simulate/processor_code.h"
#include "backend/wafer/test_programs.h"
#include "base/index.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

/// What differs, or nothing.
std::string difference(const WaferProgram& program, const Result& cycle, const Result& stream) {
  if (cycle.fault || stream.fault) return "a fault";
  if (cycle.call_cycles != stream.call_cycles) return "ends of calls";
  if (cycle.node_times != stream.node_times) return "times of processors";
  if (cycle.hops != stream.hops || cycle.max_port_load != stream.max_port_load) return "hops";
  if (cycle.resources.size() != stream.resources.size()) return "resources";
  for (std::size_t r = 0; r < cycle.resources.size(); ++r) {
    const Resource &a = cycle.resources[r], &b = stream.resources[r];
    if (a.name != b.name || a.bytes != b.bytes || a.busy != b.busy || a.utilization != b.utilization) return a.name;
  }
  const DataContract contract(program);
  for (std::size_t call = 0; call < cycle.outputs.size(); ++call) {
    for (NodeId node = 0; node < static_cast<NodeId>(cycle.outputs[call].size()); ++node) {
      if (!contract.owes(node)) continue;
      if (cycle.outputs[call][at(node)] != stream.outputs[call][at(node)]) return "outputs";
    }
  }
  return "";
}

/// What differs, and whether the stream engine did it alone.
std::pair<std::string, bool> compare(const Schedule& schedule, const Machine& machine, int calls,
                                     const Arithmetic& arithmetic = {}) {
  const auto program = lower(schedule, machine, {.arithmetic = arithmetic});
  if (!program.ok()) return {"not lowered: " + program.reason(), false};
  const SimulateOptions options{.calls = calls, .seed = 5, .engine = Engine::stream};
  const Result cycle = simulate(*program.value(), options);
  const Result stream = simulate_streams(*program.value(), options);
  return {difference(*program.value(), cycle, stream), stream.engine == "stream"};
}

test::Tree any_tree(std::int32_t size) {
  test::Tree tree{0};
  std::vector<std::int32_t> path{0};
  for (std::int32_t x = 1; x < size; ++x) {
    path.resize(*rc::gen::inRange<std::size_t>(1, path.size() + 1));
    tree.push_back(path.back());
    path.push_back(x);
  }
  return tree;
}

Machine any_machine(std::int32_t width, std::int32_t height = 1) {
  Machine machine = test::wafer(width, height);
  Mesh& mesh = test::mesh_of(machine);
  mesh.router_buffer = *rc::gen::inRange(1, 9);
  mesh.ramp_queue = *rc::gen::inRange(1, 5);
  mesh.ramp_latency = Cycles(*rc::gen::inRange(1, 8));
  mesh.hop_latency = Cycles(*rc::gen::inRange(1, 4));
  if (*rc::gen::inRange(0, 4) == 0) {  // the stream engine hands such machines over
    mesh.operation_start = Cycles(*rc::gen::element<std::int64_t>(0, 1, 7, 40));
    mesh.receive_gap = Cycles(*rc::gen::element<std::int64_t>(0, 1, 5, 25));
    mesh.arbitration =
        *rc::gen::element(Arbitration::lowest_color, Arbitration::highest_color, Arbitration::round_robin);
  }
  return machine;
}

Arithmetic any_arithmetic() {
  return {.type = *rc::gen::element(ElementType::f32, ElementType::f16, ElementType::i32),
          .op = *rc::gen::element(Operator::sum, Operator::max, Operator::min, Operator::prod)};
}

RC_GTEST_PROP(Engines, AgreeOnTreesOnTheIdealWaferWithoutHelp, ()) {
  const std::int32_t size = *rc::gen::inRange(2, 25);
  const auto [wrong, alone] = compare(test::reduce_row(any_tree(size), *rc::gen::inRange(1, 60)), test::wafer(size), 1);
  RC_ASSERT(wrong == "");
  RC_ASSERT(alone);
}

TEST(Engines, NeedNoCycleEngineWithShortBuffersAndLongRamps) {
  for (const auto& tree :
       {test::star_tree(13), test::chain_tree(13), test::binary_tree(13), test::two_phase_tree(13, 4)}) {
    for (const std::int32_t buffer : {1, 2, 5}) {
      for (const std::int32_t queue : {1, 3}) {
        for (const std::int64_t ramp : {1, 2, 7}) {
          Machine machine = test::wafer(13);
          Mesh& mesh = test::mesh_of(machine);
          mesh.router_buffer = buffer;
          mesh.ramp_queue = queue;
          mesh.ramp_latency = Cycles(ramp);
          const auto [wrong, alone] = compare(test::reduce_row(tree, 40), machine, 2);
          EXPECT_EQ(wrong, "");
          EXPECT_TRUE(alone) << "buffer " << buffer << ", queue " << queue << ", ramp " << ramp;
        }
      }
    }
  }
}

RC_GTEST_PROP(Engines, AgreeOnTreesWithAnyParametersTypeAndOperator, ()) {
  const std::int32_t size = *rc::gen::inRange(2, 16);
  const Schedule schedule = test::reduce_row(any_tree(size), *rc::gen::inRange(1, 30));
  const Machine machine = any_machine(size);
  RC_ASSERT(compare(schedule, machine, *rc::gen::inRange(1, 4), any_arithmetic()).first == "");
}

RC_GTEST_PROP(Engines, AgreeOnRootsInTheMiddle, ()) {
  const std::int32_t east = *rc::gen::inRange(2, 9), west = *rc::gen::inRange(2, 9);
  const Schedule schedule =
      test::reduce(east + west - 1, west - 1, *rc::gen::inRange(1, 30),
                   {{.tree = any_tree(east), .stride = 1}, {.tree = any_tree(west), .stride = -1}});
  RC_ASSERT(compare(schedule, any_machine(east + west - 1), 2).first == "");
}

RC_GTEST_PROP(Engines, AgreeOnFloodsOverGrids, ()) {
  const std::int32_t width = *rc::gen::inRange(1, 7), height = *rc::gen::inRange(1, 7);
  const Schedule schedule = test::flood(width * height, *rc::gen::inRange(0, width * height), *rc::gen::inRange(1, 30));
  const Machine machine = any_machine(width, height);
  const auto [wrong, alone] = compare(schedule, machine, *rc::gen::inRange(1, 4));
  RC_ASSERT(wrong == "");
  const Mesh& mesh = *as<Mesh>(machine);
  RC_ASSERT(alone || mesh.operation_start > Cycles(0) || mesh.receive_gap > Cycles(0) ||
            mesh.arbitration != Arbitration::lowest_color);
}

/// Rows reduce along one tree, then the first column along another.
Schedule rows_then_column(const test::Tree& row, const test::Tree& column, std::int64_t count) {
  const auto width = static_cast<NodeId>(row.size()), height = static_cast<NodeId>(column.size());
  ScheduleBuilder b({.nodes = width * height, .count = count});
  const SpanId all = b.span({0, count});
  const test::Side side{.tree = row, .stride = 1};
  for (NodeId y = 0; y < height; ++y) {
    Buffer own = Buffer::input;
    test::TreeWriter(b, y * width, side, all).write(own);
  }
  std::vector<StreamId> up(at(height));
  for (NodeId y = 1; y < height; ++y) up[at(y)] = b.stream(y * width, column[at(y)] * width, all);
  for (NodeId y = height - 1; y >= 0; --y) {
    for (NodeId child = y + 1; child < height; ++child) {
      if (column[at(child)] == y) {
        b.step(y * width, all).own(Buffer::output).take(up[at(child)]).store(Buffer::output);
      }
    }
    if (y > 0) b.step(y * width, all).own(Buffer::output).push(up[at(y)]);
  }
  b.contract({.collective = Collective::reduce, .ranks = test::all_ranks(width * height), .root = 0, .count = count});
  return std::move(b).finish();
}

RC_GTEST_PROP(Engines, AgreeOnRowsThenAColumn, ()) {
  const std::int32_t width = *rc::gen::inRange(2, 8), height = *rc::gen::inRange(2, 8);
  const Schedule schedule = rows_then_column(any_tree(width), any_tree(height), *rc::gen::inRange(1, 20));
  RC_ASSERT(compare(schedule, any_machine(width, height), *rc::gen::inRange(1, 3)).first == "");
}

/// In each round every node sends all that it has to another one, chosen at random, while it takes from a third.
Schedule exchanges(NodeId nodes, std::int64_t count, int rounds) {
  ScheduleBuilder b({.nodes = nodes, .count = count});
  const SpanId all = b.span({0, count});
  for (int round = 0; round < rounds; ++round) {
    const NodeId shift = *rc::gen::inRange(1, nodes);
    std::vector<StreamId> streams;
    for (NodeId i = 0; i < nodes; ++i) streams.push_back(b.stream(i, (i + shift) % nodes, all));
    for (NodeId i = 0; i < nodes; ++i) {
      auto step = b.step(i, all);
      step.own(Buffer::input).take(streams[at((i + nodes - shift) % nodes)]).store(Buffer::input);
      step.send_old(Buffer::input, all).push(streams[at(i)]);
    }
  }
  b.contract({.collective = Collective::barrier,
              .ranks = test::all_ranks(nodes),
              .count = 1,
              .from = Buffer::input,
              .to = Buffer::input});
  return std::move(b).finish();
}

RC_GTEST_PROP(Engines, AgreeOnExchanges, ()) {
  const NodeId nodes = *rc::gen::inRange(2, 7);
  const auto [wrong, alone] = compare(exchanges(nodes, *rc::gen::inRange(1, 20), *rc::gen::inRange(1, 4)),
                                      any_machine(nodes), *rc::gen::inRange(1, 3));
  RC_PRE(wrong.rfind("not lowered", 0) != 0);
  RC_ASSERT(wrong == "");
}

/// What `auto` runs and says; its result must be that of the stream engine alone.
std::pair<std::string, std::string> chosen_for(const test::Tree& tree, std::int64_t count) {
  const auto size = static_cast<std::int32_t>(tree.size());
  const auto program = lower(test::reduce_row(tree, count), test::wafer(size), {});
  const Result chosen = simulate_streams(*program.value(), {});
  const Result streams = simulate_streams(*program.value(), {.engine = Engine::stream});
  EXPECT_EQ(difference(*program.value(), chosen, streams), "");
  EXPECT_EQ(streams.engine, "stream");
  return {chosen.engine, chosen.note};
}

TEST(Engines, AreChosenByTheWorkThatEachWouldHave) {
  const std::pair<std::string, std::string> by_streams{"stream", ""};
  const std::pair<std::string, std::string> by_cycles{
      "cycle", "the stream engine was not used: the cycle engine takes less time"};
  EXPECT_EQ(chosen_for(test::star_tree(64), 1), by_streams);  // whatever takes milliseconds
  EXPECT_EQ(chosen_for(test::chain_tree(512), 256), by_streams);
  EXPECT_EQ(chosen_for(test::star_tree(200), 1), by_cycles);     // 19,900 messages of one word at routers
  EXPECT_EQ(chosen_for(test::binary_tree(512), 64), by_cycles);  // streams contend
}

TEST(Engines, HandOverWhatHasAFaultAndSayWhy) {
  using test::from_to, test::HandMade, test::route;
  HandMade program(2);
  program.routes(0, route({from_to(Direction::east, Direction::ramp)}))
      .routes(1, route({from_to(Direction::ramp, Direction::west)}))
      .takes(0)
      .sends(1)
      .sends(1);
  const Result result = simulate_streams(program.program(), {});
  EXPECT_EQ(result.engine, "cycle");
  EXPECT_EQ(result.note, "the stream engine was not used: left over at PE (0,0), color 5");
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->kind, "left over");
}

TEST(Engines, HandOverLanes) {
  ScheduleBuilder b({.nodes = 2, .count = 6});
  const SpanId first = b.span({0, 3}), second = b.span({3, 3});
  const StreamId stream_0 = b.stream(1, 0, first), stream_1 = b.stream(1, 0, second);
  b.step(1, first).own(Buffer::input).push(stream_0);
  b.step(1, second).own(Buffer::input).push(stream_1);
  b.step(0, first).own(Buffer::input).take(stream_0).store(Buffer::output);
  b.step(0, second, 1).own(Buffer::input).take(stream_1).store(Buffer::output);
  b.contract({.collective = Collective::reduce, .ranks = {0, 1}, .root = 0, .count = 6});
  const auto program = lower(std::move(b).finish(), test::wafer(2), {});
  ASSERT_TRUE(program.ok()) << program.reason();
  const Result result = simulate_streams(*program.value(), {});
  EXPECT_EQ(result.engine, "cycle");
  EXPECT_EQ(result.note, "the stream engine was not used: a processor runs several lanes");
  EXPECT_FALSE(result.fault);
}

}  // namespace
}  // namespace muster::wafer
