// The family "cluster": NPUs in several network dimensions. What a machine file describes, and its coordinates, links and times.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "machine/machine.h"

namespace muster {

/// NPUs in several network dimensions. Rank of an NPU: dimension 0 varies fastest. It has no clock. After the NPUs come the
/// switches that reduce, as separate nodes (families.h).
struct Cluster {
  enum class Kind { ring, fully_connected, switched };
  /// Timing model. `paper`: a dimension sends one message after another, and latency overlaps with the next ones.
  /// `astra`: as ASTRA-sim 1.0 does with one active chunk per dimension, to compare with that tool's results.
  enum class Accounting { paper, astra };
  struct Dimension {
    Kind kind = Kind::ring;
    std::int32_t size = 0;
    BytesPerSecond link_bandwidth;
    std::int32_t links = 0;  ///< per NPU
    Seconds latency;         ///< NPU to NPU, of a minimum-length message
    bool reduces = false;    ///< of a switch: it reduces and multicasts
    [[nodiscard]] BytesPerSecond bandwidth() const { return link_bandwidth * static_cast<double>(links); }
  };
  std::vector<Dimension> dimensions;
  std::int32_t buffer_chunks = 0;  ///< messages that a receiver buffers before the sender stalls
  Accounting accounting = Accounting::paper;
};

/// The order in which an NPU sends the operations that wait for one of its dimensions.
enum class SendOrder : std::uint8_t {
  enforced,  ///< the order of the program, the same on all NPUs
  arrival,   ///< the order of arrival at this NPU
};

/// A slow link between two NPUs: the group that contains both takes `factor` times as long to send in their dimension.
struct SlowLink {
  NodeId a = 0;
  NodeId b = 0;
  double factor = 1;
};

/// Options of a cluster: NPUs and links that differ. Then every NPU is simulated.
struct ClusterOptions {
  SendOrder order = SendOrder::enforced;
  double jitter = 0;  ///< random delay of each message, as a fraction of its send time
  std::uint64_t seed = 1;
  std::map<NodeId, double> slow = {};  ///< send slowdown per NPU; a group is as slow as its slowest member
  std::vector<SlowLink> slow_links = {};
};

const Family& family_of(const Cluster& cluster);

/// The coordinate of an NPU in `dimension` of a cluster.
std::int32_t coordinate(const Cluster& cluster, NodeId rank, std::size_t dimension);
/// Whether switches of some dimension reduce.
bool has_reducing_switch(const Cluster& cluster);
/// The switch that an NPU has in a dimension that reduces. Switches are numbered after all NPUs: dimension by dimension, and in
/// each by the NPUs of their coordinate 0.
NodeId switch_of(const Cluster& cluster, NodeId rank, std::size_t dimension);
/// The dimension of the direct link between two NPUs; -1 if there is none: they differ in several coordinates, are not
/// neighbours on their ring, or are connected by a switch.
std::int32_t link_dimension(const Cluster& cluster, NodeId a, NodeId b);
/// Whether two NPUs differ in no coordinate but that of `dimension`.
bool in_one_group(const Cluster& cluster, NodeId a, NodeId b, std::size_t dimension);
/// The ends of a link of a dimension, by their coordinates in it.
struct LinkEnds {
  std::int32_t a = 0;
  std::int32_t b = 0;
};
/// The effect of missing links on a group.
struct Detour {
  double factor = 1;               ///< send slowdown of its collectives
  std::optional<std::size_t> cut;  ///< the index of a missing link whose ends have no other path
};
/// Fully connected: members that are still linked to both ends of a missing link relay its messages in equal parts; the most
/// loaded link determines the time. Without one link among P members the factor is (P - 1) / (P - 2). A bidirectional ring becomes
/// a line, whose ends receive everything over one link instead of two: 2. The links are of the dimension, each given once.
Detour detour(const Cluster::Dimension& dimension, const std::vector<LinkEnds>& missing);
/// How long an NPU sends this many bytes along a dimension, and the total latency of this many dependent messages (in
/// picoseconds, see machine.h).
Ticks sending_time(const Cluster::Dimension& dimension, Bytes bytes);
Ticks waiting_time(const Cluster::Dimension& dimension, std::int64_t rounds);

// The contracts of routing.h. Nodes are in range.
NodeId rank_count(const Cluster& cluster);
NodeId node_count(const Cluster& cluster);
bool linked(const Cluster& cluster, NodeId from, NodeId to);
std::vector<NodeId> default_route(const Cluster& cluster, NodeId from, NodeId to);
std::int64_t default_hops(const Cluster& cluster, NodeId from, NodeId to);
}  // namespace muster
