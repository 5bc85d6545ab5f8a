// The schedule: one description of communication for all machines. It knows nothing of colors, kernels or sockets, and
// carries no algorithm's or machine's name.
//
// Semantics
//
//   Nodes       [0, node_count): the first nodes of the machine; routes stay on them too. Every node has buffers (contract.h), each of `extent` elements.
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
//                    of buffer `own`, and a number below it for element k of a span of a buffer, by Schedule::terms. With one
//                    operand there is nothing to combine. Operands may have factors (below);
//                 3. if `store` is a buffer, store the result at store_elements[k] of it;
//                 4. push the result on every output stream.
//               own_elements and store_elements have as many elements as `elements`, and are `elements` by default.
//   Factor      an operand may be multiplied with a coefficient: a named number, or an array, of which element e_k of the
//               step's `elements` is used. Factors are for sums of f32: result = c x operand, rounded, for the first operand;
//               then result = fma(c, operand, result), rounded once, for an operand with a factor, and result + operand for one
//               without. A result that is not a number is always the same (arithmetic.h).
//   Exchange    a step whose output streams carry not its result but the *old* elements sent_elements of buffer `sent`,
//               as they were before the step. Sending and receiving are concurrent, so pairs and rings can exchange
//               blocks without deadlock. The two spans may differ in length. If sent_elements and the stored elements
//               share an element, the two spans must be the same, in the same order.
//   Wait        a step may wait for steps of other lanes of its node: it begins when they have finished.
//   Race        two steps of a node that touch one element of a buffer, one of them storing, must be ordered by lane or
//               by waits; otherwise the schedule is refused.
//   Phase       see phase.h: a schedule is either flat (lanes and steps) or a list of phases, which is run `repeat` times.
//   Page        of `series` and `record`, whose extent is that of a page. What a phase of the outermost list finds there is a page of its
//               own: the s-th phase that runs, counted from 0 through all repetitions, has page s of `series` and page
//               s / record_every of `record`. A flat schedule has page 0. So what is recorded last in a page stays.
//   Contract    one or more, each over its own list of ranks: what the schedule achieves. Contracts that share a node end
//               in one buffer of it.
//
// Storage is flat: a step is 44 bytes plus 4 per operand, output and wait; no heap block per step.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "machine/machine.h"
#include "schedule/contract.h"
#include "schedule/span.h"

namespace muster {

using StreamId = std::int32_t;
using StepId = std::int32_t;

/// The operand that stands for an element of the step's own buffer.
inline constexpr StreamId kOwn = -1;
/// The operand that stands for entry `index` of Schedule::terms, and back.
constexpr StreamId term_operand(std::int32_t index) { return kOwn - 1 - index; }
constexpr bool is_term(StreamId operand) { return operand < kOwn; }
constexpr std::int32_t term_index(StreamId operand) { return kOwn - 1 - operand; }
/// Whether an operand is a stream.
constexpr bool is_stream(StreamId operand) { return operand >= 0; }
/// The factor of an operand that is taken as it is.
inline constexpr std::int32_t kOne = -1;
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
  Slice operands;  ///< into Schedule::operands: stream ids, terms and at most one kOwn
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

/// Elements of a buffer of the step's node, as many as the step's.
struct Term {
  Buffer buffer = Buffer::none;
  SpanId elements = 0;
  bool operator==(const Term&) const = default;
};

/// What operands are multiplied with. Proofs know its name alone: two coefficients are two symbols, whatever their values.
struct Coefficient {
  std::string name;             ///< letters, digits and _, a letter first
  float value = 1;              ///< without meaning for an array
  Buffer array = Buffer::none;  ///< Buffer::model: one value per element
  std::int64_t first = 0;       ///< of an array: the value for element e is element first + e of the buffer
  [[nodiscard]] bool is_array() const { return array != Buffer::none; }
  bool operator==(const Coefficient&) const = default;
};

inline constexpr std::size_t kLongestCoefficientName = 60;
bool is_coefficient_name(std::string_view name);

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
  std::array<std::int64_t, kBuffers> extent{};  ///< elements of the buffers, in their order
  SpanTable spans;
  std::vector<Contract> contracts;

  std::vector<Stream> streams;
  std::vector<NodeId> sinks;
  std::vector<std::vector<Hop>> routes;

  std::vector<Step> steps;  ///< grouped by lane, lanes grouped by node
  std::vector<StreamId> operands;
  std::vector<std::int32_t> factors;  ///< of each of the operands: an index into coefficients, or kOne; empty: all kOne
  std::vector<StreamId> outputs;
  std::vector<StepId> waits;
  std::vector<Lane> lanes;
  std::vector<std::int32_t> first_lane;  ///< node n's lanes are [first_lane[n], first_lane[n + 1])

  std::vector<Term> terms;
  std::vector<Coefficient> coefficients;

  std::vector<Phase> phases;                   ///< if not empty, the schedule itself has no steps
  std::vector<Schedule> parts;                 ///< the distinct sub-schedules that phases use
  std::vector<std::vector<Group>> group_sets;  ///< the distinct sets of groups that phases use
  std::int64_t repeat = 1;                     ///< how many times the phases run, one list after another
  std::int64_t record_every = 1;               ///< phases that share a page of `record`

  [[nodiscard]] std::span<const NodeId> sinks_of(const Stream& s) const { return slice(sinks, s.sinks); }
  [[nodiscard]] std::span<const StreamId> operands_of(const Step& s) const { return slice(operands, s.operands); }
  /// The factor of the step's operand number `operand`.
  [[nodiscard]] std::int32_t factor_of(const Step& s, std::size_t operand) const {
    return factors.empty() ? kOne : factors[static_cast<std::size_t>(s.operands.first) + operand];
  }
  [[nodiscard]] const Term& term_of(StreamId operand) const {
    return terms[static_cast<std::size_t>(term_index(operand))];
  }
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
  /// How many pages a buffer has; 1 if it has none.
  [[nodiscard]] std::int64_t pages_of(Buffer buffer) const;
  /// Written alike, with the same numbers of streams, steps and spans.
  bool operator==(const Schedule& other) const;

 private:
  template <class T>
  static std::span<const T> slice(const std::vector<T>& pool, Slice s) {
    return {pool.data() + s.first, static_cast<std::size_t>(s.count)};
  }
};

/// Whether some step has a factor or several operands of its own, or a contract is a stencil, in parts too.
bool is_linear(const Schedule& schedule);
/// What a lowering that does not know such schedules says of one.
inline constexpr std::string_view kLinearRefusal =
    "the schedule has factors, terms or a stencil, which have no lowering for this machine";

/// The node that each step runs on.
std::vector<NodeId> step_nodes(const Schedule& schedule);

}  // namespace muster
