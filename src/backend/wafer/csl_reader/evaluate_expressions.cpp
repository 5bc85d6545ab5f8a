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

void Evaluator::check_known(const Variable& variable, const Place& place) const {
  if (!running_ || !host_.is_data(variable)) return;
  fail(place, "the program's course depends on its data; that is not supported");
}

/// Indices come first: evaluating them may move what a name refers to.
Value Evaluator::index(const Node& node, const Frame& frame) {
  const Indices where = indices(node, frame);
  Value holder;
  const Value* base = &peek(*node.parts[0], frame, holder);
  if (base->is(ValueKind::pointer)) {
    const Variable target = object_of<PointerTo>(*base).variable;
    check_known(target, node.place);
    base = &variable(target, node.place);
  } else if (node.parts[0]->kind == NodeKind::global) {
    check_known({frame.instance, node.parts[0]->slot}, node.place);
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

}  // namespace muster::wafer::csl
