// The stages of the verifier for schedules of phases. Each part is verified on its own; what remains is the composition
// of the parts' contracts.
//
// A part has no circle of waits and a phase waits only for earlier ones, so the phases together have none: streams,
// steps and lanes belong to one group of one phase, and between phases waits lead backwards only.
#pragma once

#include <array>

#include "schedule/phase.h"
#include "schedule/verifier/intervals.h"
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

/// Members can combine, and given routes of parts exist where the groups are. For the outermost schedule only.
Finding check_placement(const Subject& subject);

/// What each node of a part touches, through all levels. The part has been verified.
Footprints footprints_of(const Schedule& part);

/// Parts that are used get footprints, the others stay empty.
using PartFootprints = std::vector<Footprints>;

/// No two unordered groups touch one element of a node, one of them storing.
Finding check_phase_races(const Subject& subject, const PartFootprints& footprints);

/// Runs the phases on the parts' contracts and compares what the ranks hold with what they owe.
Verdict compose(const Subject& subject, const PartFootprints& footprints, const VerifyOptions& options);

/// The elements on[first], ..., as ranges in order.
std::vector<Range> map_through(std::span<const Range> on, Range positions);

}  // namespace muster::verifier
