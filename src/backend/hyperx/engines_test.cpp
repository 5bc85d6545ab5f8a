// The plain engine is the reference of the exact one, and a walk over trees the reference of both.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "backend/hyperx/check.h"
#include "backend/hyperx/data.h"
#include "backend/hyperx/lines.h"
#include "backend/hyperx/packets.h"
#include "backend/hyperx/test_trees.h"
#include "machine/hyperx.h"
#include "result/time_base.h"

namespace muster::hyperx {
namespace {

std::string text(const RowTimes& times) { return fmt::format("{} {} {}", times.first, times.last, times.written); }

std::string difference(const Wiring& wiring, const std::vector<RowTimes>& packets, const std::vector<RowTimes>& lines) {
  for (std::size_t row = 0; row < lines.size(); ++row) {
    if (packets[row] == lines[row]) continue;
    return fmt::format("{}: packets {}, lines {}", wiring.text(wiring.registers().rows[row]), text(packets[row]),
                       text(lines[row]));
  }
  return "";
}

/// Between both engines, row by row; the exact one with rays, with blocks, and as it chooses.
std::string difference(const HyperXProgram& program, const HyperXOptions& options) {
  if (const auto fault = check(program)) return fault->location + ": " + fault->message;
  const Wiring wiring(program);
  const Timing timing(wiring, options);
  const RowOrder order = order_of(wiring);
  const PacketRun packets = run_packets(wiring, timing, 1, {});
  if (packets.fault) return packets.fault->location + ": " + packets.fault->message;
  for (const std::int64_t most_rays : {std::int64_t{0}, kMostRays, std::int64_t{64}}) {
    const LineRun lines = run_lines(wiring, order, timing, most_rays);
    const std::string different = difference(wiring, packets.times, lines.times);
    if (!different.empty()) return fmt::format("with {} rays: {}", most_rays, different);
  }
  return compute_data(wiring, order, 1) == packets.outputs ? "" : "data";
}

RC_GTEST_PROP(Engines, AgreeOnEveryRowOfRandomTrees, ()) {
  const HyperX network = any_network();
  const std::int32_t ids = any(1, 4);
  const auto program = program_of(network, any_trees(network, ids), any_segments(ids));
  const HyperXOptions options = any(0, 1) == 0 ? HyperXOptions{} : any_options(network);
  RC_ASSERT(difference(program, options) == "");
}

RC_GTEST_PROP(Engines, AgreeWhereWaysPartAndMeet, ()) {
  const HyperX network = any_network();
  const auto program = program_of(network, registers_of(any_graph(network), {{.elements = {0, any(1, 200)}}}));
  RC_ASSERT(difference(program, any_options(network)) == "");
}

RC_GTEST_PROP(Engines, AgreeOnWhatTheyMeasure, ()) {
  const HyperX network = any_network();
  const auto program = program_of(network, any_trees(network, 2), any_segments(2));
  SimulateOptions options{.calls = 2, .seed = 5, .engine = Engine::cycle, .options = any_options(network)};
  const Result packets = simulate(program, options);
  options.engine = Engine::automatic;
  const Result lines = simulate(program, options);
  RC_ASSERT(packets.engine == "packets");
  RC_ASSERT(lines.engine == "lines");
  RC_ASSERT(!packets.fault);
  RC_ASSERT(!lines.fault);
  RC_ASSERT(packets.cycles == lines.cycles);
  RC_ASSERT(packets.node_times == lines.node_times);
  RC_ASSERT(packets.call_cycles == lines.call_cycles);
  RC_ASSERT(packets.outputs == lines.outputs);
  double parts = 0;
  for (std::size_t i = 0; i < lines.parts.size(); ++i) {
    RC_ASSERT(packets.parts[i].seconds == lines.parts[i].seconds);
    RC_ASSERT(lines.parts[i].seconds.value() > -1e-15);
    parts += lines.parts[i].seconds.value();
  }
  RC_ASSERT(std::abs(parts - lines.seconds.value()) < 1e-15);
}

/// What memories hold, by core, buffer and element, when trees are walked one after another.
class TreeData {
 public:
  TreeData(const HyperX& network, const Arithmetic& arithmetic, std::int64_t extent)
      : ports_(network), ranks_(rank_count(network)), arithmetic_(arithmetic), extent_(extent) {}

