// Arithmetic on words. Everything is defined down to the bit, so that every simulator and executor can be compared.
#include "schedule/arithmetic.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace muster {
namespace {

constexpr std::array<std::string_view, 4> kTypeNames = {"f32", "f16", "i32", "bf16"};
constexpr std::array<std::string_view, 4> kOperatorNames = {"sum", "max", "min", "prod"};
constexpr Word kNotANumber = 0x7fc00000;
constexpr std::uint16_t kHalfNan = 0x7e00;
constexpr std::uint16_t kBfloatNan = 0x7fc0;

template <class Enum, std::size_t N>
std::optional<Enum> from_name(const std::array<std::string_view, N>& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

Word bits_of(float value) { return std::isnan(value) ? kNotANumber : std::bit_cast<Word>(value); }

/// Whether left goes before right; -0 goes before +0, so that max and min do not depend on the order of operands.
bool less(float left, float right) {
  return left < right || (left == right && std::signbit(left) > std::signbit(right));
}

float combine_floats(Operator op, float left, float right) {
  if (op == Operator::sum) return left + right;
  if (op == Operator::prod) return left * right;
  if (std::isnan(left) || std::isnan(right)) return std::bit_cast<float>(kNotANumber);
  return (op == Operator::max) == less(left, right) ? right : left;
}

/// An f32 holds the product of two f16 exactly, and has more than twice their digits plus two: rounding a sum first to
/// f32 and then to f16 gives the same as rounding once.
std::uint16_t combine_halves(Operator op, std::uint16_t left, std::uint16_t right) {
  return float_to_half(combine_floats(op, half_to_float(left), half_to_float(right)));
}

/// The same holds for bf16, which has 8 digits to the 24 of f32.
std::uint16_t combine_bfloats(Operator op, std::uint16_t left, std::uint16_t right) {
  return float_to_bfloat(combine_floats(op, bfloat_to_float(left), bfloat_to_float(right)));
}

Word combine_integers(Operator op, Word left, Word right) {
  if (op == Operator::sum) return left + right;
  if (op == Operator::prod) return left * right;
  const bool right_is_larger = std::bit_cast<std::int32_t>(left) < std::bit_cast<std::int32_t>(right);
  return (op == Operator::max) == right_is_larger ? right : left;
}

std::uint16_t low_half(Word word) { return static_cast<std::uint16_t>(word & 0xffff); }
std::uint16_t high_half(Word word) { return static_cast<std::uint16_t>(word >> 16); }
Word pack(std::uint16_t low, std::uint16_t high) { return static_cast<Word>(low) | (static_cast<Word>(high) << 16); }

/// Near 1.
Word float_factor(Word random) {
  constexpr Word kLowest = 0x3f7d70a4, kHighest = 0x3f8147ae;  // 0.99 and 1.01
  return kLowest + random % (kHighest - kLowest + 1);
}

std::uint16_t half_input(Operator op, std::uint32_t random) {
  constexpr std::uint32_t kLowest = 0x3bec, kHighest = 0x3c0a;  // 0.99 and 1.01
  if (op == Operator::prod) return static_cast<std::uint16_t>(kLowest + random % (kHighest - kLowest + 1));
  const std::uint32_t exponent = 11 + ((random >> 10) & 3);  // 2^-4 ... 2^-1
  return static_cast<std::uint16_t>((random & 0x8000) | (exponent << 10) | (random & 0x3ff));
}

std::uint16_t bfloat_input(Operator op, std::uint32_t random) {
  constexpr std::uint32_t kLowest = 0x3f7d, kHighest = 0x3f82;  // 0.988 and 1.016
  if (op == Operator::prod) return static_cast<std::uint16_t>(kLowest + random % (kHighest - kLowest + 1));
  const std::uint32_t exponent = 123 + ((random >> 7) & 3);  // 2^-4 ... 2^-1
  return static_cast<std::uint16_t>((random & 0x8000) | (exponent << 7) | (random & 0x7f));
}

/// Odd factors: a product that wraps around never becomes 0, so that every factor shows.
Word integer_input(Operator op, Word random) {
  const auto value = op == Operator::prod ? 2 * static_cast<std::int32_t>(random % 4) - 3  // -3, -1, 1, 3
                                          : static_cast<std::int32_t>(random % 201) - 100;
  return static_cast<Word>(value);
}

std::string float_text(float value) { return std::isnan(value) ? "nan" : fmt::format("{}", value); }

}  // namespace

std::string_view type_name(ElementType type) { return kTypeNames[static_cast<std::size_t>(type)]; }
std::optional<ElementType> type_from_name(std::string_view name) { return from_name<ElementType>(kTypeNames, name); }
std::vector<std::string> type_names() { return {kTypeNames.begin(), kTypeNames.end()}; }
std::string_view operator_name(Operator op) { return kOperatorNames[static_cast<std::size_t>(op)]; }
std::optional<Operator> operator_from_name(std::string_view name) { return from_name<Operator>(kOperatorNames, name); }
std::vector<std::string> operator_names() { return {kOperatorNames.begin(), kOperatorNames.end()}; }

Bytes size_of(ElementType type) { return Bytes(4 / elements_per_word(type)); }

std::int64_t elements_per_word(ElementType type) {
  return type == ElementType::f16 || type == ElementType::bf16 ? 2 : 1;
}

std::int64_t words_for(ElementType type, std::int64_t count) {
  const std::int64_t per_word = elements_per_word(type);
  return count / per_word + (count % per_word == 0 ? 0 : 1);
}

float half_to_float(std::uint16_t half) {
  const Word sign = static_cast<Word>(half & 0x8000) << 16;
  const Word exponent = (half >> 10) & 0x1f;
  const Word mantissa = half & 0x3ff;
  if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f800000 | (mantissa << 13));
  if (exponent > 0) return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
  const float magnitude = static_cast<float>(mantissa) * 0x1p-24F;  // subnormal or zero: exact
  return sign != 0 ? -magnitude : magnitude;
}

