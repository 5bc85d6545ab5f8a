// A network-on-chip as flows: packets as a whole, one after another on each link, without virtual channels and credits. Approximate,
// and a hundred times as fast as flits.
//
// A packet leaves when its interface is free, and goes on from link to link while it is still being sent (cut-through). On each link it
// waits until the packet before it has passed; acknowledgements, which have virtual channels of their own, do not wait, and two responses
// with data share a link. A link that is handed over to a packet of another source loses time, as in flit_network.h: while that one waits,
// a cycle after every few flits. A multicast waits until all links of its path are free, and tries to reserve them meanwhile.
#pragma once

#include <span>

#include "backend/torus/noc/network.h"
#include "base/time_wheel.h"

namespace muster::torus {

class FlowNetwork final : public Network {
 public:
  FlowNetwork(const Torus& torus, int noc);

  void set_sink(RouterId tile, SlowSink* sink) override { sinks_[static_cast<std::size_t>(tile)] = sink; }
  void send(const Packet& packet, Cycle now) override;
  void advance(Cycle now) override;
  [[nodiscard]] bool sends_ahead() const override { return true; }
  std::optional<Cycle> acknowledge(const Packet& packet, Cycle now) override;
  [[nodiscard]] Cycle next(Cycle /*now*/) const override { return events_.next(); }
  [[nodiscard]] bool is_stuck(Cycle /*now*/) const override { return false; }
  [[nodiscard]] std::int64_t flits_sent(RouterId router, Port port) const override {
    return flits_[link(router, port)];
  }

 private:
  static constexpr RouterId kDeparted = -1;
  struct Event {
    std::int64_t tag = 0;
    RouterId tile = kDeparted;  ///< that it is delivered to
  };
  /// Of a router: its links along x and y, to its tile, and from its tile.
  static constexpr std::size_t kLinks = 4;
  static constexpr Port kInject = static_cast<Port>(3);
  [[nodiscard]] static std::size_t link(RouterId router, Port port) {
    return static_cast<std::size_t>(router) * kLinks + static_cast<std::size_t>(port);
  }

  /// Links between routers.
  [[nodiscard]] std::span<const std::uint32_t> path(RouterId from, RouterId to);
  [[nodiscard]] static Cycle duration_of(const Packet& packet) {
    return std::max<Cycle>(packet.flits, (std::int64_t{packet.pace} * packet.flits + kPaceUnit - 1) / kPaceUnit);
  }
  void send_to_one(const Packet& packet, Cycle now);
  void send_to_area(const Packet& packet, Cycle now);
  /// Takes a link from `first` on, or from when it is free; when the header is behind it.
  Cycle pass(std::size_t taken, Cycle first, Cycle duration, const Packet& packet);
  template <class Visit>
  void visit_tree(RouterId router, MulticastLeg leg, std::int32_t hops, const Packet& packet, Visit visit) const;
  void add(Cycle due, std::int64_t tag, RouterId tile) { events_.add(due, {.tag = tag, .tile = tile}); }

  Cycle hop_;
  Cycle hand_over_;
  std::int32_t contended_flits_;
  Cycle interface_;
  Cycle reservation_;
  Cycle reservation_per_hop_;
  std::vector<Cycle> free_;          ///< by link
  std::vector<RouterId> last_;       ///< by link: the source of the packet before
  std::vector<std::int64_t> flits_;  ///< by link
  std::vector<SlowSink*> sinks_;
  std::vector<bool> has_path_;  ///< of each source: its latest multicast keeps its path
  struct Path {
    std::uint32_t first = 0;  ///< of path_links_
    std::uint32_t count = 0;
    bool is_known = false;
  };
  std::vector<Path> paths_;  ///< by source and destination, as they are needed
  std::vector<std::uint32_t> path_links_;
  TimeWheel<Event> events_;
};

}  // namespace muster::torus
