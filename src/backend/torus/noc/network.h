// A network-on-chip as a chip uses it: packets go in, and are delivered later. Flit by flit (flit_network.h), or as flows (flow_network.h).
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "backend/torus/noc/topology.h"

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

  /// Flits of data arrive, the first now and one per cycle: when the last has left the interface's buffer.
  std::int64_t take(std::int64_t now, std::int32_t flits = 1);
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

class Network {
 public:
  static constexpr Cycle kNever = std::numeric_limits<Cycle>::max();

  Network(const Torus& torus, int noc) : topology_(torus, noc) {}
  virtual ~Network() = default;
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  [[nodiscard]] const Topology& topology() const { return topology_; }
  /// Writes that arrive at a tile go into `sink`, which outlives the network.
  virtual void set_sink(RouterId tile, SlowSink* sink) = 0;

  /// Queues a packet at its source's interface. Those of one virtual channel leave in order.
  virtual void send(const Packet& packet, Cycle now) = 0;
  /// Whether packets that leave memory at the same delay may be sent before that, with the time at which they do.
  [[nodiscard]] virtual bool sends_ahead() const { return false; }
  /// Sends an acknowledgement; when it arrives. Nothing: it was not sent, and has to be sent as any packet.
  virtual std::optional<Cycle> acknowledge(const Packet& /*packet*/, Cycle /*now*/) { return std::nullopt; }
  /// The tiles that receive a packet.
  [[nodiscard]] std::int32_t copies(const Packet& packet) const;

  /// What happens up to `now`.
  virtual void advance(Cycle now) = 0;
  /// When something happens next, after `now`; kNever: the network is idle.
  [[nodiscard]] virtual Cycle next(Cycle now) const = 0;
  [[nodiscard]] bool is_idle() const { return next(0) == kNever; }
  /// Since the caller cleared them.
  std::vector<Delivery>& deliveries() { return deliveries_; }
  /// The same: tags of the packets whose last flit has left their source.
  std::vector<std::int64_t>& departures() { return departures_; }
  /// Whether nothing will move any more, although the network is not empty.
  [[nodiscard]] virtual bool is_stuck(Cycle now) const = 0;
  /// Flits sent over a link so far.
  [[nodiscard]] virtual std::int64_t flits_sent(RouterId router, Port port) const = 0;

 protected:
  Topology topology_;
  std::vector<Delivery> deliveries_;
  std::vector<std::int64_t> departures_;
};

}  // namespace muster::torus
