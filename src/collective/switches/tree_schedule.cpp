// The steps of a collective on an embedding. Nodes come in ascending order, so that the builder has nothing to sort.
#include "collective/switches/tree_schedule.h"

#include "base/index.h"
#include "machine/hyperx.h"

namespace muster {
namespace {

constexpr StreamId kNoStream = -1;

class TreeWriter {
 public:
  TreeWriter(ScheduleBuilder& builder, const HyperX& hyperx, const Embedding& tree, const TreeCollective& what)
      : b_(builder), tree_(tree), what_(what), ranks_(rank_count(hyperx)) {}

  void write() {
    find_users();
    const std::size_t most = tree_.switches.size();
    b_.expect({.streams = 3 * most, .sinks = 4 * most, .steps = 4 * most, .operands = 5 * most, .outputs = 3 * most});
    from_core_.assign(tree_.switches.size(), kNoStream);
    up_.assign(tree_.switches.size(), kNoStream);
    down_.assign(tree_.switches.size(), kNoStream);
    for (std::int32_t i = 0; i < count(); ++i) add_streams(i);
    for (std::int32_t i = 0; i < count(); ++i) write_core(i);
    for (std::int32_t i = 0; i < count(); ++i) write_switch(i);
  }

 private:
  [[nodiscard]] std::int32_t count() const { return static_cast<std::int32_t>(tree_.switches.size()); }
  [[nodiscard]] NodeId core(std::int32_t i) const { return tree_.switches[at(i)] - ranks_; }
  [[nodiscard]] bool is_root_core(std::int32_t i) const { return core(i) == what_.root; }

  [[nodiscard]] bool gives(std::int32_t i) const {
    return tree_.takes_part[at(i)] && (what_.collective != Collective::broadcast || is_root_core(i));
  }

  [[nodiscard]] bool takes(std::int32_t i) const {
    if (what_.collective == Collective::reduce) return is_root_core(i);
    const bool has_it = what_.collective == Collective::broadcast && what_.to == Buffer::input && is_root_core(i);
    return tree_.takes_part[at(i)] && !has_it;
  }

  /// Which switches have, at or below them, a core that gives; and one that takes.
  void find_users() {
    goes_up_.assign(tree_.switches.size(), false);
    goes_down_.assign(tree_.switches.size(), false);
    const auto mark = [&](std::vector<bool>& marked, std::int32_t i) {
      for (; i != kNoNode && !marked[at(i)]; i = tree_.parent[at(i)]) marked[at(i)] = true;
    };
    for (std::int32_t i = 0; i < count(); ++i) {
      if (gives(i)) mark(goes_up_, i);
      if (takes(i)) mark(goes_down_, i);
    }
  }

  void add_streams(std::int32_t i) {
    const NodeId here = tree_.switches[at(i)];
    if (gives(i)) from_core_[at(i)] = b_.stream(core(i), here, what_.elements);
    if (i != tree_.root && goes_up_[at(i)]) {
      up_[at(i)] = b_.stream(here, tree_.switches[at(tree_.parent[at(i)])], what_.elements);
    }
    sinks_.clear();
    for (const std::int32_t child : tree_.children_of(i)) {
      if (goes_down_[at(child)]) sinks_.push_back(tree_.switches[at(child)]);
    }
    if (takes(i)) sinks_.push_back(core(i));
    if (!sinks_.empty()) down_[at(i)] = b_.multicast(here, sinks_, what_.elements);
  }

  /// What brings the result to switch i: the stream of its parent.
  [[nodiscard]] StreamId from_above(std::int32_t i) const { return down_[at(tree_.parent[at(i)])]; }

  void write_core(std::int32_t i) {
    if (gives(i)) b_.step(core(i), what_.elements, what_.lane).own(Buffer::input).push(from_core_[at(i)]);
    if (takes(i)) b_.step(core(i), what_.elements, what_.lane + 1).take(down_[at(i)]).store(what_.to);
  }

  void write_switch(std::int32_t i) {
    const NodeId here = tree_.switches[at(i)];
    if (goes_up_[at(i)]) {
      auto step = b_.step(here, what_.elements, what_.lane);
      for (const std::int32_t child : tree_.children_of(i)) {
        if (up_[at(child)] != kNoStream) step.take(up_[at(child)]);
      }
      if (gives(i)) step.take(from_core_[at(i)]);
      step.push(i == tree_.root ? down_[at(i)] : up_[at(i)]);
    }
    if (i != tree_.root && goes_down_[at(i)]) {
      b_.step(here, what_.elements, what_.lane + 1).take(from_above(i)).push(down_[at(i)]);
    }
  }

  ScheduleBuilder& b_;
  const Embedding& tree_;
  const TreeCollective& what_;
  NodeId ranks_;
  std::vector<bool> goes_up_;
  std::vector<bool> goes_down_;
  std::vector<StreamId> from_core_;  ///< by switch of the tree
  std::vector<StreamId> up_;
  std::vector<StreamId> down_;
  std::vector<NodeId> sinks_;
};

}  // namespace

void write_tree(ScheduleBuilder& builder, const HyperX& hyperx, const Embedding& embedding,
                const TreeCollective& what) {
  TreeWriter(builder, hyperx, embedding, what).write();
}

}  // namespace muster
