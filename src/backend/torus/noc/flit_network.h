// A network-on-chip, flit by flit and cycle by cycle: routers with virtual channels, credits and wormhole switching.
//
// A link carries a flit per cycle. A packet takes a virtual channel of a link with its header flit and gives it back behind its
// last flit: packets on one virtual channel follow each other, those on different ones are interleaved, both round robin. The
// four bits of a virtual channel are the dateline (it flips where a ring closes and is cleared at a turn), two bits of class, and
// the buddy bit. A virtual channel has credits for a number of flits that are on the link or in the buffer behind it. Where packets
// of different inputs wait for one virtual channel, it takes some cycles to hand it over, and it loses cycles meanwhile.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "backend/torus/noc/network.h"
#include "backend/torus/noc/packet_queue.h"
#include "base/random.h"

namespace muster::torus {

class FlitNetwork final : public Network {
 public:
  FlitNetwork(const Torus& torus, int noc, std::uint64_t seed);

  void set_sink(RouterId tile, SlowSink* sink) override;
  void send(const Packet& packet, Cycle now) override;
  /// One cycle: arrivals, then transmissions. `now` may skip cycles only while the network is idle.
  void advance(Cycle now) override;
  [[nodiscard]] Cycle next(Cycle now) const override {
    return active_.empty() && reserving_.empty() ? kNever : now + 1;
  }
  [[nodiscard]] bool is_stuck(Cycle now) const override;
  [[nodiscard]] std::int64_t flits_sent(RouterId router, Port port) const override;
  /// Flits in buffers and on links, for checks.
  [[nodiscard]] std::int64_t flits_inside() const;

 private:
  static constexpr int kChannels = 16;
  /// Of a router: along x, along y, from the tile; and the queue of the tile's interface.
  static constexpr int kInputs = 4;
  static constexpr int kFromTile = 2;
  static constexpr int kQueue = 3;
  static constexpr int kOutputs = 4;  ///< ports, and the link from the interface to the router
  static constexpr Port kInject = static_cast<Port>(3);

  using PacketIndex = std::int32_t;
  struct PacketState {
    Packet packet;
    std::int32_t copies = 0;  ///< branches that have not reached their tile
  };
  /// A packet in a buffer: how many of its flits have come.
  struct Arrived {
    PacketIndex packet = 0;
    std::int32_t flits = 0;
    std::int32_t all_flits = 0;
    MulticastLeg leg = MulticastLeg::approach;
  };
  /// The packets of one virtual channel at an input of a router. The first one is on its way out. What every flit looks at is in one
  /// line of the cache.
  struct alignas(64) Input {
    PortSet ports = 0;    ///< where the first packet still goes; 0: it was not routed yet
    PortSet granted = 0;  ///< those of them on which it has a virtual channel
    std::array<std::uint8_t, kOutputs> out_channel{};
    std::int64_t next_flit = 0;  ///< of an interface's queue: when memory has the next flit, in 1/1024 cycles
    std::array<std::int32_t, kOutputs> sent{};
    PacketQueue<Arrived> packets;
  };
  using LinkIndex = std::int32_t;
  struct Flit {
    LinkIndex link = 0;
    PacketIndex packet = 0;
    std::uint8_t channel = 0;
    bool is_first = false;
    MulticastLeg leg = MulticastLeg::approach;
  };
  /// The flits on links of one latency: by the cycle of departure, modulo their number, a power of two and at least the latency.
  class Flying {
   public:
    explicit Flying(Cycle latency);
    [[nodiscard]] std::vector<Flit>& departed(Cycle cycle) {
      return by_departure_[static_cast<std::size_t>(cycle) & (by_departure_.size() - 1)];
    }
    [[nodiscard]] std::vector<Flit>& arriving(Cycle now) { return departed(now - latency_); }

   private:
    Cycle latency_;
    std::vector<std::vector<Flit>> by_departure_;
  };
  /// A flit that a slow sink takes out of the buffer.
  struct Release {
    Cycle due = 0;
    std::uint8_t channel = 0;
    PacketIndex delivered = -1;  ///< the packet that it is the last flit of; -1: none
  };
  /// What is looked at in every cycle, so that all links together stay in the first cache.
  struct Link {
    std::uint16_t ready = 0;     ///< channels whose owner has a flit to send
    std::uint16_t full = 0;      ///< channels without credits
    std::uint16_t turning = 0;   ///< channels whose owner may not send yet
    std::uint8_t last_sent = 0;  ///< for round robin
    bool is_active = false;
    std::int32_t in_flight = 0;
    RouterId leads_to = 0;
    std::int64_t order = 0;  ///< its place among the active links
  };
  /// The virtual channels of a link.
  struct alignas(64) Channels {
    std::array<std::int32_t, kChannels> used{};   ///< flits of each channel on the link and in the buffer behind it
    std::array<std::uint8_t, kChannels> owner{};  ///< the input: 16 x its number + its channel; or kNobody
    std::uint16_t wanted = 0;                     ///< channels that inputs wait for
    std::array<std::uint8_t, kChannels> last_granted{};  ///< for round robin
    std::int64_t flits = 0;                              ///< sent so far
    std::array<Cycle, kChannels> handed_over{};          ///< when its owner may send, for the channels `turning`
    std::array<std::uint64_t, kChannels> waiting{};      ///< inputs that want it, a bit each
    std::array<RouterId, 2> reserved_by{-1, -1};         ///< by buddy bit: the source of the multicast
    std::deque<Release> releases;                        ///< of a slow sink
  };

