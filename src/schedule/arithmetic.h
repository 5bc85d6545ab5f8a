// Numbers as machines move them: words of 32 bits that hold one f32, one i32, two packed f16 or two packed bf16.
// Schedules count words; which numbers a word holds matters only when data is computed.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "base/units.h"

namespace muster {

enum class ElementType : std::uint8_t { f32, f16, i32, bf16 };
enum class Operator : std::uint8_t { sum, max, min, prod };

std::string_view type_name(ElementType type);
std::optional<ElementType> type_from_name(std::string_view name);
std::vector<std::string> type_names();
std::string_view operator_name(Operator op);
std::optional<Operator> operator_from_name(std::string_view name);
std::vector<std::string> operator_names();

Bytes size_of(ElementType type);
std::int64_t elements_per_word(ElementType type);
/// Words that `count` elements fill; two f16 or bf16 share a word, the last half may be padding.
std::int64_t words_for(ElementType type, std::int64_t count);

using Word = std::uint32_t;

/// The value of an f16, exactly; the f16 nearest to a value, ties to even, with subnormals and infinities.
float half_to_float(std::uint16_t half);
std::uint16_t float_to_half(float value);
/// The same of a bf16, the upper half of an f32.
float bfloat_to_float(std::uint16_t bfloat);
std::uint16_t float_to_bfloat(float value);

/// One operation on words. i32 wraps around; f16 and bf16 are rounded to nearest even after each operation. A result that is
/// not a number is always the same quiet nan (0x7fc00000, 0x7e00, 0x7fc0); max and min give it as soon as one operand is not a
/// number, and order -0 below +0.
struct Arithmetic {
  ElementType type = ElementType::f32;
  Operator op = Operator::sum;
  [[nodiscard]] Word combine(Word left, Word right) const {
    if (type != ElementType::f32 || op != Operator::sum) return combine_otherwise(left, right);
    const float sum = std::bit_cast<float>(left) + std::bit_cast<float>(right);
    return sum == sum ? std::bit_cast<Word>(sum) : kNan;
  }
  /// left[k] = combine(left[k], right[k]), for vectors of one length.
  void combine(std::span<Word> left, std::span<const Word> right) const;

  /// With coefficients, for sums of f32 alone (takes_coefficients()): left[k] = c x left[k], rounded; left[k] = c x right[k] +
  /// left[k], rounded once. The c of element k is c[k], or c[0] where there is one for all.
  [[nodiscard]] bool takes_coefficients() const { return type == ElementType::f32 && op == Operator::sum; }
  static void multiply(std::span<Word> left, std::span<const Word> c);
  static void multiply_add(std::span<Word> left, std::span<const Word> c, std::span<const Word> right);

  /// The input of a rank (a node of the schedule) at an element, the same on every machine: small, well-behaved
  /// numbers made from (rank, element, seed), so that large runs need not store them. Full mantissas, so that the order
  /// of additions shows; near 1 for prod, so that long products stay finite.
  [[nodiscard]] Word input(std::int64_t rank, std::int64_t element, std::uint64_t seed) const {
    return input_at(input_key(rank, seed), element);
  }
  /// The same in two steps, for many elements of one rank.
  [[nodiscard]] static std::uint64_t input_key(std::int64_t rank, std::uint64_t seed) {
    return random_bits(random_bits(seed, 0), static_cast<std::uint64_t>(rank));
  }
  [[nodiscard]] Word input_at(std::uint64_t key, std::int64_t element) const {
    return input_from(random_word(key, element));
  }
  /// words[k] = input(rank, first + k, seed).
  void inputs(std::int64_t rank, std::int64_t first, std::uint64_t seed, std::span<Word> words) const {
    fill_inputs(input_key(rank, seed), first, words);
  }
  /// words[k] = input_at(key, first + k).
  void fill_inputs(std::uint64_t key, std::int64_t first, std::span<Word> words) const;
  /// The word as a person reads it.
  [[nodiscard]] std::string text(Word word) const;

 private:
  static constexpr Word kNan = 0x7fc00000;
  /// Two elements share a hash.
  static Word random_word(std::uint64_t key, std::int64_t element) {
    const std::uint64_t pair = random_bits(key, static_cast<std::uint64_t>(element) / 2);
    return static_cast<Word>(element % 2 == 0 ? pair : pair >> 32U);
  }
  [[nodiscard]] Word input_from(Word random) const {
    return type == ElementType::f32 && op != Operator::prod ? float_input(random) : input_otherwise(random);
  }
  /// Either sign, magnitude in [1/16, 1), all digits of the mantissa in use. Inputs are made from bits and integers
  /// alone: floating point expressions may be fused on some machines.
  static Word float_input(Word random) {
    const Word exponent = 123 + ((random >> 23U) & 3U);  // 2^-4 ... 2^-1
    return (random & 0x80000000U) | (exponent << 23U) | (random & 0x7fffffU);
  }
  [[nodiscard]] Word combine_otherwise(Word left, Word right) const;
  [[nodiscard]] Word input_otherwise(Word random) const;
};

}  // namespace muster
