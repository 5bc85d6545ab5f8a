// Port numbers from coordinates, and back.
#include "backend/hyperx/ports.h"

#include <array>
#include <charconv>
#include <limits>

#include "base/error.h"
#include "machine/hyperx.h"

namespace muster::hyperx {
namespace {

constexpr std::array<std::string_view, 4> kSideNames = {"west", "east", "north", "south"};

/// The number that `text` is, and nothing else.
std::optional<std::int32_t> number(std::string_view text) {
  std::int32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// What follows `prefix`, if `text` begins with it.
std::optional<std::string_view> behind(std::string_view text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return std::nullopt;
  return text.substr(prefix.size());
}

}  // namespace

Ports::Ports(const HyperX& hyperx) : hyperx_(hyperx), ranks_(rank_count(hyperx)), cores_(cores_per_socket(hyperx)) {
  std::int64_t next = kSides + hyperx.sockets;
  std::int64_t stride = 1;
  constexpr std::int64_t kMost = std::numeric_limits<Port>::max();
  for (const std::int32_t size : hyperx.shape) {
    if (next + size + 2 > kMost) break;
    dimensions_.push_back({.first = static_cast<std::int32_t>(next), .stride = static_cast<std::int32_t>(stride)});
    next += size;
    stride *= size;
  }
  if (dimensions_.size() < hyperx.shape.size()) {
    reject("nodes of shape {} give every switch more than {} ports; use smaller dimensions",
           fmt::join(hyperx.shape, "x"), kMost);
  }
  count_ = static_cast<std::int32_t>(next) + 2;
}

std::size_t Ports::dimension_of(Port port) const {
  std::size_t d = 0;
  while (d + 1 < dimensions_.size() && dimensions_[d + 1].first <= port) ++d;
  return d;
}

std::optional<PortEnd> Ports::end(NodeId at, Port port) const {
  if (port < 0 || !is_link(port)) return std::nullopt;
  if (port < kSides) return mesh_end(at, static_cast<Side>(port));
  const HyperXCoordinates coordinates = coordinates_of(hyperx_, at);
  if (port < kSides + hyperx_.sockets) return socket_end(coordinates, port - kSides);
  return node_end(coordinates, port);
}

std::optional<PortEnd> Ports::mesh_end(NodeId at, Side side) const {
  const std::int32_t core = at % cores_;
  const std::int32_t row = core / hyperx_.core_columns;
  const std::int32_t column = core - row * hyperx_.core_columns;
  const auto neighbour = [&](bool exists, std::int32_t by, Side back) -> std::optional<PortEnd> {
    if (!exists) return std::nullopt;
    return PortEnd{.at = at + by, .port = mesh(back)};
  };
  switch (side) {
    case Side::west:
      return neighbour(column > 0, -1, Side::east);
    case Side::east:
      return neighbour(column + 1 < hyperx_.core_columns, 1, Side::west);
    case Side::north:
      return neighbour(row > 0, -hyperx_.core_columns, Side::south);
    case Side::south:
      break;
  }
  return neighbour(row + 1 < hyperx_.core_rows, hyperx_.core_columns, Side::north);
}

std::optional<PortEnd> Ports::socket_end(HyperXCoordinates coordinates, std::int32_t to) const {
  if (to == coordinates.socket || coordinates.core != socket_port(hyperx_, to)) return std::nullopt;
  const HyperXCoordinates peer{
      .node = coordinates.node, .socket = to, .core = socket_port(hyperx_, coordinates.socket)};
  return PortEnd{.at = switch_at(hyperx_, peer), .port = socket(coordinates.socket)};
}

std::optional<PortEnd> Ports::node_end(HyperXCoordinates coordinates, Port port) const {
  const std::size_t d = dimension_of(port);
  const std::int32_t to = port - dimensions_[d].first;
  const std::int32_t own = coordinate_of(coordinates.node, d);
  if (to == own || node_port(hyperx_, coordinates.node, d, to) != coordinates) return std::nullopt;
  const std::int32_t peer = coordinates.node + (to - own) * dimensions_[d].stride;
  return PortEnd{.at = switch_at(hyperx_, node_port(hyperx_, peer, d, own)), .port = node(d, own)};
}

Port Ports::towards(NodeId at, NodeId neighbour) const {
  if (neighbour < ranks_) return memory();
  if (at / cores_ == neighbour / cores_) {
    const bool same_row = at / hyperx_.core_columns == neighbour / hyperx_.core_columns;
    if (same_row) return mesh(neighbour < at ? Side::west : Side::east);
    return mesh(neighbour < at ? Side::north : Side::south);
  }
  const HyperXCoordinates from = coordinates_of(hyperx_, at);
  const HyperXCoordinates to = coordinates_of(hyperx_, neighbour);
  if (from.node != to.node) {
    std::size_t d = 0;
    while (coordinate_of(from.node, d) == coordinate_of(to.node, d)) ++d;
    return node(d, coordinate_of(to.node, d));
  }
  return socket(to.socket);
}

std::string Ports::text(Port port) const {
  if (port == memory()) return "memory";
  if (port == loop()) return "loop";
  if (port < kSides) return std::string(kSideNames[at(port)]);
  if (level(port) == Level::socket) return fmt::format("socket {}", port - kSides);
  const std::size_t d = dimension_of(port);
  return fmt::format("node {}:{}", d, port - dimensions_[d].first);
}

std::optional<Port> Ports::from_text(std::string_view text) const {
  if (text == "memory") return memory();
  if (text == "loop") return loop();
  for (std::size_t side = 0; side < kSideNames.size(); ++side) {
    if (text == kSideNames[side]) return static_cast<Port>(side);
  }
  if (const auto rest = behind(text, "socket ")) {
    const auto to = number(*rest);
    if (to && *to >= 0 && *to < hyperx_.sockets) return socket(*to);
  }
  if (const auto rest = behind(text, "node ")) {
    const std::size_t colon = std::min(rest->find(':'), rest->size());
    const auto dimension = number(rest->substr(0, colon));
    const auto to = number(rest->substr(std::min(colon + 1, rest->size())));
    if (!dimension || !to || *dimension < 0 || at(*dimension) >= dimensions_.size()) return std::nullopt;
    if (*to >= 0 && *to < hyperx_.shape[at(*dimension)]) return node(at(*dimension), *to);
  }
  return std::nullopt;
}

}  // namespace muster::hyperx
