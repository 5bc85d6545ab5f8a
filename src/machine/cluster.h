// The family "cluster": NPUs in several network dimensions. What a machine file describes, and its coordinates, links and times.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "machine/machine.h"

namespace muster {

/// NPUs in several network dimensions. Rank of an NPU: dimension 0 varies fastest. It has no clock. Behind the NPUs come the
/// switches that reduce, as nodes of their own (families.h).
struct Cluster {
  enum class Kind { ring, fully_connected, switched };
  /// How time is counted. `paper`: a dimension sends one message behind another, and latency hides behind the next ones.
  /// `astra`: as ASTRA-sim 1.0 does with one active chunk per dimension, to compare with that tool's results.
  enum class Accounting { paper, astra };
  struct Dimension {
    Kind kind = Kind::ring;
    std::int32_t size = 0;
    BytesPerSecond link_bandwidth;
    std::int32_t links = 0;  ///< per NPU
    Seconds latency;         ///< NPU to NPU, of a minimum-length message
    bool reduces = false;    ///< of a switch: it combines what its members send it, and sends several of them the same
    [[nodiscard]] BytesPerSecond bandwidth() const { return link_bandwidth * static_cast<double>(links); }
  };
  std::vector<Dimension> dimensions;
  std::int32_t buffer_chunks = 0;  ///< messages that a receiver holds before the sender waits
  Accounting accounting = Accounting::paper;
};

/// In which order an NPU sends what waits for one of its network dimensions.
enum class SendOrder : std::uint8_t {
  enforced,  ///< that of the program, the same everywhere
  arrival,   ///< what could be sent first, as this NPU saw it
};

/// Of a link between two NPUs: what is sent along their dimension, by the group that both are in, takes so many times as long.
struct SlowLink {
  NodeId a = 0;
  NodeId b = 0;
  double factor = 1;
};

/// What can be asked of a cluster alone: NPUs that are not alike, simulated one by one.
struct ClusterOptions {
  SendOrder order = SendOrder::enforced;
  double jitter = 0;  ///< random delay of each message, as a fraction of its send time
  std::uint64_t seed = 1;
  std::map<NodeId, double> slow =
      {};  ///< NPUs that take so many times as long to send; a group is as slow as its slowest
  std::vector<SlowLink> slow_links = {};
};

const Family& family_of(const Cluster& cluster);

/// The coordinate of an NPU in `dimension` of a cluster.
std::int32_t coordinate(const Cluster& cluster, NodeId rank, std::size_t dimension);
/// Whether switches of some dimension reduce.
bool has_reducing_switch(const Cluster& cluster);
/// The switch that an NPU has in a dimension that reduces. Switches are numbered behind all NPUs: dimension by dimension, and in
/// each by the NPUs of their coordinate 0.
NodeId switch_of(const Cluster& cluster, NodeId rank, std::size_t dimension);
/// The dimension of the link between two NPUs; -1 if they have none of their own: they differ in several coordinates, are no
/// neighbours on their ring, or meet at a switch.
std::int32_t link_dimension(const Cluster& cluster, NodeId a, NodeId b);
/// Whether two NPUs differ in no coordinate but that of `dimension`.
bool in_one_group(const Cluster& cluster, NodeId a, NodeId b, std::size_t dimension);
/// The ends of a link of a dimension, by their coordinates in it.
struct LinkEnds {
  std::int32_t a = 0;
  std::int32_t b = 0;
};
/// What becomes of a group that lacks links.
struct Detour {
  double factor = 1;               ///< how many times as long its collectives take to send
  std::optional<std::size_t> cut;  ///< the index of a missing link whose ends have no other way
};
/// Where all are linked, those that still have links to both ends of a missing one pass its messages on, each an equal part; the
/// link that carries most sets the time. Without one link of P members' that is (P - 1) / (P - 2). On a ring with links both ways
/// the ends of the line that is left get everything over one of two links: 2. The links are of the dimension, each given once.
Detour detour(const Cluster::Dimension& dimension, const std::vector<LinkEnds>& missing);
/// How long an NPU sends so many bytes along a dimension, and how long so many messages that wait for each other are on their
/// way (in picoseconds, see machine.h).
Ticks sending_time(const Cluster::Dimension& dimension, Bytes bytes);
Ticks waiting_time(const Cluster::Dimension& dimension, std::int64_t rounds);

// The contracts of routing.h. Nodes are in range.
NodeId rank_count(const Cluster& cluster);
NodeId node_count(const Cluster& cluster);
bool linked(const Cluster& cluster, NodeId from, NodeId to);
std::vector<NodeId> default_route(const Cluster& cluster, NodeId from, NodeId to);
std::int64_t default_hops(const Cluster& cluster, NodeId from, NodeId to);
}  // namespace muster
