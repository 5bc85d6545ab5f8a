// The vendor's library <collectives_2d>, as a baseline: it works along rows or columns, so a grid takes two calls, one per axis.
//
// By its documentation, a dimension has two colors and `reduce_fadds` and `broadcast` each end in a callback, which makes the
// second call. Near-Optimal Wafer-Scale Reduce (HPDC'24) calls its reduce a chain. So a reduce is the chain of every
// row, then the chain of the root's column; a broadcast floods the root's row, whose PEs hold the vector before they flood
// their columns. Busiest port of a grid: 2 B for both, in the root's column and in the root's row. Cost: the times of both
// axes. The library also reconfigures the routers in each call; what that takes is not published and counts as nothing here,
// so its real times are longer.
#include <utility>

#include "base/saturating.h"
#include "collective/algorithms.h"
#include "collective/grid/axes.h"
#include "collective/grid/flood.h"
#include "machine/mesh.h"

namespace muster {

namespace {

constexpr const char* kName = "collectives-2d";

bool is_grid(const Request& request) { return !unless_grid(request).has_value(); }

Reduce chain_of(const Request& request) {
  return is_grid(request) ? reduce_xy(reduce_chain()) : reduce_on_line(reduce_chain());
}

std::vector<NodeId> others_of(const std::vector<NodeId>& nodes, NodeId root) {
  std::vector<NodeId> others;
  for (const NodeId node : nodes) {
    if (node != root) others.push_back(node);
  }
  return others;
}

Schedule make_broadcast(const Request& request, const Parameters&) {
  const Mesh& mesh = *as<Mesh>(request.machine);
  const Coordinates root = coordinates_of(mesh, request.root);
  const FloodBuffers buffers{.from = Buffer::input, .to = Buffer::input};
  ScheduleBuilder b({.nodes = rank_count(mesh), .count = request.count, .output = 0});
  const SpanId all = b.span({0, request.count});
  std::vector<NodeId> row;
  for (std::int32_t x = 0; x < mesh.width; ++x) row.push_back(node_at(mesh, {x, root.y}));
  write_flood(b, request.root, others_of(row, request.root), all, buffers);
  for (std::int32_t x = 0; x < mesh.width; ++x) {
    std::vector<NodeId> column;
    for (std::int32_t y = 0; y < mesh.height; ++y) column.push_back(node_at(mesh, {x, y}));
    write_flood(b, row[static_cast<std::size_t>(x)], others_of(column, row[static_cast<std::size_t>(x)]), all, buffers);
  }
  b.contract({.collective = Collective::broadcast,
              .ranks = all_ranks(request.machine),
              .root = request.root,
              .count = request.count,
              .to = buffers.to});
  return std::move(b).finish();
}

Cycles broadcast_cost(const Request& request, const Parameters&) {
  const Request row = row_request(request);
  const Request column = column_request(request);
  const Cycles along_row = flood_cycles(*as<Mesh>(row.machine), row.root, request.count);
  const Cycles along_column = flood_cycles(*as<Mesh>(column.machine), column.root, request.count);
  return Cycles(saturating_sum(along_row.value(), along_column.value()));
}

}  // namespace

Algorithm reduce_collectives_2d() {
  return {.collective = Collective::reduce,
          .name = kName,
          .family = "mesh",
          .summary = "the vendor's library: a chain along every row, then along the root's column",
          .source = "SDK documentation of <collectives_2d>; Near-Optimal Wafer-Scale Reduce (HPDC'24) calls it a chain",
          .parameters = {},
          .unsupported = [](const Request& request) { return chain_of(request).unsupported(request); },
          .make =
              [](const Request& request, const Parameters& parameters) {
                return reduce_algorithm(chain_of(request)).make(request, parameters);
              },
          .cost = [](const Request& request,
                     const Parameters& parameters) { return chain_of(request).cost(request, parameters); },
          .cost_tolerance = reduce_xy(reduce_chain()).cost_tolerance};
}

Algorithm broadcast_collectives_2d() {
  return {.collective = Collective::broadcast,
          .name = kName,
          .family = "mesh",
          .summary = "the vendor's library: along the root's row, then along every column",
          .source = "SDK documentation of <collectives_2d>",
          .parameters = {},
          .unsupported = unless_grid,  // on a line it is `flood`
          .make = make_broadcast,
          .cost = broadcast_cost,
          .cost_tolerance = {.cycles = Cycles(2)}};
}

}  // namespace muster
