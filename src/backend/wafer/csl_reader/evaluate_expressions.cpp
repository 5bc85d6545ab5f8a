// Expressions.
#include <array>

#include "backend/wafer/csl_reader/deeper.h"
#include "backend/wafer/csl_reader/depth.h"
#include "backend/wafer/csl_reader/evaluator.h"
#include "base/index.h"

namespace muster::wafer::csl {

Value Evaluator::evaluate(const Node& node, const Frame& frame) {
  step(node.place);
  switch (node.kind) {
    case NodeKind::constant:
      return node.constant;
    case NodeKind::local:
      return stack_[frame.base + at(node.slot)];
    case NodeKind::global:
      return global(*frame.instance, node.slot, node.place);
    default: {
      const DepthGuard deeper(depth_, node.place);
      return evaluate_slow(node, frame);
    }
  }
}

Value Evaluator::evaluate_slow(const Node& node, const Frame& frame) {
  switch (node.kind) {
    case NodeKind::builtin:
      return builtin(node, frame);
    case NodeKind::call:
      return call_node(node, frame);
    case NodeKind::index:
      return index(node, frame);
    case NodeKind::field:
      return field(node, frame);
    case NodeKind::negate:
    case NodeKind::invert:
    case NodeKind::negation:
      return unary(node, frame);
    case NodeKind::address:
      return address(node, frame);
    case NodeKind::dereference:
      return locate(node, frame);
    case NodeKind::binary:
      return binary(node, frame);
    case NodeKind::both:
      return boolean_value(truth(*node.parts[0], frame) && truth(*node.parts[1], frame));
    case NodeKind::either:
      return boolean_value(truth(*node.parts[0], frame) || truth(*node.parts[1], frame));
    case NodeKind::choice:
      if (truth(*node.parts[0], frame)) return evaluate(*node.parts[1], frame);
      return node.parts[2] == nullptr ? nothing_value() : evaluate(*node.parts[2], frame);
    case NodeKind::selection: {
      Flow flow = Flow::next;
      Value value = select(node, frame, true, flow);
      if (flow != Flow::next) fail(node.place, "a jump out of a switch that gives a value is not supported");
      return value;
    }
    case NodeKind::record:
    case NodeKind::tuple:
      return record(node, frame);
    case NodeKind::array_literal:
      return array_literal(node, frame);
    case NodeKind::array_type:
    case NodeKind::pointer_type:
    case NodeKind::many_pointer_type:
    case NodeKind::function_type:
      return array_type_of(node, frame);
    case NodeKind::enum_type:
      return enum_type_of(node, frame);
    case NodeKind::access:
      return access(node, frame);
    case NodeKind::block:
      return block_value(node, frame);
    default:
      fail(node.place, "this is no expression");
  }
}

const Value& Evaluator::peek(const Node& node, const Frame& frame, Value& holder) {
  if (node.kind == NodeKind::local) return stack_[frame.base + at(node.slot)];
  if (node.kind == NodeKind::global) return global(*frame.instance, node.slot, node.place);
  if (node.kind == NodeKind::constant) return node.constant;
  holder = evaluate(node, frame);
  return holder;
}

bool Evaluator::truth(const Node& node, const Frame& frame) {
  const Value value = evaluate(node, frame);
  if (!value.is(ValueKind::boolean)) fail(node.place, "expected a bool, found {}", describe(value));
  return value.truth();
}

std::int64_t Evaluator::integer(const Node& node, const Frame& frame) {
  const Value value = evaluate(node, frame);
  if (!value.is(ValueKind::integer)) fail(node.place, "expected an integer, found {}", describe(value));
  return value.number;
}

Value Evaluator::binary(const Node& node, const Frame& frame) {
  const Value left = evaluate(*node.parts[0], frame);
  const Value right = evaluate(*node.parts[1], frame);
  return combine(node.op, left, right, node.place);
}

Value Evaluator::unary(const Node& node, const Frame& frame) {
  Value value = evaluate(*node.parts[0], frame);
  if (node.kind == NodeKind::negation) {
    if (!value.is(ValueKind::boolean)) fail(node.place, "'!' of {}", describe(value));
    return boolean_value(!value.truth());
  }
  if (node.kind == NodeKind::negate && value.is(ValueKind::real)) return real_value(-value.real(), value.bits);
  if (!value.is(ValueKind::integer)) fail(node.place, "expected a number, found {}", describe(value));
  if (node.kind == NodeKind::negate) {
    return combine(BinaryOp::subtract, integer_value(0, value.bits, value.is_signed), value, node.place);
  }
  if (value.bits == 0) fail(node.place, "'~' needs an integer of known size");
  if (value.is_signed) return integer_value(~value.number, value.bits, true);
  if (value.bits > 62) fail(node.place, "'~' of more than 62 bits is not supported");
  return integer_value(value.number ^ ((std::int64_t{1} << value.bits) - 1), value.bits, false);
}

Evaluator::Indices Evaluator::indices(const Node& node, const Frame& frame) {
  Indices indices;
  indices.count = node.parts.size() - 1;
  if (indices.count > indices.at.size()) fail(node.place, "more than {} indices", indices.at.size());
  for (std::size_t i = 0; i < indices.count; ++i) indices.at[i] = integer(*node.parts[i + 1], frame);
  return indices;
}

/// Row by row.
std::int64_t Evaluator::offset(const Array& array, const Indices& indices, const Place& place) {
  if (indices.count != array.dimensions.size()) {
    fail(place, "{} indices for an array of {} dimensions", indices.count, array.dimensions.size());
  }
  std::int64_t result = 0;
  for (std::size_t i = 0; i < indices.count; ++i) {
    if (indices.at[i] < 0 || indices.at[i] >= array.dimensions[i]) {
      fail(place, "the index {} is outside of {} elements", indices.at[i], array.dimensions[i]);
    }
    result = result * array.dimensions[i] + indices.at[i];
  }
  return result;
}

/// Indices come first: evaluating them may move what a name refers to.
Value Evaluator::index(const Node& node, const Frame& frame) {
  const Indices where = indices(node, frame);
  Value holder;
  const Value* base = &peek(*node.parts[0], frame, holder);
  if (base->is(ValueKind::pointer)) {
    const Variable target = object_of<PointerTo>(*base).variable;
    base = &variable(target, node.place);
  }
  if (base->is(ValueKind::array)) {
    const auto& array = object_of<Array>(*base);
    return array.at(offset(array, where, node.place));
  }
  if (!base->is(ValueKind::structure) || object_of<Record>(*base).names != nullptr || where.count != 1) {
    fail(node.place, "an index into {}", describe(*base));
  }
  const auto& values = object_of<Record>(*base).values;
  if (where.at[0] < 0 || at(where.at[0]) >= values.size()) {
    fail(node.place, "the index {} is outside of {} values", where.at[0], values.size());
  }
  return values[at(where.at[0])];
}

Value Evaluator::field(const Node& node, const Frame& frame) {
  Value holder;
  const Value& base = peek(*node.parts[0], frame, holder);
  return field_of(base, node.name, node.place);
}

Value Evaluator::field_of(const Value& base, const std::string& name, const Place& place) {
  switch (base.kind) {
    case ValueKind::library:
      return library_value(object_of<Text>(base).text + "." + name);
    case ValueKind::structure: {
      const Value* found = object_of<Record>(base).find(name);
      if (found == nullptr) fail(place, "the struct has no field '{}'", name);
      return *found;
    }
    case ValueKind::module: {
      Instance& instance = *object_of<ModuleOf>(base).instance;
      const auto found = instance.file().by_name.find(name);
      if (found == instance.file().by_name.end()) fail(place, "{} has no '{}'", instance.file().name, name);
      return global(instance, found->second, place);
    }
    case ValueKind::type: {
      const auto& type = object_of<Type>(base);
      for (std::size_t m = 0; m < type.members.size(); ++m) {
        if (type.members[m] != name) continue;
        Value value = plain_value(ValueKind::enumerator, type.numbers[m]);
        value.object = base.object;
        return value;
      }
      fail(place, "{} has no member '{}'", to_text(type), name);
    }
    default:
      fail(place, "'.{}' of {}", name, describe(base));
  }
}

Value Evaluator::call_node(const Node& node, const Frame& frame) {
  const Value callee = evaluate(*node.parts[0], frame);
  std::vector<Value> arguments;
  arguments.reserve(node.parts.size() - 1);
  for (std::size_t i = 1; i < node.parts.size(); ++i) arguments.push_back(evaluate(*node.parts[i], frame));
  if (callee.is(ValueKind::library)) return host_.library(*this, node, object_of<Text>(callee).text, arguments);
  if (!callee.is(ValueKind::function)) fail(node.place, "{} cannot be called", describe(callee));
  const auto& function = object_of<FunctionOf>(callee);
  if (function.declaration->kind == DeclarationKind::task) {
    fail(node.place, "the task '{}' cannot be called; activate it", function.declaration->name);
  }
  return call(*function.instance, *function.declaration, arguments, node.place);
}

Value Evaluator::block_value(const Node& node, const Frame& frame) {
  if (node.name.empty()) fail(node.place, "a block without a label gives no value");
  const Flow flow = execute_block(node, frame);
  if (flow == Flow::done) fail(node.place, "a return out of a block that gives a value is not supported");
  if (flow == Flow::leave && jump_ != nullptr) fail(jump_->place, "a jump out of a block that gives a value");
  return flow == Flow::leave ? std::move(result_) : nothing_value();
}

Value Evaluator::select(const Node& node, const Frame& frame, bool wants_value, Flow& flow) {
  const Value subject = evaluate(*node.parts[0], frame);
  for (std::size_t p = 1; p < node.parts.size(); ++p) {
    const Node& prong = *node.parts[p];
    bool chosen = prong.flag;
    for (std::size_t v = 0; !chosen && v + 1 < prong.parts.size(); ++v) {
      chosen = combine(BinaryOp::equal, subject, evaluate(*prong.parts[v], frame), prong.place).truth();
    }
    if (!chosen) continue;
    const Node& body = *prong.parts.back();
    if (wants_value && body.kind != NodeKind::block && body.kind != NodeKind::assign) return evaluate(body, frame);
    flow = execute(body, frame);
    return nothing_value();
  }
  if (wants_value) fail(node.place, "no case of the switch is {}", to_text(subject));
  return nothing_value();
}

Value Evaluator::record(const Node& node, const Frame& frame) {
  auto record = std::make_shared<Record>();
  record->names = node.names;
  record->values.reserve(node.parts.size());
  for (const Node* part : node.parts) {
    record->values.push_back(evaluate(*part, frame));
    hold(*record, record->values.back(), part->place);
  }
  return object_value(ValueKind::structure, std::move(record));
}

TypePtr Evaluator::type_at(const Node& node, const Frame& frame) {
  Value holder;
  const Value& value = peek(node, frame, holder);
  if (!value.is(ValueKind::type)) fail(node.place, "expected a type, found {}", describe(value));
  return std::static_pointer_cast<const Type>(value.object);
}

Value Evaluator::array_type_of(const Node& node, const Frame& frame) {
  auto type = std::make_shared<Type>();
  if (node.kind == NodeKind::function_type) {
    type->kind = TypeKind::function;
    return type_value(std::move(type));
  }
  type->element = type_at(*node.parts.back(), frame);
  if (type->element->depth >= kDeepestValue) fail(node.place, "types nested more than {} deep", kDeepestValue);
  type->depth = type->element->depth + 1;
  if (node.kind == NodeKind::array_type) {
    type->kind = TypeKind::array;
    for (std::size_t i = 0; i + 1 < node.parts.size(); ++i) {
      type->dimensions.push_back(integer(*node.parts[i], frame));
      if (type->dimensions.back() < 0) fail(node.parts[i]->place, "an array of {} elements", type->dimensions.back());
    }
  } else {
    type->kind = node.kind == NodeKind::pointer_type ? TypeKind::pointer : TypeKind::many_pointer;
  }
  return type_value(std::move(type));
}

Value Evaluator::enum_type_of(const Node& node, const Frame& frame) {
  auto type = std::make_shared<Type>();
  type->kind = TypeKind::enumeration;
  type->element = node.parts[0] == nullptr ? integer_type(16, false) : type_at(*node.parts[0], frame);
  type->members = *node.names;
  std::int64_t number = 0;
  for (std::size_t m = 1; m < node.parts.size(); ++m) {
    if (node.parts[m] != nullptr) number = integer(*node.parts[m], frame);
    type->numbers.push_back(number);
    if (__builtin_add_overflow(number, 1, &number)) fail(node.place, "the enum's numbers are too large");
  }
  return type_value(std::move(type));
}

Value Evaluator::array_literal(const Node& node, const Frame& frame) {
  const TypePtr type = type_at(*node.parts[0], frame);
  auto array = std::make_shared<Array>();
  array->element = type->element;
  array->dimensions = type->dimensions;
  std::int64_t count = 1;
  for (const std::int64_t size : type->dimensions) {
    if (__builtin_mul_overflow(count, size, &count)) fail(node.place, "the array is too large");
  }
  const auto given = static_cast<std::int64_t>(node.parts.size()) - 1;
  if (given != count) fail(node.place, "{} elements for {}", given, to_text(*type));
  use_cells(count, node.place);
  array->plain = type->element->kind == TypeKind::integer || type->element->kind == TypeKind::boolean;
  for (std::size_t i = 1; i < node.parts.size(); ++i) {
    Value value = coerce(evaluate(*node.parts[i], frame), *type->element, node.parts[i]->place);
    if (array->plain && value.is(ValueKind::control)) {
      for (const std::int64_t number : array->numbers) {
        array->values.push_back(integer_value(number, type->element->bits, type->element->is_signed));
      }
      array->plain = false;
      array->numbers.clear();
    }
    hold(*array, value, node.parts[i]->place);
    if (array->plain) {
      array->numbers.push_back(value.number);
    } else {
      array->values.push_back(std::move(value));
    }
  }
  return object_value(ValueKind::array, std::move(array));
}

Value Evaluator::address(const Node& node, const Frame& frame) {
  const Node& target = *node.parts[0];
  if (target.kind != NodeKind::global) fail(node.place, "only variables of the file have an address here");
  const DeclarationKind kind = frame.instance->file().declarations[at(target.slot)].kind;
  if (kind == DeclarationKind::function || kind == DeclarationKind::task) return evaluate(target, frame);
  auto pointer = std::make_shared<PointerTo>();
  pointer->variable = {frame.instance, target.slot};
  return object_value(ValueKind::pointer, std::move(pointer));
}

/// The index is evaluated at the first, the second and the last step; three points of a line prove that a walk with
/// one variable and a linear index is one. A product of the variable with itself is refused as it shows at the last.
Value Evaluator::access(const Node& node, const Frame& frame) {
  if (node.parts.size() != 2) fail(node.place, "a tensor access of several dimensions is not supported");
  const Node& element = *node.parts[1];
  const Node& base = *element.parts[0];
  Variable target{frame.instance, base.slot};
  if (base.kind != NodeKind::global) fail(base.place, "expected an array of the file");
  if (const Value& value = global(*frame.instance, base.slot, base.place); value.is(ValueKind::pointer)) {
    target = object_of<PointerTo>(value).variable;
  }
  const Value held = variable(target, base.place);
  if (!held.is(ValueKind::array)) fail(base.place, "expected an array, found {}", describe(held));
  auto result = std::make_shared<Access>();
  Walk& walk = result->walk;
  walk.variable = target;
  walk.extent = integer(*node.parts[0], frame);
  if (walk.extent < 1 || walk.extent > 65535) {
    fail(node.parts[0]->place, "an extent of {}; use 1 to 65535", walk.extent);
  }
  const auto element_at = [&](std::int64_t k) {
    stack_[frame.base + at(node.slot)] = integer_value(k);
    return offset(object_of<Array>(held), indices(element, frame), element.place);
  };
  walk.first = element_at(0);
  walk.stride = walk.extent > 1 ? element_at(1) - walk.first : 1;
  if (walk.extent > 2 && element_at(walk.extent - 1) != walk.first + walk.stride * (walk.extent - 1)) {
    fail(element.place, "the index is not linear in the variable");
  }
  return object_value(ValueKind::access, std::move(result));
}

}  // namespace muster::wafer::csl
