// What cores hold in the end, without times.
#pragma once

#include <cstdint>

#include "backend/hyperx/wiring.h"
#include "schedule/interpret.h"

namespace muster::hyperx {

/// Data is computed while all cores together hold at most so many words in a buffer.
inline constexpr std::int64_t kMostComputedWords = std::int64_t{1} << 22;

/// Every row at once for all its elements, id after id. That is what packets do: a switch runs its ids in this order, and
/// memory gives an element of an id before the result of that element can come back.
Outputs compute_data(const Wiring& wiring, const RowOrder& order, std::uint64_t seed);

}  // namespace muster::hyperx
