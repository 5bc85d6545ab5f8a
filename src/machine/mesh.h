// The family "mesh": wafers. What a machine file describes, and its coordinates and routes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "machine/coordinates.h"
#include "machine/machine.h"
#include "machine/shapes.h"

namespace muster {

/// Which color wins when several contend for a link.
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
  std::int32_t fabric_width = 0;   ///< fabric width for the vendor's compiler
  std::int32_t fabric_height = 0;  ///< fabric height for the vendor's compiler
  Hertz clock;
  Bytes wavelet;                                        ///< what one link carries per cycle and direction
  Cycles hop_latency;                                   ///< router to router
  Cycles ramp_latency;                                  ///< T_R: router to processor, and processor to router
  Arbitration arbitration = Arbitration::lowest_color;  ///< of colors that contend for a link
  Cycles operation_start;                               ///< start-up of each vector operation of a lane
  Cycles receive_gap;                                   ///< between two messages received by a lane
  Cycles receive_interval{1};                           ///< between two elements that a processor takes from the fabric
  Cycles local_interval{1};                             ///< per element of an instruction that works on memory alone
  std::int32_t router_buffer = 0;                       ///< wavelets per color and input of a router
  std::int32_t ramp_queue = 0;  ///< input queue of a processor per color, in addition to the wavelets on the ramp
  std::int32_t colors = 0;      ///< routable colors
  std::vector<std::int32_t> reserved_colors;  ///< taken by the vendor's host library
  std::vector<std::int32_t> switch_colors;    ///< colors whose routers have switch positions
  std::int32_t switch_positions = 0;          ///< routing configurations per color and router
  bool switch_both_sides = false;             ///< a position may change input and output side; otherwise one of the two
  std::int32_t input_queues = 0;
  std::int32_t output_queues = 0;
  std::vector<std::int32_t> reserved_queues;  ///< taken by the vendor's host library
  bool queues_are_bound = false;              ///< every queue must be bound to its color by the program
  Bytes memory;                               ///< per processor
  std::string architecture;                   ///< the vendor compiler's name for it
};

/// Options of a wafer.
struct MeshOptions {
  int reserved_colors = 0;    ///< colors to keep free for the user's own program
  std::int32_t offset_x = 0;  ///< position of the collective on the fabric
  std::int32_t offset_y = 0;
};

const Family& family_of(const Mesh& mesh);

Coordinates coordinates_of(const Mesh& mesh, NodeId node);
NodeId node_at(const Mesh& mesh, Coordinates coordinates);

// The contracts of routing.h. Nodes are in range.
NodeId rank_count(const Mesh& mesh);
NodeId node_count(const Mesh& mesh);
bool linked(const Mesh& mesh, NodeId from, NodeId to);
std::vector<NodeId> default_route(const Mesh& mesh, NodeId from, NodeId to);
std::int64_t default_hops(const Mesh& mesh, NodeId from, NodeId to);

/// The time of a word from one processor through a neighbour's processor: ramp, hop, ramp, and a cycle to forward it.
std::int64_t relay_cycles(const Mesh& mesh);

}  // namespace muster
