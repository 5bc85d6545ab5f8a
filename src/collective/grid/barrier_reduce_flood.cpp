// Barrier: every PE's token is added up at a PE in the middle, and the sum floods back.
//
// Steps: in every row, the longer side sends its tokens straight to the middle PE, nearest first; on the shorter side they
// go to the middle's neighbour, which sends their sum, so that the two sides do not queue at one port. The middle column
// does the same with the sums of the rows, and the middle PE floods. One word each; busiest port: half a row. Cost (ours): a
// star of k tokens ends at k + 2 T_R + h, or when the farthest is there; a flood over d hops takes 1 + h d + 2 T_R.
#include <algorithm>

#include "collective/algorithms.h"
#include "collective/grid/block_line.h"
#include "machine/mesh.h"

namespace muster {

namespace {

/// A row or a column of PEs whose tokens are added up at its middle.
struct TokenLine {
  NodeId first = 0;
  NodeId stride = 1;
  std::int32_t length = 1;
  [[nodiscard]] NodeId node(std::int32_t index) const { return first + index * stride; }
  [[nodiscard]] std::int32_t middle() const { return length / 2; }
};

class BarrierWriter {
 public:
  BarrierWriter(ScheduleBuilder& builder, NodeId nodes)
      : b_(builder), token_(b_.span({0, 1})), sum_in_(static_cast<std::size_t>(nodes), Buffer::input) {}

  void add_up(const TokenLine& line) {
    const std::int32_t middle = line.middle();
    for (std::int32_t index = middle - 1; index >= 0; --index) send(line.node(index), line.node(middle));
    for (std::int32_t index = middle + 2; index < line.length; ++index) send(line.node(index), line.node(middle + 1));
    if (middle + 1 < line.length) send(line.node(middle + 1), line.node(middle));
  }

  void flood(NodeId from, const std::vector<NodeId>& ranks) {
    std::vector<NodeId> others = ranks;
    others.erase(others.begin() + from);
    if (others.empty()) {
      b_.step(from, token_).own(Buffer::input).store(Buffer::output);
      return;
    }
    const StreamId stream = b_.multicast(from, others, token_);
    b_.step(from, token_).own(sum_in(from)).push(stream);
    for (const NodeId node : others) b_.step(node, token_).take(stream).store(Buffer::output);
  }

 private:
  Buffer& sum_in(NodeId node) { return sum_in_[static_cast<std::size_t>(node)]; }

  void send(NodeId from, NodeId to) {
    const StreamId stream = b_.stream(from, to, token_);
    b_.step(from, token_).own(sum_in(from)).push(stream);
    b_.step(to, token_).own(sum_in(to)).take(stream).store(Buffer::output);
    sum_in(to) = Buffer::output;
  }

  ScheduleBuilder& b_;
  SpanId token_;
  std::vector<Buffer> sum_in_;  ///< of each node: where the sum so far lies
};

Schedule make(const Request& request, const Parameters&) {
  const Mesh& mesh = *as<Mesh>(request.machine);
  ScheduleBuilder b({.nodes = rank_count(mesh), .count = 1});
  BarrierWriter writer(b, rank_count(mesh));
  for (std::int32_t y = 0; y < mesh.height; ++y) {
    writer.add_up({.first = node_at(mesh, {.x = 0, .y = y}), .stride = 1, .length = mesh.width});
  }
  const std::int32_t middle = mesh.width / 2;
  writer.add_up({.first = middle, .stride = mesh.width, .length = mesh.height});
  writer.flood(node_at(mesh, {.x = middle, .y = mesh.height / 2}), all_ranks(request.machine));
  b.contract({.collective = Collective::barrier, .ranks = all_ranks(request.machine), .count = 1});
  return std::move(b).finish();
}

std::int64_t message(const Mesh& mesh, std::int64_t hops) {
  return 1 + mesh.hop_latency.value() * hops + 2 * mesh.ramp_latency.value();
}

/// When the middle of a line has the sum, counted from when all PEs have their token.
std::int64_t added_up(std::int64_t length, const Mesh& mesh) {
  const std::int64_t direct = length / 2;
  const std::int64_t led = length - 1 - direct;  // the leader included
  const auto star = [&](std::int64_t tokens) {
    return tokens == 0 ? 0 : std::max(tokens - 1 + message(mesh, 1), message(mesh, tokens));
  };
  return std::max(star(direct), led == 0 ? 0 : star(led - 1) + message(mesh, 1));
}

Cycles cost(const Request& request, const Parameters&) {
  const Mesh& mesh = *as<Mesh>(request.machine);
  if (rank_count(mesh) == 1) return Cycles(1);
  const std::int64_t back = message(mesh, mesh.width / 2 + mesh.height / 2);
  return Cycles(added_up(mesh.width, mesh) + added_up(mesh.height, mesh) + back);
}

std::optional<std::string> unsupported(const Request& request) {
  if (auto reason = unless_mesh(request)) return reason;
  if (request.count == 1) return std::nullopt;
  return fmt::format("carries one word, got {}", request.count);
}

}  // namespace

Algorithm barrier_reduce_flood() {
  return {.collective = Collective::barrier,
          .name = "reduce-flood",
          .family = "mesh",
          .summary = "tokens are summed at the middle of each row, then of the middle column; the sum floods back",
          .source = "Muster's own: docs/wafer.md",
          .parameters = {},
          .unsupported = unsupported,
          .make = make,
          .cost = cost,
          .cost_tolerance = {.fraction = 0.1, .cycles = Cycles(8)}};
}

}  // namespace muster
