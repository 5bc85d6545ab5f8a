// Through a switch that reduces: members send up, the switch combines element by element as they come, and sends the result down
// to those that need it, as a multicast. The switch is the part's last node; it stores nothing.
#include "collective/dimensions/part.h"
#include "collective/dimensions/part_contract.h"

namespace muster {
namespace {

constexpr std::int32_t kSending = 0, kTaking = 1;  // lanes of a member

class ReducingWriter {
 public:
  ReducingWriter(std::int32_t size, std::int64_t count)
      : size_(size), count_(count), b_(ScheduleBuilder({.nodes = size + 1, .count = count, .output = 0})) {}

  Schedule write(Collective collective) && {
    if (collective == Collective::allreduce) {
      allreduce();
    } else if (collective == Collective::reduce_scatter) {
      for (NodeId owner = 0; owner < size_; ++owner) scatter(owner);
    } else {
      for (NodeId owner = 0; owner < size_; ++owner) gather(owner);
    }
    return finish_part(std::move(b_), collective, size_, count_);
  }

 private:
  [[nodiscard]] NodeId hub() const { return size_; }

  /// Every member sends everything, and gets the sum of all instead.
  void allreduce() {
    const SpanId all = b_.span({0, count_});
    std::vector<NodeId> members;
    std::vector<StreamId> up;
    for (NodeId n = 0; n < size_; ++n) {
      members.push_back(n);
      up.push_back(b_.stream(n, hub(), all));
    }
    const StreamId down = b_.multicast(hub(), members, all);
    for (NodeId n = 0; n < size_; ++n) {
      b_.step(n, all)
          .take(down)
          .store(Buffer::input)
          .send_old(Buffer::input, all)
          .push(up[static_cast<std::size_t>(n)]);
    }
    auto sum = b_.step(hub(), all);
    for (const StreamId stream : up) sum.take(stream);
    sum.push(down);
  }

  /// The others' sum of a block goes to its owner, who adds its own.
  void scatter(NodeId owner) {
    const SpanId mine = b_.span(block(count_, size_, owner));
    std::vector<StreamId> up;
    for (NodeId n = 0; n < size_; ++n) {
      if (n == owner) continue;
      up.push_back(b_.stream(n, hub(), mine));
      b_.step(n, mine, kSending).own(Buffer::input).push(up.back());
    }
    const StreamId down = b_.stream(hub(), owner, mine);
    auto sum = b_.step(hub(), mine, owner);
    for (const StreamId stream : up) sum.take(stream);
    sum.push(down);
    b_.step(owner, mine, kTaking).own(Buffer::input).take(down).store(Buffer::input);
  }

  /// A block goes up once, and down to all others.
  void gather(NodeId owner) {
    const SpanId mine = b_.span(block(count_, size_, owner));
    std::vector<NodeId> others;
    for (NodeId n = 0; n < size_; ++n) {
      if (n != owner) others.push_back(n);
    }
    const StreamId up = b_.stream(owner, hub(), mine), down = b_.multicast(hub(), others, mine);
    b_.step(owner, mine, kSending).own(Buffer::input).push(up);
    b_.step(hub(), mine, owner).take(up).push(down);
    for (const NodeId n : others) b_.step(n, mine, kTaking).take(down).store(Buffer::input);
  }

  std::int32_t size_;
  std::int64_t count_;
  ScheduleBuilder b_;
};

}  // namespace

Schedule reducing_part(Collective collective, std::int32_t size, std::int64_t count) {
  return ReducingWriter(size, count).write(collective);
}

}  // namespace muster
