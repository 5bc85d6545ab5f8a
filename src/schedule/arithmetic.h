// Numbers as machines move them: words of 32 bits that hold one f32, one i32 or two packed f16.
// Schedules count words; which numbers a word holds matters only when data is computed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"

namespace muster {

enum class ElementType : std::uint8_t { f32, f16, i32 };
enum class Operator : std::uint8_t { sum, max, min, prod };

std::string_view type_name(ElementType type);
std::optional<ElementType> type_from_name(std::string_view name);
std::vector<std::string> type_names();
std::string_view operator_name(Operator op);
std::optional<Operator> operator_from_name(std::string_view name);
std::vector<std::string> operator_names();

Bytes size_of(ElementType type);
/// Words that `count` elements fill; two f16 share a word, the last half may be padding.
std::int64_t words_for(ElementType type, std::int64_t count);

using Word = std::uint32_t;

/// The value of an f16, exactly; the f16 nearest to a value, ties to even, with subnormals and infinities.
float half_to_float(std::uint16_t half);
std::uint16_t float_to_half(float value);

/// One operation on words. i32 wraps around; f16 is rounded to nearest even after each operation. A result that is not
/// a number is always the same quiet nan (0x7fc00000, 0x7e00); max and min give it as soon as one operand is not a
/// number, and order -0 below +0.
struct Arithmetic {
  ElementType type = ElementType::f32;
  Operator op = Operator::sum;
  [[nodiscard]] Word combine(Word left, Word right) const;
  /// left[i] = combine(left[i], right[i]), for vectors of one length.
  void combine(std::span<Word> left, std::span<const Word> right) const;
  /// The input of a rank (a node of the schedule) at an element, the same on every machine: small, well-behaved
  /// numbers made from (rank, element, seed), so that large runs need not store them. Full mantissas, so that the order
  /// of additions shows; near 1 for prod, so that long products stay finite.
  [[nodiscard]] Word input(std::int64_t rank, std::int64_t element, std::uint64_t seed) const;
  /// words[i] = input(rank, first + i, seed).
  void inputs(std::int64_t rank, std::int64_t first, std::uint64_t seed, std::span<Word> words) const;
  /// The word as a person reads it.
  [[nodiscard]] std::string text(Word word) const;
};

}  // namespace muster
