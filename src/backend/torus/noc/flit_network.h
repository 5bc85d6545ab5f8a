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

#include "backend/torus/noc/topology.h"
#include "base/random.h"

namespace muster::torus {

/// A cycle of the clock.
using Cycle = std::int64_t;

/// The two class bits of a virtual channel.
enum class ChannelClass : std::uint8_t { request = 0, second_request = 1, multicast = 2, response = 3 };

/// How long a memory takes for a flit, in 1/1024 cycles.
using Pace = std::int32_t;
inline constexpr Pace kPaceUnit = 1024;

struct Packet {
  RouterId source = 0;
  RouterId destination = 0;
  std::optional<Rectangle> area = {};  ///< of a multicast, instead of the destination
  bool skips_source = false;           ///< a multicast that leaves out its source
  std::int32_t flits = 1;              ///< with the header
  ChannelClass channel_class = ChannelClass::request;
  bool is_static = true;   ///< it keeps the buddy bit `buddy`; otherwise it takes whichever channel of the two is free
  std::uint8_t buddy = 0;  ///< of a static channel
  bool is_linked = false;  ///< a multicast that keeps its path for the next one of its source
  Pace pace = kPaceUnit;   ///< of the memory that it is read from
  std::int64_t tag = 0;    ///< of the sender
};

/// The last flit of a packet has reached the interface of a tile.
struct Delivery {
  std::int64_t tag = 0;
  RouterId tile = 0;
};

/// The way into the banks of a DRAM controller, which shares its rate among them. Times are in 1/1024 cycles.
struct Ingress {
  Pace pace = kPaceUnit;
  std::int64_t free_at = 0;
};

/// A memory that takes data slower than a link brings it: data comes in at one pace, and goes through a buffer into the memory at
/// another.
class SlowSink {
 public:
  SlowSink(Ingress& ingress, Pace pace, std::int32_t buffer)
      : ingress_(ingress), pace_(pace), completed_(static_cast<std::size_t>(buffer), 0) {}

  /// A flit of data arrives: when it has left the interface's buffer.
  std::int64_t take(std::int64_t now);
  /// When all that has come is in the memory.
  [[nodiscard]] std::int64_t done_at() const { return free_at_; }
  /// Occupies the memory from `from` on, or from when it is free; the begin.
  std::int64_t occupy(std::int64_t from, std::int64_t time);
  [[nodiscard]] Pace pace() const { return pace_; }

 private:
  Ingress& ingress_;
  Pace pace_;
  std::vector<std::int64_t> completed_;  ///< of the latest flits, in a ring as long as the buffer
  std::size_t next_ = 0;
  std::int64_t free_at_ = 0;
};

class FlitNetwork {
 public:
  FlitNetwork(const Torus& torus, int noc, std::uint64_t seed);

  [[nodiscard]] const Topology& topology() const { return topology_; }
  /// Writes that arrive at a tile go into `sink`, which outlives the network.
  void set_sink(RouterId tile, SlowSink* sink);

  /// Queues a packet at its source's interface. Those of one virtual channel leave in order.
  void send(const Packet& packet, Cycle now);
  /// The tiles that receive a packet.
  [[nodiscard]] std::int32_t copies(const Packet& packet) const;

  /// One cycle: arrivals, then transmissions. `now` may skip cycles only while the network is idle.
  void advance(Cycle now);
  [[nodiscard]] bool is_idle() const { return active_.empty() && reserving_.empty(); }
  /// Of the latest cycle; cleared by the caller.
  std::vector<Delivery>& deliveries() { return deliveries_; }
  /// The same: tags of the packets whose last flit has left their source.
  std::vector<std::int64_t>& departures() { return departures_; }
  /// Whether nothing will move any more, although the network is not empty.
  [[nodiscard]] bool is_stuck(Cycle now) const;

