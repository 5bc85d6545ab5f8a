// Contracts: what every rank of a group holds before a collective, and what it must hold after it ("owes").
//
// A contract works on a vector of `count` elements; every rank uses the same element indices, so a block has the
// same offset everywhere (block i of a reduce-scatter ends at block i of rank i's buffer `to`).
//
//   reduce          all hold the vector                     the root owes the combination of all
//   broadcast       the root holds the vector               all owe the root's vector
//   allreduce       all hold the vector                     all owe the combination of all
//   reduce-scatter  all hold the vector                     rank i owes block i of the combination
//   allgather       rank i holds block i                    all owe all blocks
//   scatter         the root holds the vector               rank i owes block i of it
//   gather          rank i holds block i                    the root owes all blocks
//   all-to-all      all hold the vector                     rank i owes, at block j, block i of rank j
//                                                           (count a multiple of the ranks)
//   barrier         all hold one token                      all owe a combination in which every rank's token occurs
//                                                           at least once
//   neighbours      all hold the vector                     rank r owes, at slot j (from element j * count on), the
//                                                           vector of its neighbour at offset j, where there is one
//   scan            all hold the vector                     rank i owes the combination of ranks 0 to i, in that order
//   stencil         all hold u(n) and u(n-1)                rank r owes u(n+1), a linear combination of both, its own
//                                                           and its neighbours'
//
// A stencil is a time step. Its vectors have a margin of zeros at both ends: rank r holds u(n) in `from` at elements
// [margin, margin + count) and u(n-1) in `to` at the same elements, and zeros in the `margin` elements before and behind both.
// Where a term names an array, it holds that array in the same elements of `model`. It owes, in `to`, element e of u(n+1): the
// sum over `terms` of coefficient x array[e] x element e + dz of the named buffer of the rank dx columns and dy rows further
// (dy grows downwards); a rank outside the grid contributes nothing. The margins of `to` are zero after it, and `from` is as
// it was: so the next step can run with the buffers exchanged. With `steps` > 1, it is so many time steps with the buffers
// exchanged in between, the last one from `from` to `to`: it owes the newest vector in `to` and the one before in `from`, and
// with an even number holds u(n) in `to` and u(n-1) in `from`.
//
// Sources and receivers. A rank with `sources` holds all of `series` and owes, beside the terms, element first + k of it in element
// elements.first + k of u(n+1). A rank with `receivers` owes in `record`, in element first + k, element elements.first + k of
// u(n+1), sources included. Both buffers have pages, as the schedule says (schedule.h): every time step has another one.
//
// Block i is rank i's share of the vector cut evenly, larger blocks first; or `blocks[i]`, as in MPI's collectives with a
// "v" in their name: disjoint ranges in any order, some of them perhaps empty. What is in no block nobody holds or owes.
//
// What is held is held in the buffer `from`, and what is owed is owed in `to`. Where a reduce has its `root_in_place`
// (MPI_IN_PLACE), the root alone holds its vector in `to`, so that it adds the others' to what is there; with `others_in_place` all
// others do, and the root alone holds its vector in `from`.
//
// "Combination" means: the contribution of every rank of the group exactly once, and nothing else; in any order, except for a
// scan, whose operator need not commute.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "machine/machine.h"
#include "schedule/span.h"

