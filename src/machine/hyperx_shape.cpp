// Shapes of a HyperX: the most even one of so many nodes, and cutting a machine to one.
#include <algorithm>
#include <limits>
#include <optional>

#include "base/counted.h"
#include "base/error.h"
#include "machine/hyperx.h"

namespace muster {
namespace {

using Shape = std::vector<std::int32_t>;

std::string join_sizes(const Shape& sizes) { return fmt::format("{}", fmt::join(sizes, "x")); }

/// The most even way to write `nodes` as a product of `dimensions` sizes from 2 to `largest`, largest first.
/// Tries first sizes from the smallest possible, so the first hit has the smallest maximum.
std::optional<Shape> factor(std::int64_t nodes, int dimensions, std::int64_t largest) {
  if (dimensions == 1) {
    if (nodes < 2 || nodes > largest) return std::nullopt;
    return Shape{static_cast<std::int32_t>(nodes)};
  }
  for (std::int64_t size = 2; size <= std::min(largest, nodes / 2); ++size) {
    if (nodes % size != 0) continue;
    std::optional<Shape> rest = factor(nodes / size, dimensions - 1, size);
    if (!rest) continue;
    rest->insert(rest->begin(), static_cast<std::int32_t>(size));
    return rest;
  }
  return std::nullopt;
}

std::optional<Shape> even_shape(std::int64_t nodes, std::int32_t largest) {
  if (nodes == 1) return Shape{};
  constexpr int kMostDimensions = 31;  // of size 2 or more: 2^31 nodes
  for (int dimensions = 2; dimensions <= kMostDimensions && (std::int64_t{1} << dimensions) <= nodes; ++dimensions) {
    if (std::optional<Shape> shape = factor(nodes, dimensions, largest)) return shape;
  }
  return factor(nodes, 1, largest);
}

/// Whether even_shape() finds one: no prime factor is above `largest`.
bool has_shape(std::int64_t nodes, std::int32_t largest) {
  for (std::int64_t divisor = 2; divisor <= largest && nodes > 1; ++divisor) {
    while (nodes % divisor == 0) nodes /= divisor;
  }
  return nodes == 1;
}

/// What to use instead of a number of nodes without a shape: "36 or 38".
std::string shapely_neighbours(std::int64_t nodes, std::int32_t largest, std::int64_t most) {
  constexpr std::int64_t kFar = 1000;
  std::int64_t below = nodes - 1;
  while (nodes - below < kFar && !has_shape(below, largest)) --below;
  std::int64_t above = nodes + 1;
  while (above - nodes < kFar && !has_shape(above, largest)) ++above;
  if (has_shape(below, largest) && above <= most && has_shape(above, largest))
    return fmt::format("{} or {}", grouped(below), grouped(above));
  return fmt::format("a product of numbers up to {}", largest);
}

const HyperX& hyperx_of(const Machine& machine, std::string_view what) {
  const HyperX* const hyperx = as<HyperX>(machine);
  if (hyperx == nullptr) {
    reject("machine '{}' is a {}, which takes no {}; that is for a hyperx such as piuma", machine.name,
           family_name(machine), what);
  }
  return *hyperx;
}

/// A rank and a switch per core must be countable in a NodeId.
std::int64_t most_nodes(const HyperX& hyperx) {
  return std::numeric_limits<NodeId>::max() / (2 * std::int64_t{hyperx.sockets} * cores_per_socket(hyperx));
}

void set_shape(Machine& machine, Shape shape) {
  HyperX& hyperx = *as<HyperX>(machine);
  if (has_failures(hyperx) && shape != hyperx.shape) {
    reject(
        "machine '{}' lists failed nodes or links by their numbers in {}; to change the shape, set nodes.shape and "
        "these lists together",
        machine.name, shape_text(machine));
  }
  hyperx.shape = std::move(shape);
}

}  // namespace

Machine with_nodes(Machine machine, std::int64_t nodes) {
  const HyperX& hyperx = hyperx_of(machine, "number of nodes");
  if (nodes < 1) reject("nodes: {} is too small; use at least 1", nodes);
  const std::int64_t most = most_nodes(hyperx);
  if (nodes > most)
    reject("nodes: {} are too many for {}; use at most {}", grouped(nodes), machine.name, grouped(most));
  std::optional<Shape> shape = even_shape(nodes, hyperx.max_dimension_size);
  if (!shape) {
    reject("nodes: {} cannot be split into dimensions of 2 to {} nodes each; use {}, or raise nodes.max_dimension_size",
           grouped(nodes), hyperx.max_dimension_size, shapely_neighbours(nodes, hyperx.max_dimension_size, most));
  }
  set_shape(machine, std::move(*shape));
  return machine;
}

Machine with_shape(Machine machine, const std::vector<std::int32_t>& shape) {
  const HyperX& hyperx = hyperx_of(machine, "shape of nodes");
  std::int64_t remaining = most_nodes(hyperx);
  for (const std::int32_t size : shape) {
    if (size < 2 || size > hyperx.max_dimension_size) {
      reject("shape: {} has a dimension of size {}; use 2 to {} in each", join_sizes(shape), size,
             hyperx.max_dimension_size);
    }
    remaining /= size;
  }
  if (remaining < 1) {
    reject("shape: {} has too many nodes for {}; use at most {}", join_sizes(shape), machine.name,
           grouped(most_nodes(hyperx)));
  }
  set_shape(machine, shape);
  return machine;
}

}  // namespace muster
