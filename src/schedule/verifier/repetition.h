// Elements that repeat: a chunk that takes a slice of every rank's block reaches the same offset in each block. Where all
// phases do, one block says what is true of all, and nothing grows with chunks times ranks.
#pragma once

#include "schedule/verifier/phase_stages.h"

namespace muster::verifier {

/// What lies in [0, stride) lies there again every `stride` elements, `times` times. Once: nothing repeats.
struct Repetition {
  std::int64_t stride = 0;
  std::int64_t times = 1;
};

/// The repetition that the elements of all phases have, each with one range in every stride.
Repetition repetition_of(const Schedule& schedule, const std::vector<GroupSetFacts>& facts);

/// Adds a range that begins no earlier than the others; one that touches the last one becomes part of it.
void append(std::vector<Range>& ranges, Range range);

/// All ranges, sorted, of those in the first stride.
std::vector<Range> repeated(const std::vector<Range>& ranges, const Repetition& repetition);

}  // namespace muster::verifier