std::uint16_t float_to_half(float value) {
  if (std::isnan(value)) return kHalfNan;
  const Word bits = std::bit_cast<Word>(value);
  const Word sign = (bits >> 16) & 0x8000;
  const Word magnitude = bits & 0x7fffffff;
  if (magnitude >= 0x47800000) return static_cast<std::uint16_t>(sign | 0x7c00);  // 2^16 and above, infinity
  if (magnitude < 0x33000000) return static_cast<std::uint16_t>(sign);            // below 2^-25: rounds to zero

  // The kept digits and the dropped ones below them. A carry out of the mantissa runs into the exponent, as it should.
  const Word exponent = magnitude >> 23;
  const bool subnormal = exponent < 113;
  const Word significand = subnormal ? (magnitude & 0x7fffff) | 0x800000 : magnitude - (Word{112} << 23);
  const Word dropped = subnormal ? 126 - exponent : 13;
  const Word kept = significand >> dropped;
  const Word rest = significand & ((Word{1} << dropped) - 1);
  const Word tie = Word{1} << (dropped - 1);
  const Word up = rest > tie || (rest == tie && (kept & 1) != 0) ? 1 : 0;
  return static_cast<std::uint16_t>(sign | (kept + up));
}

float bfloat_to_float(std::uint16_t bfloat) { return std::bit_cast<float>(static_cast<Word>(bfloat) << 16U); }

std::uint16_t float_to_bfloat(float value) {
  if (std::isnan(value)) return kBfloatNan;
  const Word bits = std::bit_cast<Word>(value);
  return static_cast<std::uint16_t>((bits + 0x7fffU + ((bits >> 16U) & 1U)) >> 16U);
}