  /// Flits sent over a link so far.
  [[nodiscard]] std::int64_t flits_sent(RouterId router, Port port) const;
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
    MulticastLeg leg = MulticastLeg::approach;
  };
  /// The packets of one virtual channel at an input of a router. The first one is on its way out.
  struct Input {
    std::deque<Arrived> packets;
    PortSet ports = 0;    ///< where the first packet still goes; 0: it was not routed yet
    PortSet granted = 0;  ///< those of them on which it has a virtual channel
    std::array<std::uint8_t, kOutputs> out_channel{};
    std::array<std::int32_t, kOutputs> sent{};
    std::int64_t next_flit = 0;  ///< of an interface's queue: when memory has the next flit, in 1/1024 cycles
  };
  struct Flit {
    PacketIndex packet = -1;  ///< -1: none
    std::uint8_t channel = 0;
    bool is_first = false;
    MulticastLeg leg = MulticastLeg::approach;
  };
  /// A flit that a slow sink takes out of the buffer.
  struct Release {
    Cycle due = 0;
    std::uint8_t channel = 0;
    PacketIndex delivered = -1;  ///< the packet that it is the last flit of; -1: none
  };
  struct Link {
    std::vector<Flit> flying;  ///< by the cycle of departure, modulo the latency
    std::int32_t in_flight = 0;
    std::array<std::int32_t, kChannels> used{};   ///< flits of each channel on the link and in the buffer behind it
    std::array<Cycle, kChannels> handed_over{};   ///< when its owner may send, for the channels `turning`
    std::array<std::int32_t, kChannels> owner{};  ///< the input that has the channel, as 16 x input + channel; -1: none
    std::array<std::uint64_t, kChannels> waiting{};      ///< inputs that want it, a bit each
    std::array<std::uint8_t, kChannels> last_granted{};  ///< for round robin
    std::uint16_t ready = 0;                             ///< channels whose owner has a flit to send
    std::uint16_t full = 0;                              ///< channels without credits
    std::uint16_t turning = 0;                           ///< channels whose owner may not send yet
    std::uint8_t last_sent = 0;                          ///< for round robin
    bool is_active = false;
    std::array<RouterId, 2> reserved_by{-1, -1};  ///< by buddy bit: the source of the multicast
    std::int64_t flits = 0;
    std::deque<Release> releases;  ///< of a slow sink
  };

  [[nodiscard]] std::size_t link_index(RouterId router, int output) const {
    return static_cast<std::size_t>(router) * kOutputs + static_cast<std::size_t>(output);
  }
  [[nodiscard]] Input& input(RouterId router, int in, int channel) { return inputs_[input_index(router, in, channel)]; }
  [[nodiscard]] const Input& input(RouterId router, int in, int channel) const {
    return inputs_[input_index(router, in, channel)];
  }
  [[nodiscard]] static std::size_t input_index(RouterId router, int in, int channel) {
    return (static_cast<std::size_t>(router) * kInputs + static_cast<std::size_t>(in)) * kChannels +
           static_cast<std::size_t>(channel);
  }
  void activate(std::size_t link);
  void arrive(std::size_t index, Cycle now);
  void eject(std::size_t index, const Flit& flit, Cycle now);
  void transmit(std::size_t index, Cycle now);
  [[nodiscard]] std::uint16_t sendable(Link& link, std::size_t index, Cycle now);
  void take_from_buffer(Link& link, int channel);
  /// Finds the ways out for the first packet of an input, and asks for virtual channels there, to send from cycle `ready` on.
  void route(RouterId router, int in, int channel, Cycle ready);
  void request(RouterId router, int in, int channel, int output, Cycle ready);
  /// Gives a virtual channel of a link to the first packet of an input, which may send from cycle `ready` on.
  void grant(std::size_t index, int out_channel, int in, int channel, Cycle ready);
  void release(std::size_t index, int out_channel, Cycle now);
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

  Topology topology_;
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
  std::vector<RouterId> upstream_;  ///< of each router's x and y input
  std::vector<SlowSink*> sinks_;
  std::vector<Arrived> ejecting_;  ///< packets that arrive at a tile, by virtual channel
  std::vector<std::size_t> active_;
  /// Flits that have left a buffer in this cycle; the link before it may send again in the next one.
  struct Credit {
    std::size_t link = 0;
    int channel = 0;
  };
  std::vector<Credit> credits_due_;
  std::vector<Delivery> deliveries_;
  std::vector<std::int64_t> departures_;
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