  static constexpr std::uint8_t kNobody = 255;

  [[nodiscard]] static LinkIndex link_index(RouterId router, int output) { return router * kOutputs + output; }
  [[nodiscard]] Link& link(LinkIndex index) { return links_[static_cast<std::size_t>(index)]; }
  [[nodiscard]] Channels& channels(LinkIndex index) { return channels_[static_cast<std::size_t>(index)]; }
  [[nodiscard]] const Channels& channels(LinkIndex index) const { return channels_[static_cast<std::size_t>(index)]; }
  [[nodiscard]] bool is_at_rest(LinkIndex index) const;
  [[nodiscard]] Input& input(RouterId router, int in, int channel) { return inputs_[input_index(router, in, channel)]; }
  [[nodiscard]] const Input& input(RouterId router, int in, int channel) const {
    return inputs_[input_index(router, in, channel)];
  }
  [[nodiscard]] static std::size_t input_index(RouterId router, int in, int channel) {
    return (static_cast<std::size_t>(router) * kInputs + static_cast<std::size_t>(in)) * kChannels +
           static_cast<std::size_t>(channel);
  }
  void activate(LinkIndex index);
  /// The flits that arrive in this cycle, in the order of their links.
  void arrive_at_routers(Cycle now);
  void arrive_at_tiles(Cycle now);
  void drain(LinkIndex index, Cycle now);
  void arrive(const Flit& flit, Cycle now);
  void eject(const Flit& flit, Cycle now);
  void transmit(LinkIndex index, Cycle now);
  void end_turns(LinkIndex index, Cycle now);
  /// Those of an interface's channels for which memory has the next flit.
  [[nodiscard]] std::uint16_t supplied(LinkIndex index, std::uint16_t set, Cycle now) const;
  void take_from_buffer(LinkIndex index, int channel);
  /// Finds the ways out for the first packet of an input, and asks for virtual channels there, to send from cycle `ready` on.
  void route(RouterId router, int in, int channel, Cycle ready);
  void request(RouterId router, int in, int channel, int output, Cycle ready);
  /// Gives a virtual channel of a link to the first packet of an input, which may send from cycle `ready` on.
  void grant(LinkIndex index, int out_channel, int in, int channel, Cycle ready);
  void release(LinkIndex index, int out_channel, Cycle now);
  void finish_front(RouterId router, int in, int channel, Cycle now);
  void return_credits();
  void free_flit(RouterId router, int in, int channel);
  [[nodiscard]] int out_channel(RouterId router, int in, int channel, int output) const;
  [[nodiscard]] MulticastLeg leg_behind(RouterId router, int in, int channel, int output) const;
  void start_reservation(RouterId source, Cycle now);
  void reserve_paths(Cycle now);
  bool try_reserve(RouterId source, const Packet& packet);
  template <class Visit>
  bool visit_tree(RouterId at, MulticastLeg leg, const Packet& packet, Visit visit) const;

  std::int32_t credits_;    ///< of a virtual channel
  std::int32_t hand_over_;  ///< cycles to hand a virtual channel to a packet of another input
  /// After so many flits of a packet, a virtual channel that others wait for loses a cycle; 0: never.
  std::int32_t contended_flits_;
  Cycle reservation_base_;
  Cycle reservation_per_hop_;
  Random random_;

  std::vector<PacketState> packets_;
  std::vector<PacketIndex> free_packets_;
  std::vector<Input> inputs_;
  std::vector<Link> links_;
  std::vector<Channels> channels_;  ///< by link
  std::vector<RouterId> upstream_;  ///< of each router's x and y input
  std::vector<SlowSink*> sinks_;
  std::vector<Arrived> ejecting_;  ///< packets that arrive at a tile, by virtual channel
  Flying between_routers_, from_tiles_, to_tiles_;
  std::vector<LinkIndex> active_;    ///< in the order in which they became so
  std::vector<LinkIndex> draining_;  ///< those with releases
  std::int64_t activations_ = 0;
  /// Flits that have left a buffer in this cycle; the link before it may send again in the next one.
  struct Credit {
    LinkIndex link = 0;
    int channel = 0;
  };
  std::vector<Credit> credits_due_;
  struct Reservation {
    RouterId source = 0;
    Cycle due = 0;
    int tries = 0;
    Cycle failed = -1;  ///< the latest try that found a part of the path taken
  };
  std::vector<Reservation> reserving_;
  std::vector<bool> has_path_;  ///< of each source: its multicast may leave
  Cycle last_progress_ = 0;     ///< when a packet came, a flit moved or a path was reserved
};

}  // namespace muster::torus
