// The program on this machine: the configuration registers of its switches.
//
// A row says, for one switch, collective id and channel: from which ports a packet is taken (one of each, combined in the order
// of ports), what operation combines them, and to which ports the result goes. The memory port as an input: the core's memory
// reads its elements. As an output: they are written to it. The loop as an output of one channel and an input of the other one
// of the same switch and id: that is where a reduction turns into a broadcast.
//
// A switch runs its ids one after another, in ascending order: it begins the next one when all packets of all its rows of the
// last one have passed and what they bring has been written to its core's memory.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "backend/hyperx/ports.h"
#include "schedule/arithmetic.h"
#include "schedule/contract.h"
#include "schedule/schedule.h"

namespace muster::hyperx {

inline constexpr std::int64_t kWordBytes = sizeof(Word);

enum class Channel : std::uint8_t { request, response };

struct Row {
  NodeId at = 0;  ///< the switch, as the machine numbers its nodes
  std::int16_t id = 0;
  Channel channel = Channel::request;
  Slice inputs;   ///< into Registers::ports, ascending, at least one
  Slice outputs;  ///< into Registers::ports, ascending, at least one
};

/// What the collective of an id works on, at every core that takes part in it.
struct Segment {
  Range elements;               ///< words of the vector; they are cut into packets from the first one on
  Buffer from = Buffer::input;  ///< what memory reads
  Buffer to = Buffer::output;   ///< where it writes results; the same as `from`: in place
  bool operator==(const Segment&) const = default;
};

struct Registers {
  std::vector<Row> rows;  ///< by switch, then id, then channel; no two are alike in all three
  std::vector<Port> ports;
  std::vector<Segment> segments;  ///< of each id
  Operator op = Operator::sum;    ///< of every row with several inputs
  ElementType type = ElementType::f32;

  [[nodiscard]] std::span<const Port> inputs_of(const Row& row) const { return slice(row.inputs); }
  [[nodiscard]] std::span<const Port> outputs_of(const Row& row) const { return slice(row.outputs); }

 private:
  [[nodiscard]] std::span<const Port> slice(Slice s) const {
    return {ports.data() + s.first, static_cast<std::size_t>(s.count)};
  }
};

}  // namespace muster::hyperx