namespace {

/// One word, where type and operator are known when this is compiled.
template <ElementType type, Operator op>
Word combine_words(Word left, Word right) {
  if constexpr (type == ElementType::f32) {
    return bits_of(combine_floats(op, std::bit_cast<float>(left), std::bit_cast<float>(right)));
  } else if constexpr (type == ElementType::f16) {
    return pack(combine_halves(op, low_half(left), low_half(right)),
                combine_halves(op, high_half(left), high_half(right)));
  } else if constexpr (type == ElementType::bf16) {
    return pack(combine_bfloats(op, low_half(left), low_half(right)),
                combine_bfloats(op, high_half(left), high_half(right)));
  } else {
    return combine_integers(op, left, right);
  }
}

template <ElementType type, Operator op>
void combine_all(std::span<Word> left, std::span<const Word> right) {
  for (std::size_t k = 0; k < right.size(); ++k) left[k] = combine_words<type, op>(left[k], right[k]);
}

using CombineAll = void (*)(std::span<Word>, std::span<const Word>);
template <ElementType type>
constexpr std::array<CombineAll, 4> kOfType = {combine_all<type, Operator::sum>, combine_all<type, Operator::max>,
                                               combine_all<type, Operator::min>, combine_all<type, Operator::prod>};
/// A loop for each type and operator, so that the compiler can make each a loop of vectors.
constexpr std::array<std::array<CombineAll, 4>, 4> kCombineAll = {
    kOfType<ElementType::f32>, kOfType<ElementType::f16>, kOfType<ElementType::i32>, kOfType<ElementType::bf16>};

}  // namespace

Word Arithmetic::combine_otherwise(Word left, Word right) const {
  combine(std::span(&left, 1), std::span(&right, 1));
  return left;
}

void Arithmetic::combine(std::span<Word> left, std::span<const Word> right) const {
  kCombineAll[static_cast<std::size_t>(type)][static_cast<std::size_t>(op)](left, right);
}

void Arithmetic::multiply(std::span<Word> left, std::span<const Word> c) {
  for (std::size_t k = 0; k < left.size(); ++k) {
    left[k] = bits_of(std::bit_cast<float>(c[c.size() == 1 ? 0 : k]) * std::bit_cast<float>(left[k]));
  }
}

void Arithmetic::multiply_add(std::span<Word> left, std::span<const Word> c, std::span<const Word> right) {
  for (std::size_t k = 0; k < left.size(); ++k) {
    left[k] = bits_of(std::fma(std::bit_cast<float>(c[c.size() == 1 ? 0 : k]), std::bit_cast<float>(right[k]),
                               std::bit_cast<float>(left[k])));
  }
}

void Arithmetic::fill_inputs(std::uint64_t key, std::int64_t first, std::span<Word> words) const {
  std::size_t k = 0;
  if (first % 2 != 0 && !words.empty()) words[k++] = input_at(key, first);
  const auto pairs = static_cast<std::uint64_t>(first + 1) / 2;
  const bool plain = type == ElementType::f32 && op != Operator::prod;
  for (std::uint64_t pair = pairs; k + 1 < words.size(); ++pair, k += 2) {
    const std::uint64_t random = random_bits(key, pair);
    const auto low = static_cast<Word>(random), high = static_cast<Word>(random >> 32U);
    words[k] = plain ? float_input(low) : input_otherwise(low);
    words[k + 1] = plain ? float_input(high) : input_otherwise(high);
  }
  if (k < words.size()) words[k] = input_at(key, first + static_cast<std::int64_t>(k));
}

Word Arithmetic::input_otherwise(Word random) const {
  switch (type) {
    case ElementType::f32:
      return op == Operator::prod ? float_factor(random) : float_input(random);
    case ElementType::f16:
      return pack(half_input(op, random & 0xffffU), half_input(op, random >> 16U));
    case ElementType::bf16:
      return pack(bfloat_input(op, random & 0xffffU), bfloat_input(op, random >> 16U));
    case ElementType::i32:
      break;
  }
  return integer_input(op, random);
}

std::string Arithmetic::text(Word word) const {
  switch (type) {
    case ElementType::f32:
      return float_text(std::bit_cast<float>(word));
    case ElementType::f16:
      return fmt::format("({}, {})", float_text(half_to_float(low_half(word))),
                         float_text(half_to_float(high_half(word))));
    case ElementType::bf16:
      return fmt::format("({}, {})", float_text(bfloat_to_float(low_half(word))),
                         float_text(bfloat_to_float(high_half(word))));
    case ElementType::i32:
      break;
  }
  return fmt::format("{}", std::bit_cast<std::int32_t>(word));
}

}  // namespace muster
