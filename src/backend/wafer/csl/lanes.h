// A wafer program of several lanes, with coefficients and repetitions, in the terms of CSL.
//
// Every lane has a task. The task starts the lane's next instruction and is activated when that is done; a lane that has to wait for another
// one is parked until the other has passed on a token. What the lanes of a PE do are rows of a table, with loops, as in tabled.h; which rows,
// is a list for each lane, and lists are shared between the PEs whose lane does the same. So the text grows with what lanes can do
// (where a PE is in its turn, and at which border), not with the grid.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "backend/emitter.h"
#include "backend/wafer/csl/copies.h"
#include "backend/wafer/csl/program.h"
#include "backend/wafer/vector_instructions.h"

namespace muster::wafer {

/// What differs between instructions besides numbers: each is written out, for the lanes that have it.
struct LaneKind {
  VectorInstruction::Kind kind = VectorInstruction::Kind::move;
  bool subtracts = false;  ///< a product with -1 is subtracted
  int take = -1;           ///< the color that it receives, as its left operand, or as its right one
  bool takes_right = false;
  int send = -1;
  bool advances = false;
  Ending control = Ending::nothing;
  CommandList commands = 0;
  auto operator<=>(const LaneKind&) const = default;
};

/// Elements of a buffer, and how far they move from turn to turn of a loop.
struct LanePlace {
  Buffer buffer = Buffer::none;
  std::int64_t first = 0;
  std::int64_t step = 0;
  bool operator==(const LanePlace&) const = default;
};

struct LaneRow {
  std::int32_t kind = 0;  ///< 0: the lane ends here
  LanePlace to, left, right;
  std::int64_t length = 0;
  std::int32_t number = 0;  ///< which coefficient
  std::uint32_t waits = 0;  ///< channels, one bit each: a token from each is used up before it starts
  std::uint32_t tells = 0;  ///< channels that get a token when it is done
  std::int32_t turns = 0;   ///< of the loop that ends here; 0: none does
  std::int32_t back = 0;    ///< rows to where that loop begins
  bool operator==(const LaneRow&) const = default;
};
/// The columns of the table, in order.
inline constexpr int kLaneFields = 16;
std::array<std::int64_t, kLaneFields> fields_of(const LaneRow& row);

/// Tokens from one lane to another.
struct LaneChannel {
  std::int32_t from = 0;
  std::int32_t to = 0;
  bool operator==(const LaneChannel&) const = default;
};

struct CslLane {
  int task = 0;
  std::size_t first = 0;                         ///< its first slot among those of all lanes
  std::size_t slots = 1;                         ///< of the longest list, and one for the end
  std::vector<std::vector<std::int32_t>> lists;  ///< distinct ones: rows
  CslSequence list_of;
  std::vector<std::int32_t> kinds;  ///< that some list has
};

struct CslLanes {
  std::vector<LaneKind> kinds;  ///< distinct ones; entry 0: nothing
  std::vector<LaneRow> rows;    ///< distinct ones; row 0: nothing
  std::vector<CslLane> lanes;
  std::vector<LaneChannel> channels;
  std::vector<bool> pops;                 ///< of each color: its routers use up a command of every control wavelet
  std::vector<std::string> coefficients;  ///< as literals
  std::vector<std::string> coefficient_names;
  bool repeats = false;                      ///< input and output are exchanged between repetitions
  bool threads_below_two = false;            ///< microthreads that the host's library has by default
  std::vector<int> in_threads, out_threads;  ///< of each color; where queues are bound
  [[nodiscard]] std::size_t slots() const { return lanes.empty() ? 0 : lanes.back().first + lanes.back().slots; }
};

/// The rows of a lane with loops where that saves some.
std::vector<LaneRow> with_turns(const std::vector<LaneRow>& plain);

/// Whether a program needs this form: several lanes, coefficients, repetitions, ...
bool needs_lanes(const WaferProgram& program);

/// A program in this form, with CslProgram::lanes; or why it has none.
Outcome<CslProgram> to_csl_lanes(const WaferProgram& program);

std::string lanes_layout(const CslProgram& csl, const EmitOptions& options);
std::string lanes_processor(const CslProgram& csl, const EmitOptions& options);
std::string lanes_host(const CslProgram& csl, const EmitOptions& options);
std::string lanes_build(const CslProgram& csl, const EmitOptions& options);

}  // namespace muster::wafer
