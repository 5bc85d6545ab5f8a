// A machine: a description of hardware, read from machines/NAME.toml, in the shape that a call uses.
// Machines are data: code never tests a machine's name, and new C++ is needed only for a new family.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/units.h"

namespace muster {

/// A place where data can be combined, stored or passed on. Ranks come first: nodes [0, rank_count) are ranks, the
/// rest are switches or places that only route.
using NodeId = std::int32_t;

/// Which of several colors that want one link goes first.
enum class Arbitration : std::uint8_t { lowest_color, highest_color, round_robin };

/// As machine files write it: "lowest color".
std::string arbitration_name(Arbitration arbitration);

/// A wafer: processors in a grid, each with a router of five links (four neighbours and the ramp to its processor).
/// Rank of the processor in column x and row y: y * width + x.
struct Mesh {
  std::int32_t width = 0;          ///< columns in use
  std::int32_t height = 0;         ///< rows in use
  std::int32_t max_width = 0;      ///< columns that programs may use
  std::int32_t max_height = 0;     ///< rows that programs may use
  std::int32_t fabric_width = 0;   ///< columns that the vendor's compiler is told
  std::int32_t fabric_height = 0;  ///< rows that the vendor's compiler is told
  Hertz clock;
  Bytes wavelet;                                        ///< what one link carries per cycle and direction
  Cycles hop_latency;                                   ///< router to router
  Cycles ramp_latency;                                  ///< T_R: router to processor, and processor to router
  Arbitration arbitration = Arbitration::lowest_color;  ///< of colors that want one link
  Cycles operation_start;                               ///< before each vector operation of a lane
  Cycles receive_gap;                                   ///< between two messages that a lane takes
  std::int32_t router_buffer = 0;                       ///< wavelets per color and input of a router
  std::int32_t ramp_queue = 0;                ///< wavelets per color that wait at a processor, beyond those on the ramp
  std::int32_t colors = 0;                    ///< routable colors
  std::vector<std::int32_t> reserved_colors;  ///< taken by the vendor's host library
  std::vector<std::int32_t> switch_colors;    ///< colors whose routers have switch positions
  std::int32_t switch_positions = 0;          ///< routing configurations per color and router
  bool switch_both_sides = false;             ///< a position may change input and output side; otherwise one of the two
  std::int32_t input_queues = 0;
  std::int32_t output_queues = 0;
  std::vector<std::int32_t> reserved_queues;  ///< taken by the vendor's host library
  bool queues_are_bound = false;              ///< every queue must be bound to its color by the program
  Bytes memory;                               ///< per processor
  std::string architecture;                   ///< what the vendor's compiler calls it
};

/// A network-on-chip of two unidirectional tori. NoC 0 routes east, then south; NoC 1 north, then west.
/// Ranks are the working tiles, row by row; after them come the other tiles, row by row.
struct Torus {
  std::int32_t width = 0;
  std::int32_t height = 0;
  std::vector<std::int32_t> worker_columns;
  std::vector<std::int32_t> worker_rows;
  Hertz clock;
  Rate link_bandwidth;
  Bytes flit;
  Bytes packet;              ///< most data in one packet
  Cycles hop_latency;        ///< router to router
  Cycles interface_latency;  ///< network interface to router
  Bytes input_buffer;        ///< per input port of a router
  std::int32_t virtual_channels = 0;
  std::int32_t semaphores = 0;
  std::int32_t runtime_arguments = 0;
  Cycles atomic_latency;
  Bytes memory;
};

/// Switches that reduce, one per core: a mesh of cores in a socket, all-to-all sockets in a node, nodes all-to-all in
/// every dimension of a HyperX. Rank of a core: (node * sockets + socket) * cores + core. The switch of rank r is node
/// rank_count + r.
struct HyperX {
  /// What cores that exchange messages by themselves take, round by round.
  struct Host {
    Seconds round_overhead;             ///< of software, per round
    std::int32_t traversals = 0;        ///< one-way trips through the network per round: data, flags and requests
    std::int32_t message_passes = 0;    ///< times that memory moves each byte of a message
    std::int32_t reduction_passes = 0;  ///< times that memory moves each byte that is combined
  };
  std::vector<std::int32_t> shape;      ///< nodes per dimension; empty: one node
  std::int32_t max_dimension_size = 0;  ///< most nodes in one dimension
  std::int32_t sockets = 0;             ///< per node
  std::int32_t core_columns = 0;        ///< of the mesh in a socket
  std::int32_t core_rows = 0;
  Seconds core_latency;
  Seconds socket_latency;
  Seconds node_latency;
  BytesPerSecond link_bandwidth;    ///< per direction
  BytesPerSecond memory_bandwidth;  ///< per core
  std::int32_t buffer_packets = 0;  ///< per input port and virtual channel
  Bytes packet;
  std::vector<std::int32_t> failed_nodes;                           ///< HyperX nodes that cannot be used, sorted
  std::vector<std::pair<std::int32_t, std::int32_t>> failed_links;  ///< HyperX nodes, the lower first; sorted
  std::optional<Host> host;                                         ///< nothing: not known
};

/// A machine without a clock counts its time in picoseconds: they are what its `Cycles` are.
inline constexpr double kPicosecondsPerSecond = 1e12;

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

struct Machine {
  std::string name;     ///< of the file, without .toml
  std::string summary;  ///< one line for people
  std::variant<Mesh, Torus, HyperX, Cluster> network;

  [[nodiscard]] const Mesh* mesh() const { return std::get_if<Mesh>(&network); }
  [[nodiscard]] const Torus* torus() const { return std::get_if<Torus>(&network); }
  [[nodiscard]] const HyperX* hyperx() const { return std::get_if<HyperX>(&network); }
  [[nodiscard]] const Cluster* cluster() const { return std::get_if<Cluster>(&network); }
};

/// Whether it counts its time in cycles of a clock; others count picoseconds.
bool has_clock(const Machine& machine);

/// "mesh", "torus", "hyperx" or "cluster".
std::string family_name(const Machine& machine);

/// The machine's shape as people write it: "512x1", "10x12", "4x4 nodes", "16x8x8".
std::string shape_text(const Machine& machine);

/// "mesh 7x3": what the numbers of nodes depend on.
std::string family_and_shape(const Machine& machine);

/// The same machine cut to `width` x `height` processors. Throws InputError if it is no mesh or does not fit.
Machine with_grid(Machine machine, std::int32_t width, std::int32_t height);

/// The same machine with `nodes` nodes. One node has no dimension. More have the fewest dimensions, but at least two,
/// whose sizes (2 or more, none above max_dimension_size) multiply to `nodes`, as even as possible, the largest first:
/// 16 is 4x4, 6 is 3x2, 16384 is 32x32x16 for sizes up to 32. A prime up to max_dimension_size is one dimension.
/// Throws InputError if it is no hyperx, nodes < 1, too many, or without such a shape (then it names the nearest with
/// one).
Machine with_nodes(Machine machine, std::int64_t nodes);

/// The same machine with so many nodes in each dimension; no dimension: one node. Throws InputError if it is no hyperx, a
/// size is below 2 or above max_dimension_size, or there are too many. So does with_nodes() where nodes or links have failed and
/// the shape changes, since their numbers would mean others.
Machine with_shape(Machine machine, const std::vector<std::int32_t>& shape);

}  // namespace muster
