// Expressions of numbers alone.
#include "backend/wafer/csl_reader/plain.h"

#include "base/index.h"

namespace muster::wafer::csl {

namespace {

/// Nothing was found.
constexpr Number kNothing{};

Number number_in(const Value& value) {
  const Number& number = value;
  return number.is(ValueKind::integer) || number.is(ValueKind::boolean) ? number : kNothing;
}

/// What a name refers to; null if that must be evaluated first.
const Value* named(const Node& node, const Scope& scope) {
  if (node.kind == NodeKind::local) return &scope.local(node.slot);
  return scope.evaluator.known_global(scope.instance, node.slot);
}

Number element(const Node& node, const Scope& scope) {
  const Number index = plain_number(*node.parts[1], scope);
  if (!index.is(ValueKind::integer)) return kNothing;
  const Value* const base = named(*node.parts[0], scope);
  if (base == nullptr || !base->is(ValueKind::array)) return kNothing;
  const auto& array = object_of<Array>(*base);
  const bool fine = array.plain && array.dimensions.size() == 1 && index.number >= 0 && index.number < array.size();
  if (!fine) return kNothing;
  return array.number_at(at(index.number));
}

Number result_of(const Node& node, const Scope& scope) {
  const Number left = plain_number(*node.parts[0], scope);
  if (!left.is(ValueKind::integer)) return kNothing;
  const Number right = plain_number(*node.parts[1], scope);
  if (!right.is(ValueKind::integer)) return kNothing;
  return combine_integers(node.op, left, right, node.location);
}

/// `decides`: the left value with which the right one does not matter.
Number either_of(const Node& node, const Scope& scope, bool decides) {
  const Number left = plain_number(*node.parts[0], scope);
  if (!left.is(ValueKind::boolean)) return kNothing;
  if (left.truth() == decides) return left;
  const Number right = plain_number(*node.parts[1], scope);
  return right.is(ValueKind::boolean) ? right : kNothing;
}

/// @as to an integer type.
Number converted(const Node& node, const Scope& scope) {
  const auto& type = object_of<Type>(node.parts[0]->constant);
  const Number value = plain_number(*node.parts[1], scope);
  if (value.is(ValueKind::undefined) || type.kind != TypeKind::integer ||
      !fits(value.number, type.bits, type.is_signed))
    return kNothing;
  return integer_number(value.number, type.bits, type.is_signed);
}

}  // namespace

Number plain_number(const Node& node, const Scope& scope) {
  switch (node.kind) {
    case NodeKind::constant: {
      const Number& number = node.constant;
      return number;
    }
    case NodeKind::local:
      return number_in(scope.local(node.slot));
    case NodeKind::global: {
      const Value* const value = named(node, scope);
      return value == nullptr ? kNothing : number_in(*value);
    }
    case NodeKind::index:
      return element(node, scope);
    case NodeKind::binary:
      return result_of(node, scope);
    case NodeKind::both:
      return either_of(node, scope, false);
    case NodeKind::either:
      return either_of(node, scope, true);
    default:
      return converted(node, scope);
  }
}

}  // namespace muster::wafer::csl
