// The schedule: one description of communication for all machines. It knows nothing of colors, kernels or sockets, and
// carries no algorithm's or machine's name.
//
// Semantics
//
//   Nodes       [0, node_count): the first nodes of the machine; routes stay on them too. Every node has three buffers (contract.h), each of `extent` elements.
//   Stream      carries the elements of a span, in order, from one source node to one or more sink nodes. Exactly one
//               step of the source pushes it and exactly one step of each sink takes it, over exactly its span. Its
//               route is the machine's default (for several sinks: the union of the default routes, a tree) or a given
//               tree of hops. Every stream has its own buffer, of the machine's depth.
//               A stream without elements carries nothing, and no step waits for it. A stream to several sinks may include
//               its own source among them.
//   Lane        the lanes of a node run concurrently; a lane is a list of steps that run one after another: a step begins
//               when the previous one has finished its whole span.
//   Step        has at least one operand and is repeated for k = 0, 1, ... over its span `elements`; element e_k:
//                 1. take the next element of every operand stream;
//                 2. combine the operands, left to right as listed; the operand kOwn stands for element own_elements[k]
//                    of buffer `own`. With one operand there is nothing to combine;
//                 3. if `store` is a buffer, store the result at store_elements[k] of it;
//                 4. push the result on every output stream.
//               own_elements and store_elements have as many elements as `elements`, and are `elements` by default.
//   Exchange    a step whose output streams carry not its result but the *old* elements sent_elements of buffer `sent`,
//               as they were before the step. Sending and receiving are concurrent, so pairs and rings can exchange
//               blocks without deadlock. The two spans may differ in length. If sent_elements and the stored elements
//               share an element, the two spans must be the same, in the same order.
//   Wait        a step may wait for steps of other lanes of its node: it begins when they have finished.
//   Race        two steps of a node that touch one element of a buffer, one of them storing, must be ordered by lane or
//               by waits; otherwise the schedule is refused.
//   Phase       see phase.h: a schedule is either flat (lanes and steps) or a list of phases.
//   Contract    one or more, each over its own list of ranks: what the schedule achieves. Contracts that share a node end
//               in one buffer of it.
//
// Storage is flat: a step is 44 bytes plus 4 per operand, output and wait; no heap block per step.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "machine/machine.h"
#include "schedule/contract.h"
#include "schedule/span.h"

namespace muster {

using StreamId = std::int32_t;
using StepId = std::int32_t;

/// The operand that stands for an element of the step's own buffer.
inline constexpr StreamId kOwn = -1;
/// The route of a stream that takes the machine's default.
inline constexpr std::int32_t kDefaultRoute = -1;

struct Hop {
  NodeId from = 0;
  NodeId to = 0;
  auto operator<=>(const Hop&) const = default;
};

/// A slice of one of the schedule's pools.
struct Slice {
  std::int32_t first = 0;
  std::int32_t count = 0;
  auto operator<=>(const Slice&) const = default;
};

struct Stream {
  NodeId source = 0;
  Slice sinks;  ///< into Schedule::sinks
  SpanId elements = 0;
  std::int32_t route = kDefaultRoute;  ///< index into Schedule::routes
  bool operator==(const Stream&) const = default;
};

struct Step {
  SpanId elements = 0;
  Slice operands;  ///< into Schedule::operands: stream ids and at most one kOwn
  Slice outputs;   ///< into Schedule::outputs
  Slice waits;     ///< into Schedule::waits
  Buffer own = Buffer::none;
  Buffer store = Buffer::none;
  Buffer sent = Buffer::none;  ///< not none: an exchange step
  SpanId own_elements = 0;
  SpanId store_elements = 0;
  SpanId sent_elements = 0;
  [[nodiscard]] bool is_exchange() const { return sent != Buffer::none; }
  bool operator==(const Step&) const = default;
};

struct Lane {
  NodeId node = 0;
  StepId first = 0;
  std::int32_t count = 0;
  bool operator==(const Lane&) const = default;
};

struct Group;
struct Phase;

struct Schedule {
  Schedule();
  Schedule(const Schedule&);
  Schedule(Schedule&&) noexcept;
  Schedule& operator=(const Schedule&);
  Schedule& operator=(Schedule&&) noexcept;
  ~Schedule();

  std::string made_for;  ///< the family and the shape of the machine: "mesh 7x3"; empty: not given
  NodeId node_count = 0;
  std::array<std::int64_t, 3> extent{};  ///< elements of input, output and scratch
  SpanTable spans;
  std::vector<Contract> contracts;

  std::vector<Stream> streams;
  std::vector<NodeId> sinks;
  std::vector<std::vector<Hop>> routes;

  std::vector<Step> steps;  ///< grouped by lane, lanes grouped by node
  std::vector<StreamId> operands;
  std::vector<StreamId> outputs;
  std::vector<StepId> waits;
  std::vector<Lane> lanes;
  std::vector<std::int32_t> first_lane;  ///< node n's lanes are [first_lane[n], first_lane[n + 1])

  std::vector<Phase> phases;                   ///< if not empty, the schedule itself has no steps
  std::vector<Schedule> parts;                 ///< the distinct sub-schedules that phases use
  std::vector<std::vector<Group>> group_sets;  ///< the distinct sets of groups that phases use

  [[nodiscard]] std::span<const NodeId> sinks_of(const Stream& s) const { return slice(sinks, s.sinks); }
  [[nodiscard]] std::span<const StreamId> operands_of(const Step& s) const { return slice(operands, s.operands); }
  [[nodiscard]] std::span<const StreamId> outputs_of(const Step& s) const { return slice(outputs, s.outputs); }
  [[nodiscard]] std::span<const StepId> waits_of(const Step& s) const { return slice(waits, s.waits); }
  [[nodiscard]] std::span<const Lane> lanes_of(NodeId node) const {
    const auto n = static_cast<std::size_t>(node);
    return {lanes.data() + first_lane[n], lanes.data() + first_lane[n + 1]};
  }
  [[nodiscard]] std::int64_t extent_of(Buffer buffer) const {
    return buffer == Buffer::none ? 0 : extent[static_cast<std::size_t>(buffer) - 1];
  }
  [[nodiscard]] bool is_flat() const;
  /// Written alike, with the same numbers of streams, steps and spans.
  bool operator==(const Schedule& other) const;

 private:
  template <class T>
  static std::span<const T> slice(const std::vector<T>& pool, Slice s) {
    return {pool.data() + s.first, static_cast<std::size_t>(s.count)};
  }
};

/// The node that each step runs on.
std::vector<NodeId> step_nodes(const Schedule& schedule);

}  // namespace muster
