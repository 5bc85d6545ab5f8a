// A wafer program in the terms of CSL: what can be said there, and only what differs between processors.
//
// CSL's vector instructions have one destination and at most one stream among their sources, and run one after another
// here, but for the two of an exchange. lower() makes programs of this shape; others are refused with the processor and the
// reason: several lanes, several streams or destinations in one operation.
//
// Processors differ by the route of each color, the list of operations, how often each of them runs, and, where
// operations work on parts of the vector, by numbers of their own. Each is kept as a sequence of its own over all
// processors. In a tree only how often has new values as it grows, so the sequences stay short where classes, which are
// combinations, multiply. For the same reason a list may be kept in two parts: what a processor does along its row, and
// what it does along its column.
//
// Each slot of a short list has its own descriptors and its own start in pe.csl. Of a long list (`tabled`), the program
// keeps a table in memory, which may have loops, and an instruction for each *kind* of operation: its action and its colors.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "backend/wafer/csl/copies.h"
#include "backend/wafer/program.h"

namespace muster::wafer {

enum class CslAction : std::uint8_t {
  nothing,           ///< no operation: the list ends here
  send,              ///< own → color
  copy,              ///< own → store
  receive,           ///< color → store
  forward,           ///< color → color
  combine,           ///< own with color → store
  combine_and_send,  ///< own with color → color
  advance,           ///< a control wavelet ADVANCE → color
  reset,             ///< a control wavelet RESET → color
  exchange,          ///< sent → color, and beside it color → store
  exchange_combine,  ///< sent → color, and beside it own with color → store
};
inline constexpr int kCslActions = 11;

/// One vector instruction or control wavelet. Colors count from 0, as in the wafer program; offsets and lengths are in
/// elements as CSL counts them (an f16 is one element).
struct CslOperation {
  CslAction action = CslAction::nothing;
  int take = 0;              ///< the color that it receives, if any
  int send = 0;              ///< the color that it sends, if any
  bool advance_own = false;  ///< its last wavelet advances the sender's own router
  Buffer own = Buffer::none;
  Buffer store = Buffer::none;
  std::int64_t own_first = 0;
  std::int64_t store_first = 0;
  std::int64_t length = 0;
  Buffer sent = Buffer::none;  ///< of an exchange
  std::int64_t sent_first = 0;
  std::int64_t sent_length = 0;  ///< of what goes out: an exchange may send more or less than it takes
  std::int64_t own_step = 0;     ///< in a loop: how far the offset moves from turn to turn
  std::int64_t store_step = 0;
  std::int64_t sent_step = 0;
  std::int32_t back = 0;   ///< at the end of a loop: its slots, less one
  std::int32_t times = 1;  ///< of a tabled program: as in CslOperations
  [[nodiscard]] bool moves() const { return own_step != 0 || store_step != 0 || sent_step != 0; }
  /// The same with other elements and repetitions: what one instruction of a tabled program can do.
  [[nodiscard]] CslOperation kind() const;
  bool operator==(const CslOperation&) const = default;
};

/// What a processor runs: slots, one after another. A loop is a run of slots that is repeated.
struct CslOperations {
  std::vector<CslOperation> list;
  std::vector<std::int32_t> times;  ///< turns of the loop that ends at this slot; 0: inside a loop, not its end
};

/// One number for every processor, row by row.
struct CslSequence {
  std::vector<std::int32_t> of_class;  ///< of each class of the wafer program
  std::vector<CopyItem> items;
};

/// Numbers that processors have of their own, as a layout holds them. On a small grid: those of all processors, the first of each, then
/// the second, and so on. On a large grid that would be tens of millions; then the same of all *sets* of numbers that occur, and which set
/// each processor has.
struct NumberTable {
  std::vector<CopyItem> items;
  std::size_t sets = 0;  ///< 0: every processor has its own
  CslSequence set_of;
};

/// What is emitted: a program that the host calls, or a module that a user's program imports.
enum class CslForm : std::uint8_t { program, module };

struct CslBuffer {
  Buffer buffer = Buffer::none;
  std::int64_t elements = 0;
};

/// A part of the operation lists of all processors. What is not there is operation 0, once.
struct CslPart {
  std::size_t first = 0;                         ///< its first slot
  std::size_t slots = 0;                         ///< length of the longest list
  std::vector<std::vector<std::int32_t>> lists;  ///< distinct ones: operations, `slots` each; if tabled, at most
  std::vector<std::vector<std::int32_t>> times;  ///< distinct ones: how often each slot of a list runs; none if tabled
  CslSequence list_of;
  CslSequence times_of;
};

/// From this value on, a number in the tables of offsets, lengths and repetitions stands for one of the processor's own.
inline constexpr std::int64_t kFirstOwnNumber = 32768;

struct CslLanes;

struct CslProgram {
  std::shared_ptr<const WaferProgram> wafer;
  std::shared_ptr<const CslLanes> lanes;  ///< instead of parts and lists, if lanes run side by side (lanes.h)
  CslForm form = CslForm::program;
  std::vector<std::string> remarks;  ///< why it takes longer than the program that was simulated
  std::string type;                  ///< of an element: "f32"
  std::string combine;               ///< the vector instruction that combines, or nothing if none is needed
  std::string callback;              ///< instead of it: what a function of `left` and `right` returns, for @map
  std::string negate;                ///< the instruction that negates the vector before and after, if it must be
  std::string move;                  ///< the one that moves
  std::int64_t elements = 0;         ///< of the vector, on each processor
  bool whole = true;                 ///< every operation works on the whole vector, so its length may be a parameter
  std::vector<CslBuffer> buffers;
  std::vector<int> in_queues;            ///< of each color; unless there are queue_sets
  std::vector<int> out_queues;           ///< the same ones, if there are enough for all colors
  int task = 0;                          ///< the local task that runs the operations
  std::vector<ColorRoute> routes;        ///< distinct ones, of any color; entry 0: none
  std::vector<CslOperation> operations;  ///< distinct ones; entry 0: nothing
  std::vector<CslPart> parts;            ///< one or two
  bool tabled = false;                   ///< lists are long: they are looked up when the program runs
  std::vector<CslOperation> kinds;       ///< of a tabled program: distinct ones; entry 0: nothing
  std::size_t slots = 1;                 ///< of all parts
  std::size_t own_numbers = 0;           ///< numbers that each processor has of its own
  NumberTable numbers;
  std::vector<CslSequence> route_of;         ///< by color
  std::vector<std::vector<int>> queue_sets;  ///< not empty: distinct choices of in_queues and out_queues
  CslSequence queues_of;
  int no_queue = 0;  ///< in queue_sets: the color is not used there

