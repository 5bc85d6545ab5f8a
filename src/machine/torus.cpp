// Coordinates and paths on a network-on-chip of two unidirectional tori.
//
// The working tiles are the product of worker_columns and worker_rows (both sorted), numbered row by row; the other
// tiles follow, row by row. A tile's number is therefore found by counting, without a table.
#include "machine/torus.h"

#include <algorithm>

namespace muster {
namespace {

NodeId count_below(const std::vector<std::int32_t>& sorted, std::int32_t limit) {
  return static_cast<NodeId>(std::lower_bound(sorted.begin(), sorted.end(), limit) - sorted.begin());
}

bool contains(const std::vector<std::int32_t>& sorted, std::int32_t value) {
  return std::binary_search(sorted.begin(), sorted.end(), value);
}

NodeId columns(const Torus& torus) { return static_cast<NodeId>(torus.worker_columns.size()); }

/// Tiles of row `y` that are not ranks.
NodeId others_in_row(const Torus& torus, std::int32_t y) {
  return torus.width - (contains(torus.worker_rows, y) ? columns(torus) : 0);
}

/// Column of the `index`-th tile of a row of workers that is not a rank.
std::int32_t other_column(const Torus& torus, NodeId index) {
  std::int32_t x = 0;
  for (;; ++x) {
    if (contains(torus.worker_columns, x)) continue;
    if (index-- == 0) return x;
  }
}

/// Hops from a to b in the only direction that a ring of `size` has.
std::int32_t forward(std::int32_t a, std::int32_t b, std::int32_t size) { return (b - a + size) % size; }

}  // namespace

NodeId rank_count(const Torus& torus) { return columns(torus) * static_cast<NodeId>(torus.worker_rows.size()); }

NodeId node_count(const Torus& torus) { return torus.width * torus.height; }

Coordinates coordinates_of(const Torus& torus, NodeId node) {
  if (node < rank_count(torus)) {
    return {.x = torus.worker_columns[static_cast<std::size_t>(node % columns(torus))],
            .y = torus.worker_rows[static_cast<std::size_t>(node / columns(torus))]};
  }
  NodeId index = node - rank_count(torus);
  std::int32_t y = 0;
  for (; index >= others_in_row(torus, y); ++y) index -= others_in_row(torus, y);
  return {.x = contains(torus.worker_rows, y) ? other_column(torus, index) : index, .y = y};
}

NodeId node_at(const Torus& torus, Coordinates coordinates) {
  const NodeId full_rows_above = count_below(torus.worker_rows, coordinates.y) * columns(torus);
  if (!contains(torus.worker_rows, coordinates.y)) {
    return rank_count(torus) + coordinates.y * torus.width + coordinates.x - full_rows_above;
  }
  const NodeId ranks_before = full_rows_above + count_below(torus.worker_columns, coordinates.x);
  if (contains(torus.worker_columns, coordinates.x)) return ranks_before;
  return rank_count(torus) + coordinates.y * torus.width + coordinates.x - ranks_before;
}

bool linked(const Torus& torus, NodeId from, NodeId to) {
  return default_hops(torus, from, to) == 1 || default_hops(torus, to, from) == 1;
}

std::vector<NodeId> default_route(const Torus& torus, NodeId from, NodeId to) {
  Coordinates at = coordinates_of(torus, from);
  const Coordinates end = coordinates_of(torus, to);
  std::vector<NodeId> route{from};
  while (at.x != end.x) {
    at.x = (at.x + 1) % torus.width;
    route.push_back(node_at(torus, at));
  }
  while (at.y != end.y) {
    at.y = (at.y + 1) % torus.height;
    route.push_back(node_at(torus, at));
  }
  return route;
}

std::int64_t default_hops(const Torus& torus, NodeId from, NodeId to) {
  const Coordinates a = coordinates_of(torus, from);
  const Coordinates b = coordinates_of(torus, to);
  return forward(a.x, b.x, torus.width) + forward(a.y, b.y, torus.height);
}

}  // namespace muster
