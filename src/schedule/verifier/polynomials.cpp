// Arithmetic modulo 2^61 - 1, and where the random point comes from.
#include "schedule/verifier/polynomials.h"

#include <algorithm>

#include "base/random.h"

namespace muster::verifier {
namespace {

__extension__ using Wide = unsigned __int128;

/// Which variable of the random point a number is for.
enum class Variable : std::uint64_t { origin = 1, coefficient, array, element_shift, array_shift };

std::uint64_t times_modulo(std::uint64_t a, std::uint64_t b) {
  const Wide product = Wide{a} * b;
  const auto low = static_cast<std::uint64_t>(product) & kPrime;
  const auto high = static_cast<std::uint64_t>(product >> 61U);
  return Polynomials::add(low, high);
}

std::uint64_t power_modulo(std::uint64_t base, std::uint64_t exponent) {
  std::uint64_t result = 1;
  for (; exponent > 0; exponent >>= 1U) {
    if ((exponent & 1U) != 0) result = times_modulo(result, base);
    base = times_modulo(base, base);
  }
  return result;
}

/// From 1 to p - 1.
std::uint64_t random_number(std::uint64_t seed, Variable variable, std::uint64_t first, std::uint64_t second = 0) {
  const std::uint64_t key = random_bits(seed, static_cast<std::uint64_t>(variable));
  return 1 + random_bits(key, first, second) % (kPrime - 1);
}

}  // namespace

Polynomials::Polynomials(const Schedule& schedule, std::uint64_t seed)
    : seed_(seed), z_(random_number(seed, Variable::element_shift, 0)) {
  zy_ = times_modulo(z_, random_number(seed, Variable::array_shift, 0));
  for (SpanId id = 0; id < schedule.spans.size(); ++id) span_ = std::max(span_, schedule.spans.hull(id).end());
  for (const Contract& contract : schedule.contracts) span_ = std::max(span_, vector_end(contract));
  for (const Buffer buffer : {Buffer::series, Buffer::record}) span_ = std::max(span_, schedule.extent_of(buffer));
}

Polynomials::Value Polynomials::of(NodeId node, Buffer buffer) const {
  return {.plain = random_number(seed_, Variable::origin, static_cast<std::uint64_t>(node),
                                 static_cast<std::uint64_t>(buffer)),
          .with_array = 0};
}

const Polynomials::Powers& Polynomials::powers(std::int64_t exponent) {
  const auto [known, is_new] = powers_.try_emplace(exponent);
  if (is_new) {
    const std::uint64_t positive = exponent >= 0
                                       ? static_cast<std::uint64_t>(exponent) % (kPrime - 1)
                                       : (kPrime - 1) - (static_cast<std::uint64_t>(-exponent) % (kPrime - 1));
    known->second = {power_modulo(z_, positive), power_modulo(zy_, positive)};
  }
  return known->second;
}

Polynomials::Value Polynomials::shifted(const Value& value, std::int64_t by) {
  if (by == 0 || (value.plain == 0 && value.with_array == 0)) return value;
  const Powers& power = powers(by);
  return {times_modulo(value.plain, power.z), times_modulo(value.with_array, power.zy)};
}

Polynomials::Value Polynomials::times(const Value& value, std::int32_t coefficient) const {
  const std::uint64_t c = random_number(seed_, Variable::coefficient, static_cast<std::uint64_t>(coefficient));
  return {times_modulo(value.plain, c), times_modulo(value.with_array, c)};
}

std::optional<Polynomials::Value> Polynomials::times_array(const Value& value, std::int32_t coefficient,
                                                           NodeId node) const {
  if (value.with_array != 0) return std::nullopt;
  const std::uint64_t a =
      random_number(seed_, Variable::array, static_cast<std::uint64_t>(coefficient), static_cast<std::uint64_t>(node));
  return Value{.plain = 0, .with_array = times_modulo(value.plain, a)};
}

}  // namespace muster::verifier
