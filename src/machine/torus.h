// The family "torus": networks on chips. What a machine file describes, and its coordinates and routes.
#pragma once

#include <cstdint>
#include <vector>

#include "machine/coordinates.h"
#include "machine/machine.h"

namespace muster {

/// What a tile is. Only workers can be ranks.
enum class TileKind {
  worker,
  fused_off,  ///< in a worker column, in a row that has neither workers nor other tiles there
  dram,
  ethernet,
  pcie,
  arc,
  router,  ///< none of these: it only routes
};

/// A network-on-chip of two unidirectional tori. NoC 0 routes east, then south; NoC 1 north, then west.
/// A tile is a worker if its column and its row are. Ranks are the workers in use, row by row; after them come all other
/// tiles, row by row. Physical coordinates count all columns and rows, logical ones those with workers.
struct Torus {
  std::int32_t width = 0;
  std::int32_t height = 0;
  std::vector<std::int32_t> worker_columns;  ///< sorted
  std::vector<std::int32_t> worker_rows;     ///< sorted
  /// The shape in use: the first `used_ranks` workers, row by row over the first `used_columns` logical columns; 0: all.
  std::int32_t used_columns = 0;
  std::int32_t used_ranks = 0;
  Hertz clock;
  Rate link_bandwidth;
  Bytes flit;
  Bytes packet;              ///< most data in one packet
  Cycles hop_latency;        ///< router to router
  Cycles interface_latency;  ///< network interface to router
  Bytes input_buffer;        ///< per input port of a router
  std::int32_t virtual_channels = 0;
  std::int32_t channel_flits = 0;  ///< credits of a virtual channel: flits on a link and in the buffer behind it
  Cycles hand_over;                ///< of a virtual channel to a packet of another input
  std::int32_t contended_flits =
      0;  ///< after so many flits, a virtual channel that others wait for loses a cycle; 0: never
  std::int32_t semaphores = 0;
  std::int32_t runtime_arguments = 0;
  Cycles atomic_latency;
  Bytes memory;

  /// What hardware takes beside links and routers.
  struct Interface {
    Cycles memory_latency;       ///< from a request to the first flit from memory
    Cycles acknowledge;          ///< from the last flit of a write to its acknowledgement; and from that to the counter
    double write_rate = 0;       ///< bytes per cycle that leave a memory as a write
    double read_rate = 0;        ///< the same, as the response to a read
    Cycles reservation;          ///< of a multicast's path, beside its hops
    Cycles reservation_per_hop;  ///< there and back
  };
  Interface interface;
  /// What a processor takes for its calls.
  struct Issue {
    Cycles write;
    Cycles stateful_write;  ///< with a header that was set up before
    Cycles read;
    Cycles stateful_read;
    Cycles multicast;
    Cycles atomic;
    Cycles destination;  ///< to go on to another destination
    Cycles state;        ///< to set up a header
    Cycles barrier;      ///< to see that a counter has changed
    Cycles bank;         ///< to find the bank of an interleaved page
    Cycles token;        ///< to append to a circular buffer of the tile, or to take from it
  };
  Issue issue;
  /// What combining takes. The compute processor works on whole tiles of elements.
  struct Compute {
    std::int32_t tile_elements = 0;
    Cycles start;       ///< before the first tile of a call
    Cycles tile_16bit;  ///< two tiles from memory, combined, and one back
    Cycles tile_32bit;
    Cycles word;  ///< a word that a dataflow processor combines itself
  };
  Compute compute;
  struct Dram {
    std::vector<Coordinates> banks;                     ///< the tile through which workers reach each bank
    std::vector<std::vector<Coordinates>> controllers;  ///< the tiles of each; every bank's tile is one of them
    double rate = 0;                                    ///< bytes per cycle of a bank
    double interface_rate = 0;                          ///< bytes per cycle that a controller takes for all its banks
    Bytes buffer;                                       ///< between interface and bank
    Cycles latency;                                     ///< beyond that of a tile's memory
    Bytes burst;                                        ///< shorter writes are read, changed and written
    Cycles short_write;                                 ///< how long one occupies its bank
  };
  Dram dram;
  std::vector<Coordinates> ethernet_tiles;  ///< sorted, as the next two
  std::vector<Coordinates> pcie_tiles;
  std::vector<Coordinates> arc_tiles;
};

/// So few words a dataflow processor combines itself: a tile for them would take longer. Programs and predictions use it.
inline constexpr std::int64_t kWordsInSoftware = 8;
/// So many bytes of padding are sent along where that saves a call. Programs and predictions use it.
inline constexpr std::int64_t kMostPadding = 1024;

/// Options of networks-on-chip.
struct TorusOptions {
  /// Southeast-bound steps use NoC 1, which flows north and west, and the others NoC 0, as in the thesis; otherwise each
  /// uses the NoC that flows its way.
  bool swapped = false;
  /// A core asks before it sends and waits for the acknowledgement before it signals, as in the thesis; otherwise the signal follows the
  /// data on its way.
  bool handshake = false;
};

const Family& family_of(const Torus& torus);

// Physical coordinates of nodes: inside the grid, as are those of the functions below.
Coordinates coordinates_of(const Torus& torus, NodeId node);
NodeId node_at(const Torus& torus, Coordinates coordinates);
TileKind kind_of(const Torus& torus, Coordinates physical);
/// Among the workers; the tile must be a worker, in use or not.
Coordinates logical_of(const Torus& torus, Coordinates physical);
Coordinates physical_of(const Torus& torus, Coordinates logical);

/// Logical columns and rows in use. The last row may be shorter.
std::int32_t used_columns(const Torus& torus);
std::int32_t used_rows(const Torus& torus);

/// The same machine with its first `columns` x `rows` workers in use, or with its first `ranks`, row by row. Throws InputError
/// where there are not so many.
Machine with_worker_grid(Machine machine, std::int64_t columns, std::int64_t rows);
Machine with_workers(Machine machine, std::int64_t ranks);

/// The route of a packet on NoC `noc`, 0 or 1, with both ends, and its length.
std::vector<NodeId> route_on(const Torus& torus, int noc, NodeId from, NodeId to);
std::int64_t hops_on(const Torus& torus, int noc, NodeId from, NodeId to);

// The contracts of routing.h. Nodes are in range. The default route is that of NoC 0.
NodeId rank_count(const Torus& torus);
NodeId node_count(const Torus& torus);
bool linked(const Torus& torus, NodeId from, NodeId to);
std::vector<NodeId> default_route(const Torus& torus, NodeId from, NodeId to);
std::int64_t default_hops(const Torus& torus, NodeId from, NodeId to);
}  // namespace muster