  Word& word(NodeId rank, Buffer buffer, std::int64_t element) {
    auto& words = memory_[{rank, buffer}];
    if (words.empty()) {
      words.resize(at(extent_));
      if (buffer == Buffer::input) arithmetic_.inputs(rank, 0, 1, words);
    }
    return words[at(element)];
  }

  void run(const TestTree& tree, const Segment& segment) {
    for (std::int64_t e = segment.elements.first; e < segment.elements.end(); ++e) {
      const Word result = reduced(tree, segment, tree.root, e);
      for (const NodeId taker : tree.takes) word(taker - ranks_, segment.to, e) = result;
    }
  }

 private:
  /// Of the subtree: the children in the order of ports, then the memory.
  Word reduced(const TestTree& tree, const Segment& segment, NodeId node, std::int64_t element) {
    std::vector<Word> words;
    for (const auto& [port, child] : tree.children(node, ports_))
      words.push_back(reduced(tree, segment, child, element));
    if (tree.gives.contains(node)) words.push_back(word(node - ranks_, segment.from, element));
    Word result = words.front();
    for (std::size_t i = 1; i < words.size(); ++i) result = arithmetic_.combine(result, words[i]);
    return result;
  }

  Ports ports_;
  NodeId ranks_;
  Arithmetic arithmetic_;
  std::int64_t extent_;
  std::map<std::pair<NodeId, Buffer>, std::vector<Word>> memory_;
};

RC_GTEST_PROP(Engines, CombineInTheOrderOfPorts, ()) {
  const HyperX network = any_network();
  const std::int32_t ids = any(1, 3);
  const auto trees = any_trees(network, ids);
  const auto segments = any_segments(ids);
  const auto program = program_of(network, trees, segments);
  const std::int64_t extent = program.contracts[0].count;
  TreeData expected(network, program.arithmetic, extent);
  std::set<NodeId> written;
  for (const TestTree& tree : trees) {
    const Segment& segment = segments[at(tree.id)];
    expected.run(tree, segment);
    if (segment.to != Buffer::output || segment.elements.count == 0) continue;
    for (const NodeId taker : tree.takes) written.insert(taker - rank_count(network));
  }
  const Result result = simulate(program, {.engine = Engine::cycle});
  RC_ASSERT(!result.fault);
  for (NodeId rank = 0; rank < rank_count(network); ++rank) {
    const std::vector<Word>& words = result.outputs[0][at(rank)];
    RC_ASSERT(words.empty() != written.contains(rank));
    for (std::size_t e = 0; e < words.size(); ++e) {
      RC_ASSERT(words[e] == expected.word(rank, Buffer::output, static_cast<std::int64_t>(e)));
    }
  }
}

/// Links between a switch of a tree and its root, in picoseconds.
Time latency(const HyperX& network, const TestTree& tree, NodeId node) {
  Time time = 0;
  for (; node != tree.root; node = tree.parent.at(node)) {
    time += link_latency(network, node, tree.parent.at(node)).value();
  }
  return time;
}

RC_GTEST_PROP(Engines, TakeAReadTheWayAndAWriteForOneElement, ()) {
  HyperX network = any_network();
  network.packet = Bytes(8);
  std::set<NodeId> used;
  const NodeId ranks = rank_count(network);
  const TestTree tree = any_tree(network, 0, ranks + any(0, ranks - 1), 30, used);
  const auto memory_time = [&](NodeId node) {
    const double share = tree.gives.contains(node) && tree.takes.contains(node) ? 0.5 : 1;
    return picoseconds(8 / (share * network.memory_bandwidth.value())).value();
  };
  const Result result =
      simulate(program_of(network, {tree}, {{.elements = {0, any(1, 2)}}}), {.engine = Engine::cycle});
  RC_ASSERT(!result.fault);
  Time at_root = 0;
  for (const NodeId node : tree.gives) at_root = std::max(at_root, memory_time(node) + latency(network, tree, node));
  for (const NodeId node : tree.takes) {
    RC_ASSERT(result.node_times[0][at(node - ranks)].owed.value() ==
              at_root + latency(network, tree, node) + memory_time(node));
  }
}

}  // namespace
}  // namespace muster::hyperx
