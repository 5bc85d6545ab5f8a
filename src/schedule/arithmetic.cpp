// Arithmetic on words. Everything is defined down to the bit, so that every simulator and executor can be compared.
#include "schedule/arithmetic.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "base/random.h"

namespace muster {
namespace {

constexpr std::array<std::string_view, 3> kTypeNames = {"f32", "f16", "i32"};
constexpr std::array<std::string_view, 4> kOperatorNames = {"sum", "max", "min", "prod"};
constexpr Word kNan = 0x7fc00000;
constexpr std::uint16_t kHalfNan = 0x7e00;

template <class Enum, std::size_t N>
std::optional<Enum> from_name(const std::array<std::string_view, N>& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

Word bits_of(float value) { return std::isnan(value) ? kNan : std::bit_cast<Word>(value); }

/// Whether left goes before right; -0 goes before +0, so that max and min do not depend on the order of operands.
bool less(float left, float right) {
  return left < right || (left == right && std::signbit(left) > std::signbit(right));
}

float combine_floats(Operator op, float left, float right) {
  if (op == Operator::sum) return left + right;
  if (op == Operator::prod) return left * right;
  if (std::isnan(left) || std::isnan(right)) return std::bit_cast<float>(kNan);
  return (op == Operator::max) == less(left, right) ? right : left;
}

/// An f32 holds the product of two f16 exactly, and has more than twice their digits plus two: rounding a sum first to
/// f32 and then to f16 gives the same as rounding once.
std::uint16_t combine_halves(Operator op, std::uint16_t left, std::uint16_t right) {
  return float_to_half(combine_floats(op, half_to_float(left), half_to_float(right)));
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

std::uint64_t random_input(std::int64_t rank, std::int64_t element, std::uint64_t seed) {
  return random_bits(random_bits(seed, 0), static_cast<std::uint64_t>(rank), static_cast<std::uint64_t>(element));
}

// Inputs are made from bits and integers alone: floating point expressions may be fused on some machines.

/// Either sign, magnitude in [1/16, 1), all digits of the mantissa in use.
Word float_input(Operator op, std::uint64_t random) {
  constexpr Word kLowest = 0x3f7d70a4, kHighest = 0x3f8147ae;  // 0.99 and 1.01
  if (op == Operator::prod) return kLowest + static_cast<Word>(random % (kHighest - kLowest + 1));
  const auto bits = static_cast<Word>(random);
  const Word exponent = 123 + ((bits >> 23) & 3);  // 2^-4 ... 2^-1
  return (bits & 0x80000000) | (exponent << 23) | (bits & 0x7fffff);
}

std::uint16_t half_input(Operator op, std::uint32_t random) {
  constexpr std::uint32_t kLowest = 0x3bec, kHighest = 0x3c0a;  // 0.99 and 1.01
  if (op == Operator::prod) return static_cast<std::uint16_t>(kLowest + random % (kHighest - kLowest + 1));
  const std::uint32_t exponent = 11 + ((random >> 10) & 3);  // 2^-4 ... 2^-1
  return static_cast<std::uint16_t>((random & 0x8000) | (exponent << 10) | (random & 0x3ff));
}

/// Odd factors: a product that wraps around never becomes 0, so that every factor shows.
Word integer_input(Operator op, std::uint64_t random) {
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

Bytes size_of(ElementType type) { return Bytes(type == ElementType::f16 ? 2 : 4); }

std::int64_t words_for(ElementType type, std::int64_t count) {
  return type == ElementType::f16 ? count / 2 + count % 2 : count;
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

Word Arithmetic::combine(Word left, Word right) const {
  switch (type) {
    case ElementType::f32:
      return bits_of(combine_floats(op, std::bit_cast<float>(left), std::bit_cast<float>(right)));
    case ElementType::f16:
      return pack(combine_halves(op, low_half(left), low_half(right)),
                  combine_halves(op, high_half(left), high_half(right)));
    case ElementType::i32:
      break;
  }
  return combine_integers(op, left, right);
}

Word Arithmetic::input(std::int64_t rank, std::int64_t element, std::uint64_t seed) const {
  const std::uint64_t random = random_input(rank, element, seed);
  switch (type) {
    case ElementType::f32:
      return float_input(op, random);
    case ElementType::f16:
      return pack(half_input(op, static_cast<std::uint32_t>(random)),
                  half_input(op, static_cast<std::uint32_t>(random >> 32)));
    case ElementType::i32:
      break;
  }
  return integer_input(op, random);
}

void Arithmetic::combine(std::span<Word> left, std::span<const Word> right) const {
  if (type == ElementType::f32 && op == Operator::sum) {  // by far the most frequent: worth a loop of its own
    for (std::size_t i = 0; i < left.size(); ++i) {
      left[i] = bits_of(std::bit_cast<float>(left[i]) + std::bit_cast<float>(right[i]));
    }
    return;
  }
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = combine(left[i], right[i]);
}

void Arithmetic::inputs(std::int64_t rank, std::int64_t first, std::uint64_t seed, std::span<Word> words) const {
  const std::uint64_t of_rank = random_bits(random_bits(seed, 0), static_cast<std::uint64_t>(rank));
  const auto fill = [&](auto make) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      words[i] = make(random_bits(of_rank, static_cast<std::uint64_t>(first) + i));
    }
  };
  if (type == ElementType::f32) {
    fill([&](std::uint64_t random) { return float_input(op, random); });
  } else if (type == ElementType::i32) {
    fill([&](std::uint64_t random) { return integer_input(op, random); });
  } else {
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = input(rank, first + static_cast<std::int64_t>(i), seed);
  }
}

std::string Arithmetic::text(Word word) const {
  switch (type) {
    case ElementType::f32:
      return float_text(std::bit_cast<float>(word));
    case ElementType::f16:
      return fmt::format("({}, {})", float_text(half_to_float(low_half(word))),
                         float_text(half_to_float(high_half(word))));
    case ElementType::i32:
      break;
  }
  return fmt::format("{}", std::bit_cast<std::int32_t>(word));
}

}  // namespace muster
