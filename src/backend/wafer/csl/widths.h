// The numbers of the emitted text have 16 bits, as descriptors do: what does not fit is refused, not cut off.
#pragma once

#include <optional>
#include <string>

#include "backend/wafer/csl/program.h"

namespace muster::wafer {

/// The largest offset, length or repetition: from kFirstOwnNumber on, numbers stand for others.
inline constexpr std::int64_t kMostNumber = kFirstOwnNumber - 1;

/// Which number of a processor's operations is too large, or nothing; without the PE, which the caller knows.
std::optional<std::string> number_problem(const CslOperations& operations);

/// Which table or map has more entries than its numbers can count, or nothing.
std::optional<std::string> table_problem(const CslProgram& csl);

}  // namespace muster::wafer
