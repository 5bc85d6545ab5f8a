#include "backend/torus/fitness.h"

#include <algorithm>
#include <set>

#include "base/index.h"
#include "machine/routing.h"
#include "schedule/index.h"

namespace muster::torus {
namespace {

bool is_route(const Torus& torus, const Schedule& flat, const Stream& stream, int noc) {
  std::set<Hop> expected;
  for (const NodeId sink : flat.sinks_of(stream)) {
    const std::vector<NodeId> nodes = route_on(torus, noc, stream.source, sink);
    for (std::size_t i = 0; i + 1 < nodes.size(); ++i) expected.insert({.from = nodes[i], .to = nodes[i + 1]});
  }
  const auto& hops = flat.routes[at(stream.route)];
  return std::set<Hop>(hops.begin(), hops.end()) == expected;
}

/// Whether the tiles are all workers of their rectangle, but for the sender.
bool fill_a_rectangle(const Torus& torus, std::span<const NodeId> tiles, NodeId sender) {
  const Rectangle area = rectangle_of(torus, tiles, 0);
  for (std::int32_t y = area.first.y; y <= area.last.y; ++y) {
    for (std::int32_t x = area.first.x; x <= area.last.x; ++x) {
      if (kind_of(torus, {.x = x, .y = y}) != TileKind::worker) continue;
      const NodeId node = node_at(torus, {.x = x, .y = y});
      if (node != sender && std::find(tiles.begin(), tiles.end(), node) == tiles.end()) return false;
    }
  }
  return true;
}

}  // namespace

std::int32_t bank_at(const Torus& torus, NodeId node) {
  const auto& banks = torus.dram.banks;
  const auto found = std::find(banks.begin(), banks.end(), coordinates_of(torus, node));
  return found == banks.end() ? -1 : static_cast<std::int32_t>(found - banks.begin());
}

Rectangle rectangle_of(const Torus& torus, std::span<const NodeId> tiles, int noc) {
  Coordinates least{.x = torus.width, .y = torus.height};
  Coordinates most{.x = -1, .y = -1};
  for (const NodeId tile : tiles) {
    const Coordinates c = coordinates_of(torus, tile);
    least = {.x = std::min(least.x, c.x), .y = std::min(least.y, c.y)};
    most = {.x = std::max(most.x, c.x), .y = std::max(most.y, c.y)};
  }
  return noc == 0 ? Rectangle{.first = least, .last = most} : Rectangle{.first = most, .last = least};
}

std::optional<std::string> unfit_streams(const Schedule& flat, const Machine& machine) {
  const Torus& torus = *as<Torus>(machine);
  const NodeId ranks = rank_count(torus);
  for (NodeId node = ranks; node < flat.node_count; ++node) {
    if (!flat.lanes_of(node).empty() && bank_at(torus, node) < 0) {
      return fmt::format("{} has steps, but is neither a worker nor a bank of DRAM", node_text(machine, node));
    }
  }
  for (StreamId id = 0; id < std::ssize(flat.streams); ++id) {
    const Stream& stream = flat.streams[at(id)];
    if (!carries_data(flat, id)) continue;
    const auto sinks = flat.sinks_of(stream);
    const bool of_cores =
        stream.source < ranks && std::all_of(sinks.begin(), sinks.end(), [&](NodeId s) { return s < ranks; });
    if (sinks.size() > 1 && (!of_cores || !fill_a_rectangle(torus, sinks, stream.source))) {
      return fmt::format("stream {} goes to {} tiles that are not all workers of a rectangle", id, sinks.size());
    }
    if (stream.source >= ranks && sinks[0] >= ranks) return fmt::format("stream {} goes from DRAM to DRAM", id);
    if (stream.route != kDefaultRoute && !is_route(torus, flat, stream, 0) && !is_route(torus, flat, stream, 1)) {
      return fmt::format("stream {} takes a route that no NoC takes", id);
    }
  }
  return std::nullopt;
}

}  // namespace muster::torus
