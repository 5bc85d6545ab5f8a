#include "backend/wafer/stream/one_message.h"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "backend/wafer/directions.h"
#include "base/index.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

enum class Role : std::uint8_t { idle, sender, taker, other };

Role role_of(const ProcessorClass& c) {
  if (c.operations.empty()) return Role::idle;
  const Operation& o = c.operations.front();
  if (c.operations.size() > 1 || o.times != 1 || o.sent != Buffer::none || o.operands.size() != 1) return Role::other;
  if (o.operands[0] != kOwnOperand) return o.outputs.empty() && o.store != Buffer::none ? Role::taker : Role::other;
  const bool sends = o.store == Buffer::none && o.outputs.size() == 1 && o.outputs[0].ending == Ending::nothing;
  return sends ? Role::sender : Role::other;
}

class OneMessage {
 public:
  OneMessage(const WaferProgram& part, NodeId corner, NodeId stride, const Progress& progress)
      : part_(part),
        mesh_(part.mesh()),
        fabric_(mesh_),
        corner_(corner),
        stride_(stride),
        before_(progress),
        moves_(part.class_of.size(), kNever) {}

  bool find_times() {
    if (fabric_.short_buffers || !find_roles()) return false;
    const LaneEnd& start = before_.ends[place(sender_)];
    begin_ = std::max({start.next, start.datapath, start.ramp});
    std::vector<NodeId> open;
    if (!visit(sender_, begin_, begin_ + fabric_.ramp, Direction::ramp)) return false;
    open.push_back(sender_);
    std::size_t taken = 0;
    for (std::size_t i = 0; i < open.size(); ++i) {
      const NodeId here = open[i];
      const Directions to = route(here)->positions[0].to;
      if (has(to, Direction::ramp)) {
        if (!is_free_to_take(here)) return false;
        ++taken;
      }
      for (int d = 0; d < kDirections - 1; ++d) {
        if (!has(to, direction_at(d))) continue;
        const NodeId next = neighbour(mesh_, here, direction_at(d));
        const std::int64_t sent = moves_[at(here)];
        if (next == kOutside || !visit(next, sent, sent + fabric_.hop, opposite(direction_at(d)))) return false;
        open.push_back(next);
      }
    }
    return taken == takers_;
  }

  void add_to(Progress& progress) const {
    for (NodeId node = 0; node < static_cast<NodeId>(moves_.size()); ++node) {
      if (moves_[at(node)] != kNever) add(node, progress);
    }
  }

 private:
  [[nodiscard]] std::size_t place(NodeId node) const {
    return at(corner_ + node / mesh_.width * stride_ + node % mesh_.width);
  }
  [[nodiscard]] const ProcessorClass& class_of(NodeId node) const {
    return part_.classes[at(part_.class_of[at(node)])];
  }
  [[nodiscard]] const ColorRoute* route(NodeId node) const {
    const auto& routes = class_of(node).routes;
    return routes.size() == 1 && routes[0].count == 1 ? routes.data() : nullptr;
  }

  /// One sender; everyone takes what it sends.
  bool find_roles() {
    std::vector<Role> roles;
    for (const ProcessorClass& c : part_.classes) roles.push_back(role_of(c));
    for (NodeId node = 0; node < static_cast<NodeId>(moves_.size()); ++node) {
      const Role role = roles[at(part_.class_of[at(node)])];
      if (role == Role::other) return false;
      if (role == Role::taker) {
        ++takers_;
        const std::int64_t words = part_.spans.count(class_of(node).operations.front().elements);
        if (words_ >= 0 && words != words_) return false;
        words_ = words;
      }
      if (role != Role::sender) continue;
      if (sender_ >= 0) return false;
      sender_ = node;
    }
    return sender_ >= 0 && words_ > 0 && words_ == part_.spans.count(class_of(sender_).operations.front().elements);
  }

  /// The first word is sent to a router from there in a cycle, and moves on. False if the router does not take it, or is not free.
  bool visit(NodeId node, std::int64_t sent, std::int64_t moves, Direction from) {
    const ColorRoute* const here = route(node);
    if (here == nullptr || here->positions[0].from != set_of(from) || moves_[at(node)] != kNever) return false;
    for (unsigned left = here->positions[0].to; left != 0; left &= left - 1) {
      if (sent <= before_.quiet[place(node)][at(std::countr_zero(left))]) return false;
    }
    moves_[at(node)] = moves;
    return true;
  }

  [[nodiscard]] bool is_free_to_take(NodeId node) const {
    const LaneEnd& start = before_.ends[place(node)];
    return node != sender_ && std::max(start.next, start.datapath) <= first_use(node);
  }
  [[nodiscard]] std::int64_t first_use(NodeId node) const { return moves_[at(node)] + fabric_.ramp; }

  void add(NodeId node, Progress& progress) const {
    const std::size_t there = place(node);
    Traffic& traffic = progress.traffic[there];
    const Directions to = route(node)->positions[0].to;
    for (unsigned left = to & ~set_of(Direction::ramp); left != 0; left &= left - 1) {
      progress.quiet[there][at(std::countr_zero(left))] = moves_[at(node)] + words_ - 1;
      traffic.link[at(std::countr_zero(left))] += words_;
      progress.hops += words_;
    }
    LaneEnd& end = progress.ends[there];
    if (node == sender_) {
      traffic.ramp_out += words_;
      traffic.data_out += words_;
      end.finish = begin_ + words_ - 1;
      end.ramp = begin_ + words_;
    } else if (has(to, Direction::ramp)) {
      traffic.ramp_in += words_;
      traffic.data_in += words_;
      end.finish = first_use(node) + words_ - 1;
      progress.quiet[there][at(index_of(Direction::ramp))] = end.finish;
      progress.times[there].owed = Cycles(end.finish + 1);
    } else {
      return;
    }
    traffic.busy += words_;
    end.next = end.datapath = end.finish + 1;
    progress.times[there].finished = Cycles(end.finish);
  }

  const WaferProgram& part_;
  const Mesh& mesh_;
  FabricTiming fabric_;
  NodeId corner_;
  NodeId stride_;
  const Progress& before_;
  std::vector<std::int64_t> moves_;  ///< when the first word leaves each router
  NodeId sender_ = -1;
  std::size_t takers_ = 0;
  std::int64_t words_ = -1;
  std::int64_t begin_ = 0;  ///< the sender sends its first word
};

}  // namespace

bool add_one_message(const WaferProgram& part, NodeId corner, NodeId stride, Progress& progress) {
  OneMessage message(part, corner, stride, progress);
  if (!message.find_times()) return false;
  message.add_to(progress);
  return true;
}

}  // namespace muster::wafer
