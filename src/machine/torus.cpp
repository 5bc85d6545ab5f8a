// Coordinates and paths on a network-on-chip of two unidirectional tori.
//
// The workers are the product of worker_columns and worker_rows (both sorted). The ranks are the first of them, row by row;
// the other tiles follow, row by row. A tile's number is therefore found by counting, without a table.
#include "machine/torus.h"

#include <algorithm>

namespace muster {
namespace {

NodeId count_below(const std::vector<std::int32_t>& sorted, std::int32_t limit) {
  return static_cast<NodeId>(std::lower_bound(sorted.begin(), sorted.end(), limit) - sorted.begin());
}

template <class T>
bool contains(const std::vector<T>& sorted, T value) {
  return std::binary_search(sorted.begin(), sorted.end(), value);
}

bool is_worker(const Torus& torus, Coordinates tile) {
  return contains(torus.worker_columns, tile.x) && contains(torus.worker_rows, tile.y);
}

/// Ranks before a tile, row by row over all tiles.
NodeId ranks_before(const Torus& torus, Coordinates tile) {
  const NodeId in_row = contains(torus.worker_rows, tile.y)
                            ? std::min(count_below(torus.worker_columns, tile.x), used_columns(torus))
                            : 0;
  return std::min(count_below(torus.worker_rows, tile.y) * used_columns(torus) + in_row, rank_count(torus));
}

bool is_rank(const Torus& torus, Coordinates tile) {
  return is_worker(torus, tile) && logical_of(torus, tile).x < used_columns(torus) &&
         ranks_before(torus, tile) < rank_count(torus);
}

/// The `index`-th tile that is no rank.
Coordinates other_tile(const Torus& torus, NodeId index) {
  const auto tile_at = [&](NodeId position) {
    return Coordinates{.x = position % torus.width, .y = position / torus.width};
  };
  NodeId first = 0;                     // the tile is at a position from here
  NodeId last = node_count(torus) - 1;  // to here
  while (first < last) {
    const NodeId middle = first + (last - first) / 2;
    const Coordinates tile = tile_at(middle);
    const NodeId others_before = middle - ranks_before(torus, tile);
    const bool is_behind = others_before + (is_rank(torus, tile) ? 0 : 1) <= index;
    if (is_behind) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return tile_at(first);
}

/// Hops from a to b in the only direction that a ring of `size` has.
std::int32_t forward(std::int32_t a, std::int32_t b, std::int32_t size) { return (b - a + size) % size; }

/// Moves `at` along a ring of `size` to `end`, step by step, and adds the tiles that it comes to.
void follow(const Torus& torus, Coordinates& at, std::int32_t Coordinates::*axis, std::int32_t end, std::int32_t step,
            std::vector<NodeId>& route) {
  const std::int32_t size = axis == &Coordinates::x ? torus.width : torus.height;
  while (at.*axis != end) {
    at.*axis = (at.*axis + step + size) % size;
    route.push_back(node_at(torus, at));
  }
}

/// Whether no worker column has a tile of another kind in this row.
bool is_row_of_workers(const Torus& torus, std::int32_t y) {
  const auto is_in_it = [&](Coordinates tile) { return tile.y == y && contains(torus.worker_columns, tile.x); };
  const auto none_of = [&](const std::vector<Coordinates>& tiles) {
    return std::none_of(tiles.begin(), tiles.end(), is_in_it);
  };
  return none_of(torus.ethernet_tiles) && none_of(torus.pcie_tiles) && none_of(torus.arc_tiles) &&
         std::all_of(torus.dram.controllers.begin(), torus.dram.controllers.end(), none_of);
}

}  // namespace

std::int32_t used_columns(const Torus& torus) {
  return torus.used_columns == 0 ? static_cast<NodeId>(torus.worker_columns.size()) : torus.used_columns;
}

std::int32_t used_rows(const Torus& torus) {
  const std::int32_t columns = used_columns(torus);
  return columns == 0 ? 0 : (rank_count(torus) + columns - 1) / columns;
}

NodeId rank_count(const Torus& torus) {
  return torus.used_ranks == 0 ? used_columns(torus) * static_cast<NodeId>(torus.worker_rows.size()) : torus.used_ranks;
}

NodeId node_count(const Torus& torus) { return torus.width * torus.height; }

Coordinates coordinates_of(const Torus& torus, NodeId node) {
  if (node >= rank_count(torus)) return other_tile(torus, node - rank_count(torus));
  return physical_of(torus, {.x = node % used_columns(torus), .y = node / used_columns(torus)});
}

NodeId node_at(const Torus& torus, Coordinates coordinates) {
  const NodeId before = ranks_before(torus, coordinates);
  if (is_rank(torus, coordinates)) return before;
  return rank_count(torus) + coordinates.y * torus.width + coordinates.x - before;
}

TileKind kind_of(const Torus& torus, Coordinates physical) {
  if (is_worker(torus, physical)) return TileKind::worker;
  if (contains(torus.ethernet_tiles, physical)) return TileKind::ethernet;
  if (contains(torus.pcie_tiles, physical)) return TileKind::pcie;
  if (contains(torus.arc_tiles, physical)) return TileKind::arc;
  for (const std::vector<Coordinates>& tiles : torus.dram.controllers) {
    if (std::find(tiles.begin(), tiles.end(), physical) != tiles.end()) return TileKind::dram;
  }
  const bool is_in_worker_column = contains(torus.worker_columns, physical.x);
  return is_in_worker_column && is_row_of_workers(torus, physical.y) ? TileKind::fused_off : TileKind::router;
}

Coordinates logical_of(const Torus& torus, Coordinates physical) {
  return {.x = count_below(torus.worker_columns, physical.x), .y = count_below(torus.worker_rows, physical.y)};
}

Coordinates physical_of(const Torus& torus, Coordinates logical) {
  return {.x = torus.worker_columns[static_cast<std::size_t>(logical.x)],
          .y = torus.worker_rows[static_cast<std::size_t>(logical.y)]};
}

bool linked(const Torus& torus, NodeId from, NodeId to) {
  return default_hops(torus, from, to) == 1 || default_hops(torus, to, from) == 1;
}

std::vector<NodeId> route_on(const Torus& torus, int noc, NodeId from, NodeId to) {
  Coordinates at = coordinates_of(torus, from);
  const Coordinates end = coordinates_of(torus, to);
  std::vector<NodeId> route{from};
  if (noc == 0) {
    follow(torus, at, &Coordinates::x, end.x, 1, route);
    follow(torus, at, &Coordinates::y, end.y, 1, route);
  } else {
    follow(torus, at, &Coordinates::y, end.y, -1, route);
    follow(torus, at, &Coordinates::x, end.x, -1, route);
  }
  return route;
}

std::int64_t hops_on(const Torus& torus, int noc, NodeId from, NodeId to) {
  const Coordinates a = coordinates_of(torus, noc == 0 ? from : to);  // NoC 1 goes the other way round
  const Coordinates b = coordinates_of(torus, noc == 0 ? to : from);
  return forward(a.x, b.x, torus.width) + forward(a.y, b.y, torus.height);
}

std::vector<NodeId> default_route(const Torus& torus, NodeId from, NodeId to) { return route_on(torus, 0, from, to); }

std::int64_t default_hops(const Torus& torus, NodeId from, NodeId to) { return hops_on(torus, 0, from, to); }

}  // namespace muster
