// Counters of messages: which messages a core counts together, and in which of its few counters.
//
// Messages of one sender's processor arrive in order, so one counter tells which of them have arrived: they are a group. Groups that are
// only waited for as a whole, at the end, share a counter.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "backend/torus/core_writer.h"

namespace muster::torus {

class Groups {
 public:
  explicit Groups(NodeId ranks) : nodes_(static_cast<std::size_t>(ranks)) {}

  struct Key {
    NodeId sender = 0;
    Processor processor = Processor::dataflow_0;
    bool grants = false;  ///< the right to send, not data
    std::int32_t shared = -1;
    auto operator<=>(const Key&) const = default;
  };
  /// The group of such messages to a node.
  GroupId of(NodeId node, const Key& key);
  void sent(NodeId node, GroupId group) {
    ++nodes_[static_cast<std::size_t>(node)].groups[static_cast<std::size_t>(group)].count;
  }
  /// So many messages were sent.
  [[nodiscard]] std::int64_t count(NodeId node, GroupId group) const {
    return nodes_[static_cast<std::size_t>(node)].groups[static_cast<std::size_t>(group)].count;
  }

  /// Multicasts of one sender to the same nodes set one counter of the same number at all of them.
  std::int32_t shared_by(const std::vector<NodeId>& nodes, Key key);
  GroupId of_shared(std::int32_t shared, NodeId node) {
    return of(node, shared_[static_cast<std::size_t>(shared)].key);
  }

  /// Groups that some processor of the node waits for before the end.
  void note_awaits(NodeId node, const CoreWriter& writer);
  /// Gives every group its counter.
  void assign();
  [[nodiscard]] std::int32_t counters_of(NodeId node) const { return nodes_[static_cast<std::size_t>(node)].counters; }
  /// Puts counters in the place of groups in a call of the node.
  void number_counters(NodeId node, Call& call) const;
  /// The waits that are missing at the end, with their counters.
  [[nodiscard]] std::vector<Await> unawaited(NodeId node, const CoreWriter& writer) const;

 private:
  struct Group {
    Key key;
    std::int64_t count = 0;
    bool is_awaited = false;
    std::int32_t counter = -1;
  };
  struct Node {
    std::map<Key, GroupId> by_key;
    std::vector<Group> groups;
    std::int32_t counters = 0;
  };
  struct Shared {
    Key key;
    std::vector<NodeId> nodes;
    std::int32_t counter = -1;
  };
  void assign_shared();
  void assign_others(Node& node) const;

  std::vector<Node> nodes_;
  std::vector<Shared> shared_;
  std::map<std::pair<Key, std::vector<NodeId>>, std::int32_t> shared_by_key_;
};

}  // namespace muster::torus
