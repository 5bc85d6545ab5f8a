// Types, array literals, and what names memory: addresses and tensor accesses.
#include <array>

#include "backend/wafer/csl_reader/depth.h"
#include "backend/wafer/csl_reader/evaluate.h"
#include "backend/wafer/csl_reader/plain.h"
#include "base/index.h"

namespace muster::wafer::csl {

Value compound_type(const Node& node, const Scope& scope) {
  if (node.constant.is(ValueKind::type)) return node.constant;
  auto type = std::make_shared<Type>();
  type->element = type_at(*node.parts.back(), scope);
  if (type->element->depth >= kDeepestValue) fail(node.location, "types nested more than {} deep", kDeepestValue);
  type->depth = type->element->depth + 1;
  if (node.kind == NodeKind::function_type) {
    type->kind = TypeKind::function;
    for (std::size_t i = 0; i + 1 < node.parts.size(); ++i) {
      type->parameters.push_back(type_at(*node.parts[i], scope));
      hold(*type, type_value(type->parameters.back()), node.parts[i]->location);
    }
  } else if (node.kind == NodeKind::array_type) {
    type->kind = TypeKind::array;
    for (std::size_t i = 0; i + 1 < node.parts.size(); ++i) {
      type->dimensions.push_back(integer(*node.parts[i], scope));
      if (type->dimensions.back() < 0)
        fail(node.parts[i]->location, "an array of {} elements", type->dimensions.back());
    }
  } else {
    type->kind = node.kind == NodeKind::pointer_type ? TypeKind::pointer : TypeKind::many_pointer;
  }
  return type_value(std::move(type));
}

Value enum_type(const Node& node, const Scope& scope) {
  auto type = std::make_shared<Type>();
  type->kind = TypeKind::enumeration;
  type->element = node.parts[0] == nullptr ? integer_type(16, false) : type_at(*node.parts[0], scope);
  type->members = *node.names;
  std::int64_t number = 0;
  for (std::size_t m = 1; m < node.parts.size(); ++m) {
    if (node.parts[m] != nullptr) number = integer(*node.parts[m], scope);
    type->numbers.push_back(number);
    if (__builtin_add_overflow(number, 1, &number)) fail(node.location, "the enum's numbers are too large");
  }
  return type_value(std::move(type));
}

namespace {

/// Whether the number is one of the integer type already.
bool is_of(const Number& number, const Type& type) {
  return number.is(ValueKind::integer) && type.kind == TypeKind::integer && number.bits == type.bits &&
         number.is_signed == type.is_signed;
}

}  // namespace

Value array_literal(const Node& node, const Scope& scope) {
  const TypePtr type = type_at(*node.parts[0], scope);
  auto array = std::make_shared<Array>();
  array->set_element(type->element);
  array->dimensions = type->dimensions;
  std::int64_t count = 1;
  for (const std::int64_t size : type->dimensions) {
    if (__builtin_mul_overflow(count, size, &count)) fail(node.location, "the array is too large");
  }
  const auto given = static_cast<std::int64_t>(node.parts.size()) - 1;
  if (given != count) fail(node.location, "{} elements for {}", given, to_text(*type));
  scope.evaluator.budget().use_cells(count, node.location);
  (array->plain ? array->numbers.reserve(at(count)) : array->values.reserve(at(count)));
  for (std::size_t i = 1; i < node.parts.size(); ++i) {
    if (const Number number = number_at_once(*node.parts[i], scope); array->plain && is_of(number, *type->element)) {
      array->numbers.push_back(number.number);
      continue;
    }
    Value value = coerce(evaluate(*node.parts[i], scope), *type->element, node.parts[i]->location);
    if (array->plain && value.is(ValueKind::control)) {
      for (std::int64_t k = 0; k + 1 < static_cast<std::int64_t>(i); ++k) array->values.push_back(array->at(k));
      array->plain = false;
      array->numbers.clear();
    }
    hold(*array, value, node.parts[i]->location);
    if (array->plain) {
      array->numbers.push_back(value.number);
    } else {
      array->values.push_back(std::move(value));
    }
  }
  return object_value(ValueKind::array, std::move(array));
}

Value address(const Node& node, const Scope& scope) {
  const Node& target = *node.parts[0];
  if (target.kind != NodeKind::global) fail(node.location, "only variables of the file have an address here");
  const DeclarationKind kind = scope.instance.file().declarations[at(target.slot)].kind;
  if (kind == DeclarationKind::function || kind == DeclarationKind::task) return evaluate(target, scope);
  auto pointer = std::make_shared<PointerTo>();
  pointer->variable = {&scope.instance, target.slot};
  return object_value(ValueKind::pointer, std::move(pointer));
}

namespace {

/// The array that the base of a tensor access is or points to.
Variable array_at(const Node& base, const Scope& scope) {
  if (base.kind != NodeKind::global && base.kind != NodeKind::local && base.kind != NodeKind::dereference) {
    fail(base.location, "expected an array of the file, or a pointer to one");
  }
  Value holder;
  const Value& value = peek(base.kind == NodeKind::dereference ? *base.parts[0] : base, scope, holder);
  if (value.is(ValueKind::pointer)) return object_of<PointerTo>(value).variable;
  if (base.kind != NodeKind::global) fail(base.location, "expected a pointer, found {}", describe(value));
  return {&scope.instance, base.slot};
}

}  // namespace

/// The index is evaluated at the first, the second and the last step; three points of a line prove that a walk with
/// one variable and a linear index is one. A product of the variable with itself is refused as it shows at the last.
Value access(const Node& node, const Scope& scope) {
  if (node.parts.size() != 2) fail(node.location, "a tensor access of several dimensions is not supported");
  const Node& element = *node.parts[1];
  const Node& base = *element.parts[0];
  const Variable target = array_at(base, scope);
  const Value held = scope.evaluator.variable(target, base.location);
  if (!held.is(ValueKind::array)) fail(base.location, "expected an array, found {}", describe(held));
  auto result = std::make_shared<Access>();
  Walk& walk = result->walk;
  walk.variable = target;
  walk.extent = integer(*node.parts[0], scope);
  if (walk.extent < 1 || walk.extent > 65535) {
    fail(node.parts[0]->location, "an extent of {}; use 1 to 65535", walk.extent);
  }
  const auto element_at = [&](std::int64_t k) {
    scope.local(node.slot) = integer_value(k);
    return offset(object_of<Array>(held), indices(element, scope), element.location);
  };
  walk.first = element_at(0);
  walk.stride = walk.extent > 1 ? element_at(1) - walk.first : 1;
  if (walk.extent > 2 && element_at(walk.extent - 1) != walk.first + walk.stride * (walk.extent - 1)) {
    fail(element.location, "the index is not linear in the variable");
  }
  return object_value(ValueKind::access, std::move(result));
}

}  // namespace muster::wafer::csl