  /// The operation at a slot of a part's list.
  [[nodiscard]] const CslOperation& at(const CslPart& part, std::size_t list, std::size_t slot) const {
    return operations[static_cast<std::size_t>(part.lists[list][slot])];
  }
  /// The index of an operation's kind among the kinds.
  [[nodiscard]] std::size_t kind_of(const CslOperation& operation) const;
  /// Whether some list has a loop of several slots.
  [[nodiscard]] bool loops() const;
  /// Whether some operation moves from turn to turn.
  [[nodiscard]] bool moves() const;
  [[nodiscard]] bool uses(CslAction action) const;
  /// Whether some list does this at a slot.
  [[nodiscard]] bool uses(CslAction action, std::size_t slot) const;
  [[nodiscard]] bool exchanges() const { return uses(CslAction::exchange) || uses(CslAction::exchange_combine); }
  [[nodiscard]] bool is_module() const { return form == CslForm::module; }
  [[nodiscard]] bool packs_two() const { return wafer->arithmetic.type == ElementType::f16; }
};

/// A local task id that no color of the program and no other task of it has; `taken`: the last one that is in use.
int next_task(const CslProgram& csl, int taken);

/// The CSL form of a program, or why it has none.
Outcome<CslProgram> to_csl(const WaferProgram& program, CslForm form = CslForm::program);

}  // namespace muster::wafer
