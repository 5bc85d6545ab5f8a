// The stages of the verifier for schedules of phases. Each part is verified on its own; what remains is the composition
// of the parts' contracts.
//
// A part has no cycle of waits and a phase waits only for earlier ones, so the phases together have none: streams,
// steps and lanes belong to one group of one phase, and between phases waits lead backwards only.
#pragma once

#include <array>

#include "schedule/phase.h"
#include "schedule/verifier/intervals.h"
#include "schedule/verifier/settle.h"
#include "schedule/verifier/verify_stages.h"

namespace muster::verifier {

/// The elements of a part's vector that one of its nodes touches, in the buffers `from` and `to` of the contract.
struct Footprint {
  struct Set : Intervals<char> {
    void add(Range range) { assign(range, 1); }
  };
  Set reads_from;
  Set stores_from;
  Set reads_to;
  Set stores_to;
};
using Footprints = std::vector<Footprint>;  ///< by node of the part

/// Phases refer to earlier phases, to parts, and to groups and spans that fit them. Parts are not looked into.
Finding check_phase_form(const Subject& subject);

/// The phases of a stencil: one time step after another, with the buffers exchanged, as many as the contract says. Parts are not
/// looked into.
Finding check_time_steps(const Subject& subject);

/// Members can combine, and given routes of parts exist where the groups are. For the outermost schedule only.
Finding check_placement(const Subject& subject);

/// What each node of a part touches, through all levels. The part has been verified.
Footprints footprints_of(const Schedule& part);

/// Parts that are used get footprints, the others stay empty.
using PartFootprints = std::vector<Footprints>;

/// What is said of group sets again and again.
struct GroupSetFacts {
  std::vector<Range> elements;  ///< of all groups together, sorted and merged; without the phases' offsets
  bool no_node_is_twice;        ///< in one group or in two
};
/// By group set; those that no phase uses stay empty.
std::vector<GroupSetFacts> group_set_facts(const Schedule& schedule);

/// Phases whose elements no others touch and that wait for no others, so that they can be looked at alone.
struct Component {
  std::vector<std::int32_t> phases;  ///< in their order
  Elements elements;                 ///< that they reach over; left out of copies of another component
};

/// The components of a schedule, in the order of their first phases.
struct Components {
  std::vector<Component> all;
  /// For each, the first component that it is a shifted copy of: itself, if there is none before it.
  std::vector<std::size_t> same_as;
  Elements untouched;  ///< by any of them
  /// What an element needs depends on its block at most; else there is one component.
  bool is_split = false;
};
Components components_of(const Schedule& schedule, const std::vector<GroupSetFacts>& facts);

/// Everything that the stages below look at.
struct PhaseSubject {
  const Subject& subject;
  const PartFootprints& footprints;
  const std::vector<GroupSetFacts>& facts;
};

/// No two unordered groups touch one element of a node, one of them storing.
Finding check_phase_races(const PhaseSubject& phases, const Component& component);

/// Runs the phases of a component on the parts' contracts and compares what the ranks hold with what they owe in its
/// elements.
Verdict compose(const PhaseSubject& phases, const Component& component, const VerifyOptions& options);

/// The elements that a group of a phase works on, in order.
std::vector<Range> elements_of(const Schedule& schedule, const Phase& phase, const Group& group);

/// The elements on[first], ..., as ranges in order.
std::vector<Range> map_through(std::span<const Range> on, Range positions);

}  // namespace muster::verifier
