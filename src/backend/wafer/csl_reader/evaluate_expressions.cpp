// Expressions.
#include "backend/wafer/csl_reader/depth.h"
#include "backend/wafer/csl_reader/evaluate.h"
#include "backend/wafer/csl_reader/plain.h"
#include "base/index.h"

namespace muster::wafer::csl {

namespace {

/// Whether the node can be evaluated without anything else: then references to locals stay valid.
bool is_at_hand(const Node& node) { return node.kind == NodeKind::constant || node.kind == NodeKind::local; }

Value binary(const Node& node, const Scope& scope) {
  Value left_holder, right_holder;
  const Node &left = *node.parts[0], &right = *node.parts[1];
  if (is_at_hand(right)) {
    return combine(node.op, peek(left, scope, left_holder), peek(right, scope, right_holder), node.location);
  }
  left_holder = evaluate(left, scope);
  return combine(node.op, left_holder, peek(right, scope, right_holder), node.location);
}

Value unary(const Node& node, const Scope& scope) {
  Value value = evaluate(*node.parts[0], scope);
  if (node.kind == NodeKind::negation) {
    if (!value.is(ValueKind::boolean)) fail(node.location, "'!' of {}", describe(value));
    return boolean_value(!value.truth());
  }
  if (node.kind == NodeKind::negate && value.is(ValueKind::real)) return real_value(-value.real(), value.bits);
  if (!value.is(ValueKind::integer)) fail(node.location, "expected a number, found {}", describe(value));
  if (node.kind == NodeKind::negate) {
    return combine(BinaryOp::subtract, integer_value(0, value.bits, value.is_signed), value, node.location);
  }
  if (value.bits == 0) fail(node.location, "'~' needs an integer of known size");
  if (value.is_signed) return integer_value(~value.number, value.bits, true);
  if (value.bits > 62) fail(node.location, "'~' of more than 62 bits is not supported");
  return integer_value(value.number ^ ((std::int64_t{1} << value.bits) - 1), value.bits, false);
}

void check_known(Evaluator& evaluator, const Variable& variable, const Location& location) {
  if (!evaluator.is_running() || !evaluator.host().is_data(variable)) return;
  fail(location, "control flow that depends on data is not supported");
}

/// Indices come first: evaluating them may move what a name refers to.
Value index(const Node& node, const Scope& scope) {
  const Indices where = indices(node, scope);
  Value holder;
  const Node& source = *node.parts[0];
  const bool follows = source.kind == NodeKind::dereference;  // pointer.*[i] is pointer[i]
  const Value* base = &peek(follows ? *source.parts[0] : source, scope, holder);
  if (follows && !base->is(ValueKind::pointer)) fail(source.location, "'.*' of {}", describe(*base));
  if (base->is(ValueKind::pointer)) {
    const Variable target = object_of<PointerTo>(*base).variable;
    check_known(scope.evaluator, target, node.location);
    base = &scope.evaluator.variable(target, node.location);
  } else if (source.kind == NodeKind::global) {
    check_known(scope.evaluator, {&scope.instance, source.slot}, node.location);
  }
  if (base->is(ValueKind::array)) {
    const auto& array = object_of<Array>(*base);
    return array.at(offset(array, where, node.location));
  }
  if (!base->is(ValueKind::structure) || object_of<Record>(*base).names != nullptr || where.count != 1) {
    fail(node.location, "an index into {}", describe(*base));
  }
  const auto& values = object_of<Record>(*base).values;
  if (where.at[0] < 0 || at(where.at[0]) >= values.size()) {
    fail(node.location, "the index {} is outside of {} values", where.at[0], values.size());
  }
  return values[at(where.at[0])];
}

Value field(const Node& node, const Scope& scope) {
  Value holder;
  const Value& base = peek(*node.parts[0], scope, holder);
  return field_of(scope.evaluator, base, node.name, node.location);
}

Value call_node(const Node& node, const Scope& scope) {
  const Value callee = evaluate(*node.parts[0], scope);
  const Arguments all(std::span(node.parts).subspan(1), scope);
  const std::span<const Value> arguments = all.values();
  if (callee.is(ValueKind::library)) {
    return scope.evaluator.host().library(scope.evaluator, node, object_of<Text>(callee).text, arguments);
  }
  if (!callee.is(ValueKind::function)) fail(node.location, "{} cannot be called", describe(callee));
  const auto& function = object_of<FunctionOf>(callee);
  if (function.declaration->kind == DeclarationKind::task) {
    fail(node.location, "the task '{}' cannot be called; activate it", function.declaration->name);
  }
  return scope.evaluator.call(*function.instance, *function.declaration, arguments, node.location);
}

Value record(const Node& node, const Scope& scope) {
  auto record = std::make_shared<Record>();
  record->names = node.names;
  record->values.reserve(node.parts.size());
  for (const Node* part : node.parts) {
    record->values.push_back(evaluate(*part, scope));
    hold(*record, record->values.back(), part->location);
  }
  return object_value(ValueKind::structure, std::move(record));
}

/// Not inlined: its frame is large, and most of what is evaluated is not compound.
[[gnu::noinline]] Value evaluate_compound(const Node& node, const Scope& scope) {
  switch (node.kind) {
    case NodeKind::builtin:
      return builtin(node, scope);
    case NodeKind::call:
      return call_node(node, scope);
    case NodeKind::index:
      return index(node, scope);
    case NodeKind::field:
      return field(node, scope);
    case NodeKind::negate:
    case NodeKind::invert:
    case NodeKind::negation:
      return unary(node, scope);
    case NodeKind::address:
      return address(node, scope);
    case NodeKind::dereference:
      return locate(node, scope);
    case NodeKind::binary:
      return binary(node, scope);
    case NodeKind::both:
      return boolean_value(truth(*node.parts[0], scope) && truth(*node.parts[1], scope));
    case NodeKind::either:
      return boolean_value(truth(*node.parts[0], scope) || truth(*node.parts[1], scope));
    case NodeKind::choice:
      if (truth(*node.parts[0], scope)) return evaluate(*node.parts[1], scope);
      return node.parts[2] == nullptr ? nothing_value() : evaluate(*node.parts[2], scope);
    case NodeKind::selection: {
      Flow flow = Flow::next;
      Value value = select(node, scope, true, flow);
      if (flow != Flow::next) fail(node.location, "a jump out of a switch that gives a value is not supported");
      return value;
    }
    case NodeKind::record:
    case NodeKind::tuple:
      return record(node, scope);
    case NodeKind::array_literal:
      return array_literal(node, scope);
    case NodeKind::array_type:
    case NodeKind::pointer_type:
    case NodeKind::many_pointer_type:
    case NodeKind::function_type:
      return compound_type(node, scope);
    case NodeKind::enum_type:
      return enum_type(node, scope);
    case NodeKind::access:
      return access(node, scope);
    case NodeKind::block:
      return block_value(node, scope);
    default:
      fail(node.location, "this is not an expression");
  }
}

}  // namespace

Value evaluate(const Node& node, const Scope& scope) {
  scope.evaluator.budget().step(node.location);
  switch (node.kind) {
    case NodeKind::constant:
      return node.constant;
    case NodeKind::local:
      return scope.local(node.slot);
    case NodeKind::global:
      return scope.evaluator.global(scope.instance, node.slot, node.location);
    default: {
      if (const Number number = number_at_once(node, scope); !number.is(ValueKind::undefined)) return Value(number);
      const auto deeper = scope.evaluator.budget().deeper(node.location);
      return evaluate_compound(node, scope);
    }
  }
}

const Value& peek(const Node& node, const Scope& scope, Value& holder) {
  if (node.kind == NodeKind::local) return scope.local(node.slot);
  if (node.kind == NodeKind::global) return scope.evaluator.global(scope.instance, node.slot, node.location);
  if (node.kind == NodeKind::constant) return node.constant;
  holder = evaluate(node, scope);
  return holder;
}

bool truth(const Node& node, const Scope& scope) {
  if (const Number number = number_at_once(node, scope); number.is(ValueKind::boolean)) {
    scope.evaluator.budget().step(node.location);
    return number.truth();
  }
  const Value value = evaluate(node, scope);
  if (!value.is(ValueKind::boolean)) fail(node.location, "expected a bool, found {}", describe(value));
  return value.truth();
}

std::int64_t integer(const Node& node, const Scope& scope) {
  if (const Number number = number_at_once(node, scope); number.is(ValueKind::integer)) return number.number;
  Value holder;
  const Value& value = peek(node, scope, holder);
  if (!value.is(ValueKind::integer)) fail(node.location, "expected an integer, found {}", describe(value));
  return value.number;
}

TypePtr type_at(const Node& node, const Scope& scope) {
  Value holder;
  const Value& value = peek(node, scope, holder);
  if (!value.is(ValueKind::type)) fail(node.location, "expected a type, found {}", describe(value));
  return std::static_pointer_cast<const Type>(value.object);
}

Indices indices(const Node& node, const Scope& scope) {
  Indices indices;
  indices.count = node.parts.size() - 1;
  if (indices.count > indices.at.size()) fail(node.location, "more than {} indices", indices.at.size());
  for (std::size_t i = 0; i < indices.count; ++i) indices.at[i] = integer(*node.parts[i + 1], scope);
  return indices;
}

/// Row by row.
std::int64_t offset(const Array& array, const Indices& indices, const Location& location) {
  if (indices.count != array.dimensions.size()) {
    fail(location, "{} indices for an array of {} dimensions", indices.count, array.dimensions.size());
  }
  std::int64_t result = 0;
  for (std::size_t i = 0; i < indices.count; ++i) {
    if (indices.at[i] < 0 || indices.at[i] >= array.dimensions[i]) {
      fail(location, "the index {} is outside of {} elements", indices.at[i], array.dimensions[i]);
    }
    result = result * array.dimensions[i] + indices.at[i];
  }
  return result;
}

Value field_of(Evaluator& evaluator, const Value& base, const std::string& name, const Location& location) {
  switch (base.kind) {
    case ValueKind::library:
      return library_value(object_of<Text>(base).text + "." + name);
    case ValueKind::structure: {
      const Value* found = object_of<Record>(base).find(name);
      if (found == nullptr) fail(location, "the struct has no field '{}'", name);
      return *found;
    }
    case ValueKind::module: {
      Instance& instance = *object_of<ModuleOf>(base).instance;
      const auto found = instance.file().by_name.find(name);
      if (found == instance.file().by_name.end()) fail(location, "{} has no '{}'", instance.file().name, name);
      return evaluator.global(instance, found->second, location);
    }
    case ValueKind::type: {
      const auto& type = object_of<Type>(base);
      for (std::size_t m = 0; m < type.members.size(); ++m) {
        if (type.members[m] != name) continue;
        Value value = plain_value(ValueKind::enumerator, type.numbers[m]);
        value.object = base.object;
        return value;
      }
      fail(location, "{} has no member '{}'", to_text(type), name);
    }
    default:
      fail(location, "'.{}' of {}", name, describe(base));
  }
}

}  // namespace muster::wafer::csl
