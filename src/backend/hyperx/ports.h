// The ports of a switch, as its registers number them.
//
// The order is that in which a collective engine combines its inputs. It is not published; assumed: west, east, north and
// south in the mesh of the socket, then the other sockets by number, then the other nodes by dimension and coordinate, then the
// loop, last the memory of the core. Since memory is last, contributions of lower ranks come before a core's own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/index.h"
#include "machine/hyperx.h"

namespace muster::hyperx {

using Port = std::int16_t;

/// Where a port leads: the switch at the other end, and the port there.
struct PortEnd {
  NodeId at = 0;
  Port port = 0;
  bool operator==(const PortEnd&) const = default;
};

/// What a link connects: cores of a socket, sockets of a node, nodes.
enum class Level : std::uint8_t { core, socket, node };

/// Port numbers are the same at every switch; many of them are not connected.
class Ports {
 public:
  /// Keeps a reference to the machine. Throws InputError if its switches have more ports than registers can number.
  explicit Ports(const HyperX& hyperx);

  enum class Side : std::uint8_t { west, east, north, south };
  [[nodiscard]] Port mesh(Side side) const { return static_cast<Port>(side); }
  [[nodiscard]] Port socket(std::int32_t socket) const { return static_cast<Port>(kSides + socket); }
  [[nodiscard]] Port node(std::size_t dimension, std::int32_t coordinate) const {
    return static_cast<Port>(dimensions_[dimension].first + coordinate);
  }
  /// From the request channel of a switch to its response channel, or back.
  [[nodiscard]] Port loop() const { return static_cast<Port>(count_ - 2); }
  [[nodiscard]] Port memory() const { return static_cast<Port>(count_ - 1); }
  [[nodiscard]] std::int32_t count() const { return count_; }

  /// Whether it leads to another switch, at some switches at least.
  [[nodiscard]] bool is_link(Port port) const { return port < loop(); }
  /// Of a link.
  [[nodiscard]] Level level(Port port) const {
    if (port < kSides) return Level::core;
    return port < kSides + hyperx_.sockets ? Level::socket : Level::node;
  }

  /// The other end of a link between switches; nothing for memory, loop, and ports that lead nowhere here.
  [[nodiscard]] std::optional<PortEnd> end(NodeId at, Port port) const;
  /// The port of a switch that leads to a neighbour: another switch, or the memory of its core. They are linked.
  [[nodiscard]] Port towards(NodeId at, NodeId neighbour) const;

  /// "west", "socket 3", "node 0:2" (in dimension 0, coordinate 2), "memory", "loop"; and back.
  [[nodiscard]] std::string text(Port port) const;
  [[nodiscard]] std::optional<Port> from_text(std::string_view text) const;

 private:
  static constexpr std::int32_t kSides = 4;
  struct Dimension {
    std::int32_t first = 0;   ///< its port to coordinate 0
    std::int32_t stride = 0;  ///< between the numbers of neighbouring nodes
  };

  [[nodiscard]] std::optional<PortEnd> mesh_end(NodeId at, Side side) const;
  [[nodiscard]] std::optional<PortEnd> socket_end(HyperXCoordinates coordinates, std::int32_t to) const;
  [[nodiscard]] std::optional<PortEnd> node_end(HyperXCoordinates coordinates, Port port) const;
  [[nodiscard]] std::size_t dimension_of(Port port) const;
  [[nodiscard]] std::int32_t coordinate_of(std::int32_t node, std::size_t dimension) const {
    return node / dimensions_[dimension].stride % hyperx_.shape[dimension];
  }

  const HyperX& hyperx_;
  NodeId ranks_;        ///< switches are numbered from here on, so that a socket's begin at a multiple of cores_
  std::int32_t cores_;  ///< of a socket
  std::vector<Dimension> dimensions_;
  std::int32_t count_ = 0;
};

}  // namespace muster::hyperx