namespace muster {

enum class Collective : std::uint8_t {
  reduce,
  broadcast,
  allreduce,
  reduce_scatter,
  allgather,
  scatter,
  gather,
  all_to_all,
  barrier,
  neighbours,
  scan,
  stencil
};
inline constexpr int kCollectives = 12;

/// "reduce-scatter" and back; nothing for an unknown name.
std::string_view collective_name(Collective collective);
std::optional<Collective> collective_from_name(std::string_view name);
std::vector<std::string> collective_names();

/// Whether one rank has a special role: reduce, broadcast, scatter, gather.
bool has_root(Collective collective);

/// Whether ranks owe combinations: reduce, allreduce, reduce-scatter, scan.
bool combines(Collective collective);

/// Whether every element has the same index at all ranks and is treated the same: reduce, broadcast, allreduce, scan. Then the
/// result can overwrite the input.
bool treats_elements_alike(Collective collective);

/// Whether a contract may say which block is whose: reduce-scatter, allgather, scatter, gather.
bool takes_blocks(Collective collective);

/// A node's memory: named buffers. Before a schedule runs, only what a contract says is held exists in them. `model` is for
/// constants, a velocity per cell, say: no step stores in it. `series` and `record` have a page for every time step: what sources
/// add, which no step stores in either, and what receivers take.
enum class Buffer : std::uint8_t { none, input, output, scratch, model, series, record };
inline constexpr std::size_t kBuffers = 6;
/// Whether steps store in a buffer.
constexpr bool can_be_stored(Buffer buffer) {
  return buffer != Buffer::none && buffer != Buffer::model && buffer != Buffer::series;
}
/// Buffers that can be stored in have numbers of their own, from 0 on.
inline constexpr std::size_t kStoredBuffers = 4;
constexpr std::size_t stored_index(Buffer buffer) {
  return buffer == Buffer::record ? 3 : static_cast<std::size_t>(buffer) - 1;
}
std::string_view buffer_name(Buffer buffer);
std::optional<Buffer> buffer_from_name(std::string_view name);

/// A neighbour's position relative to a rank, in columns and rows of the group's grid.
struct Offset {
  std::int32_t dx = 0;
  std::int32_t dy = 0;
  auto operator<=>(const Offset&) const = default;
};

/// One term of a stencil.
struct StencilTerm {
  Buffer buffer = Buffer::input;  ///< `from`: of u(n); `to`: of u(n-1)
  std::int32_t dx = 0;
  std::int32_t dy = 0;
  std::int64_t dz = 0;      ///< in elements
  std::string coefficient;  ///< a name of the schedule's coefficients; empty: one
  std::string array;        ///< the name of one that is an array; empty: none
  auto operator<=>(const StencilTerm&) const = default;
};

/// Elements of a rank's vector, each with one of `series` or `record`.
struct StencilPoints {
  std::int32_t rank = 0;   ///< index into ranks
  Range elements;          ///< of the vector: margin is the first
  std::int64_t first = 0;  ///< of as many elements of the other buffer
  bool operator==(const StencilPoints&) const = default;
};

struct Contract {
  Collective collective = Collective::reduce;
  std::vector<NodeId> ranks;  ///< the group, in order: rank i of the contract is node ranks[i]
  std::int32_t root = 0;      ///< index into ranks; without meaning unless has_root(collective)
  std::int64_t count = 0;     ///< elements of the vector, at least one
  Buffer from = Buffer::input;
  Buffer to = Buffer::output;            ///< the same as `from`: in place
  std::vector<Offset> neighbours;        ///< for neighbours: one output slot each
  std::int32_t columns = 0;              ///< for neighbours and stencils: the group is a grid of this width, row by row
  std::vector<Range> blocks{};           ///< where takes_blocks(collective): the block of each rank; empty: cut evenly
  bool root_in_place = false;            ///< for a reduce from one buffer to another: the root holds its vector in `to`
  bool others_in_place = false;          ///< the same for all ranks but the root
  std::int64_t margin = 0;               ///< for a stencil: zeros on each side of the vector
  std::vector<StencilTerm> terms{};      ///< for a stencil
  std::int64_t steps = 1;                ///< for a stencil: time steps
  std::vector<StencilPoints> sources{};  ///< for a stencil
  std::vector<StencilPoints> receivers{};  ///< for a stencil: of one rank, they have different elements of `record`

  bool operator==(const Contract&) const = default;
};

inline constexpr std::int32_t kEveryRank = -1;
inline constexpr std::int32_t kRanksUpToIt = -2;
inline constexpr std::int32_t kTerms = -3;  ///< a stencil's linear combination
inline constexpr std::int32_t kZeros = -4;  ///< a stencil's margin

/// At `range` of `to`: element e holds element e + displacement of what rank `source` held, of every rank combined, or of the
/// first ranks up to the one that owes it, combined in their order.
struct Owed {
  Range range;
  std::int32_t source = kEveryRank;
  std::int64_t displacement = 0;
  bool at_least_once = false;  ///< contributions may be repeated (barrier)
};

/// One behind the last element that the contract's vectors take, margins included.
inline std::int64_t vector_end(const Contract& c) { return c.count + 2 * c.margin; }

/// For a stencil: where u(n) and u(n-1) are before the first step.
inline Buffer newest_before(const Contract& c) { return c.steps % 2 == 1 ? c.from : c.to; }
inline Buffer previous_before(const Contract& c) { return c.steps % 2 == 1 ? c.to : c.from; }
/// For a stencil: whether some term names an array, so that ranks hold arrays in `model`.
bool has_arrays(const Contract& contract);
/// Whether a node is among the sources' or the receivers' ranks.
bool has_point(const Contract& contract, const std::vector<StencilPoints>& points, NodeId node);
/// For contracts on a grid: the rank dx columns and dy rows from rank `index`; -1 outside the grid.
std::int32_t rank_beside(const Contract& contract, std::int32_t index, std::int64_t dx, std::int64_t dy);

/// What rank `index` of the contract holds before, in which buffer, and what it owes in `to` after. Of a stencil, u(n); Holdings
/// knows the rest.
std::vector<Range> held_before(const Contract& contract, std::int32_t index);
Buffer held_in(const Contract& contract, std::int32_t index);
std::vector<Owed> owed_after(const Contract& contract, std::int32_t index);

/// Block `index` of a contract that works on blocks.
Range block_of(const Contract& contract, std::int32_t index);

/// Whether some ranks hold their vectors in `to` and others in `from`.
inline bool is_partly_in_place(const Contract& c) { return c.root_in_place || c.others_in_place; }

/// What is wrong with `blocks`, what is in place and a stencil, after "contract 3 "; nothing, if they fit the rest. Such contracts alone may be
/// asked what is held and owed.
std::optional<std::string> shape_problem(const Contract& contract);

/// The ranks whose combined elements rank `index` owes (none for a stencil), or the single rank whose elements it owes.
std::span<const NodeId> sources_of(const Contract& contract, std::int32_t index, const Owed& owed);

}  // namespace muster
