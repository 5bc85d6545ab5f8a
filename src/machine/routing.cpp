// Hands each question to the machine's family.
#include "machine/routing.h"

#include <algorithm>

#include "base/error.h"
#include "machine/families.h"

namespace muster {
namespace {

constexpr std::int64_t kWordBytes = 4;  // elements of a stream are 32-bit words

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

void check_node(const Machine& machine, NodeId node) {
  MUSTER_ASSERT(node >= 0 && node < node_count(machine), "node {} of a machine with {}", node, node_count(machine));
}

}  // namespace

NodeId rank_count(const Machine& machine) {
  return std::visit([](const auto& network) { return rank_count(network); }, machine.network);
}

NodeId node_count(const Machine& machine) {
  return std::visit([](const auto& network) { return node_count(network); }, machine.network);
}

bool can_combine(const Machine& machine, NodeId node) {
  check_node(machine, node);
  return node < rank_count(machine) || machine.hyperx() != nullptr || machine.cluster() != nullptr;
}

bool linked(const Machine& machine, NodeId from, NodeId to) {
  check_node(machine, from);
  check_node(machine, to);
  return std::visit([&](const auto& network) { return linked(network, from, to); }, machine.network);
}

std::vector<NodeId> default_route(const Machine& machine, NodeId from, NodeId to) {
  check_node(machine, from);
  check_node(machine, to);
  return std::visit([&](const auto& network) { return default_route(network, from, to); }, machine.network);
}

std::int64_t default_hops(const Machine& machine, NodeId from, NodeId to) {
  check_node(machine, from);
  check_node(machine, to);
  return std::visit([&](const auto& network) { return default_hops(network, from, to); }, machine.network);
}

std::int64_t stream_buffer(const Machine& machine) {
  return std::visit(Overloaded{
                        [](const Mesh& mesh) -> std::int64_t { return mesh.router_buffer; },
                        [](const Torus& torus) { return torus.input_buffer.value() / kWordBytes; },
                        [](const HyperX& hyperx) { return hyperx.buffer_packets * hyperx.packet.value() / kWordBytes; },
                        [](const Cluster& cluster) { return cluster.buffer_chunks > 0 ? kWholeStream : 0; },
                    },
                    machine.network);
}

std::string node_text(const Machine& machine, NodeId node) {
  check_node(machine, node);
  return std::visit(Overloaded{
                        [&](const Mesh& mesh) {
                          const GridPlace place = place_of(mesh, node);
                          return fmt::format("PE ({},{})", place.x, place.y);
                        },
                        [&](const Torus& torus) {
                          const GridPlace place = place_of(torus, node);
                          return fmt::format("tile ({},{})", place.x, place.y);
                        },
                        [&](const HyperX& hyperx) {
                          const NodeId ranks = rank_count(hyperx);
                          return node < ranks ? fmt::format("core {}", node)
                                              : fmt::format("switch of core {}", node - ranks);
                        },
                        [&](const Cluster& cluster) {
                          const NodeId ranks = rank_count(cluster);
                          return node < ranks ? fmt::format("NPU {}", node) : fmt::format("switch {}", node - ranks);
                        },
                    },
                    machine.network);
}

}  // namespace muster
