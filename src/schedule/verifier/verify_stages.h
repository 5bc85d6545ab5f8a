// The stages of the verifier and what they share. Internal to schedule/: other folders call verify().
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "schedule/index.h"
#include "schedule/verify.h"

namespace muster::verifier {

/// Nothing, or what is wrong.
using Finding = std::optional<Counterexample>;
using Kind = Counterexample::Kind;

/// A schedule under test and where it runs. A part of a phase runs on a group, not on the machine itself: its nodes
/// have no names there, and its routes are looked at group by group.
struct Subject {
  const Schedule& schedule;
  const Machine& machine;
  bool is_part = false;
  const StepName* step_name = nullptr;  ///< nothing: steps are named by their numbers

  [[nodiscard]] std::string node(NodeId node) const;                           ///< "PE (3,0)", in a part "node 3"
  [[nodiscard]] std::string step(StepId id, NodeId at) const;                  ///< "step 12 at PE (3,0)", or its name
  [[nodiscard]] std::string step_in_lane(StepId id, std::int32_t lane) const;  ///< "step 12 (lane 1)", or its name
  [[nodiscard]] std::string stream(StreamId id) const;                         ///< "stream 4 from PE (3,0) to PE (2,0)"
};

/// What a counterexample names.
struct Location {
  std::optional<NodeId> node = {};
  std::optional<std::int64_t> element = {};
  std::optional<StepId> step = {};
  std::optional<StreamId> stream = {};
};

template <class... Args>
Counterexample found(Kind kind, const Location& where, fmt::format_string<Args...> format, Args&&... args) {
  return {.kind = kind,
          .node = where.node,
          .element = where.element,
          .step = where.step,
          .stream = where.stream,
          .message = fmt::format(format, std::forward<Args>(args)...)};
}

/// "[3,7)", "[0,4) and [8,12)", "[0,4), [8,12) and 3 more".
std::string ranges_text(std::span<const Range> ranges);

/// Everything that later stages index with is in range, spans fit each other and the buffers, contracts make sense.
Finding check_form(const Subject& subject);
Finding check_contracts(const Subject& subject);

/// Names that differ, values that are finite, arrays in `model`, as many factors as operands.
Finding check_coefficients(const Subject& subject);

/// Every stream is pushed by exactly one step of its source and taken by exactly one step of each sink, over its span.
Finding check_streams(const Subject& subject, const ScheduleIndex& index);

/// Every route is a tree of links from the source to the sinks. In a part, only the tree is looked at.
Finding check_routes(const Subject& subject);

/// A moment of execution: a step, or the sending half of an exchange (its other half is the step itself).
using Vertex = std::int32_t;

/// What must happen before what; edges lead from a vertex to what it waits for.
struct Dependencies {
  enum class Why : std::uint8_t {
    data,        ///< an element that the other one pushes
    credit,      ///< space in a stream's buffer, freed by the other one
    old,         ///< the other half of an exchange must have sent an element before it is overwritten
    lane,        ///< the step before it in its lane
    wait,        ///< a wait
    after_send,  ///< no wait at all: fixes an order of the halves for symbolic execution
  };
  struct Edge {
    Vertex to = 0;
    Why why = Why::data;
  };
  StepId steps = 0;
  std::vector<StepId> sender_step;  ///< of vertex steps + i
  std::vector<std::int32_t> first;  ///< vertex v's edges are [first[v], first[v + 1])
  std::vector<Edge> edges;

  [[nodiscard]] Vertex vertices() const { return steps + static_cast<Vertex>(sender_step.size()); }
  [[nodiscard]] bool is_sender(Vertex v) const { return v >= steps; }
  [[nodiscard]] StepId step_of(Vertex v) const { return is_sender(v) ? sender_step[at(v - steps)] : v; }
  [[nodiscard]] std::span<const Edge> edges_of(Vertex v) const {
    return {edges.data() + first[at(v)], edges.data() + first[at(v) + 1]};
  }
};
Dependencies dependencies_of(const Subject& subject, const ScheduleIndex& index);

/// No wait cycle is possible; `order` becomes an order in which the vertices can be executed one after another.
Finding check_waits(const Subject& subject, const ScheduleIndex& index, const Dependencies& dependencies,
                    std::vector<Vertex>& order);

/// No two steps of a node touch one element, one storing, without being ordered by lane or wait.
Finding check_races(const Subject& subject, const std::vector<Vertex>& order, const Dependencies& dependencies);

/// Executes the steps symbolically in `order` and compares what the ranks hold with what they owe.
Verdict execute(const Subject& subject, const ScheduleIndex& index, const Dependencies& dependencies,
                const std::vector<Vertex>& order, const VerifyOptions& options);

/// All stages for a flat schedule.
Verdict verify_flat(const Subject& subject, const VerifyOptions& options);

/// Parts one by one, then their composition.
Verdict verify_phases(const Subject& subject, const VerifyOptions& options);

}  // namespace muster::verifier
