// Hands each question to the machine's family.
#include "machine/routing.h"

#include "base/error.h"
#include "machine/family.h"

namespace muster {
namespace {

void check_node(const Machine& machine, NodeId node) {
  MUSTER_ASSERT(node >= 0 && node < node_count(machine), "node {} of a machine with {}", node, node_count(machine));
}

}  // namespace

NodeId rank_count(const Machine& machine) { return machine.family().ranks(machine.network); }

NodeId node_count(const Machine& machine) { return machine.family().nodes(machine.network); }

bool can_combine(const Machine& machine, NodeId node) {
  check_node(machine, node);
  return machine.family().combines(machine.network, node);
}

bool can_store(const Machine& machine, NodeId node) {
  check_node(machine, node);
  return machine.family().stores(machine.network, node);
}

bool linked(const Machine& machine, NodeId from, NodeId to) {
  check_node(machine, from);
  check_node(machine, to);
  return machine.family().has_link(machine.network, from, to);
}

std::vector<NodeId> default_route(const Machine& machine, NodeId from, NodeId to) {
  check_node(machine, from);
  check_node(machine, to);
  return machine.family().route(machine.network, from, to);
}

std::int64_t default_hops(const Machine& machine, NodeId from, NodeId to) {
  check_node(machine, from);
  check_node(machine, to);
  return machine.family().hops(machine.network, from, to);
}

std::int64_t stream_buffer(const Machine& machine) { return machine.family().buffered_words(machine.network); }

std::string node_text(const Machine& machine, NodeId node) {
  check_node(machine, node);
  return machine.family().node_text(machine.network, node);
}

}  // namespace muster
