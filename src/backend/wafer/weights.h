// Products with coefficients, to the bit: words are f32, and a result that is not a number is the quiet nan of arithmetic.h.
#pragma once

#include <bit>
#include <cmath>

#include "schedule/arithmetic.h"

namespace muster::wafer {

inline Word word_of(float value) { return value == value ? std::bit_cast<Word>(value) : Word{0x7fc00000}; }

/// c * a, rounded.
inline Word multiply(float c, Word a) { return word_of(c * std::bit_cast<float>(a)); }
/// c * a + r, rounded once.
inline Word multiply_add(float c, Word a, Word r) {
  return word_of(std::fma(c, std::bit_cast<float>(a), std::bit_cast<float>(r)));
}

}  // namespace muster::wafer
