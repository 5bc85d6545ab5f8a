// Statements: declarations, assignments, branches, loops and jumps.
#include "backend/wafer/csl_reader/deeper.h"
#include "backend/wafer/csl_reader/depth.h"
#include "backend/wafer/csl_reader/evaluator.h"
#include "base/index.h"

namespace muster::wafer::csl {

Evaluator::Flow Evaluator::execute(const Node& node, const Frame& frame) {
  switch (node.kind) {
    case NodeKind::block: {
      const DepthGuard deeper(depth_, node.place);
      const Flow flow = execute_block(node, frame);
      return flow == Flow::leave && jump_ == nullptr ? Flow::next : flow;
    }
    case NodeKind::declare:
      declare(node, frame);
      return Flow::next;
    case NodeKind::assign:
      assign(node, frame);
      return Flow::next;
    case NodeKind::branch: {
      const DepthGuard deeper(depth_, node.place);
      const Node* branch = &node;
      while (branch != nullptr && branch->kind == NodeKind::branch) {
        step(branch->place);
        if (truth(*branch->parts[0], frame)) return execute(*branch->parts[1], frame);
        branch = branch->parts[2];
      }
      return branch == nullptr ? Flow::next : execute(*branch, frame);
    }
    case NodeKind::loop_while: {
      const DepthGuard deeper(depth_, node.place);
      return execute_while(node, frame);
    }
    case NodeKind::loop_for: {
      const DepthGuard deeper(depth_, node.place);
      return execute_for(node, frame);
    }
    case NodeKind::selection: {
      const DepthGuard deeper(depth_, node.place);
      Flow flow = Flow::next;
      select(node, frame, false, flow);
      return flow;
    }
    case NodeKind::jump_break:
    case NodeKind::jump_continue:
      result_ = node.kind == NodeKind::jump_break && node.parts[0] != nullptr ? evaluate(*node.parts[0], frame)
                                                                              : nothing_value();
      jump_ = &node;
      return node.kind == NodeKind::jump_break ? Flow::leave : Flow::again;
    case NodeKind::jump_return:
      result_ = node.parts[0] == nullptr ? nothing_value() : evaluate(*node.parts[0], frame);
      return Flow::done;
    default:
      evaluate(node, frame);
      return Flow::next;
  }
}

/// A break with the block's label ends here: jump_ is cleared, and the flow stays `leave` for block_value.
Evaluator::Flow Evaluator::execute_block(const Node& node, const Frame& frame) {
  for (const Node* statement : node.parts) {
    step(statement->place);
    const Flow flow = execute(*statement, frame);
    if (flow == Flow::next) continue;
    if (flow != Flow::leave || node.name.empty() || jump_ == nullptr || jump_->name != node.name) return flow;
    jump_ = nullptr;
    return Flow::leave;
  }
  return Flow::next;
}

/// Whether the loop runs on after its body ended so; if not, `flow` is what the loop itself ends with.
bool Evaluator::loop_goes_on(Flow& flow, const Node& loop) {
  if (flow == Flow::next || flow == Flow::done) return flow == Flow::next;
  const bool mine = jump_->name.empty() || jump_->name == loop.name;
  if (!mine) return false;
  const bool again = flow == Flow::again;
  flow = Flow::next;
  return again;
}

Evaluator::Flow Evaluator::execute_while(const Node& node, const Frame& frame) {
  while (truth(*node.parts[0], frame)) {
    step(node.place);
    Flow flow = execute(*node.parts[2], frame);
    if (!loop_goes_on(flow, node)) return flow;
    if (node.parts[1] != nullptr) execute(*node.parts[1], frame);
  }
  return Flow::next;
}

Evaluator::Flow Evaluator::execute_for(const Node& node, const Frame& frame) {
  const Value walked = evaluate(*node.parts[0], frame);
  const auto body = [&](Value element, std::int64_t number, Flow& flow) {
    step(node.place);
    stack_[frame.base + at(node.slot)] = std::move(element);
    if (node.second >= 0) stack_[frame.base + at(node.second)] = integer_value(number, 32, false);
    flow = execute(*node.parts[1], frame);
    return loop_goes_on(flow, node);
  };
  Flow flow = Flow::next;
  if (walked.is(ValueKind::range)) {
    const auto& range = object_of<RangeOf>(walked);
    std::int64_t number = 0;
    for (std::int64_t i = range.start; range.step > 0 ? i < range.stop : i > range.stop; i += range.step) {
      if (!body(integer_value(i, range.type->bits, range.type->is_signed), number++, flow)) return flow;
    }
    return Flow::next;
  }
  if (!walked.is(ValueKind::array)) fail(node.place, "for walks a range or an array, not {}", describe(walked));
  const auto& array = object_of<Array>(walked);
  if (array.dimensions.size() != 1) fail(node.place, "for walks arrays of one dimension");
  for (std::int64_t i = 0; i < array.size(); ++i) {
    if (!body(array.at(i), i, flow)) return flow;
  }
  return Flow::next;
}

void Evaluator::declare(const Node& node, const Frame& frame) {
  Value value;
  if (node.parts[1] != nullptr) value = evaluate(*node.parts[1], frame);
  if (node.parts[0] != nullptr) {
    const TypePtr type = type_at(*node.parts[0], frame);
    if (value.is(ValueKind::undefined)) value = zero_of(type, node.place);
    value = coerce(std::move(value), *type, node.place);
  }
  stack_[frame.base + at(node.slot)] = std::move(value);
}

void Evaluator::assign(const Node& node, const Frame& frame) {
  const Node& target = *node.parts[0];
  Value value = evaluate(*node.parts[1], frame);
  if (target.kind == NodeKind::global && target.name == "_") return;
  if (node.flag) value = combine(node.op, evaluate(target, frame), value, node.place);
  store(target, frame, std::move(value));
}

void Evaluator::store(const Node& target, const Frame& frame, Value value) {
  const auto typed = [&](const Value& old) {
    if (old.is(ValueKind::integer) || old.is(ValueKind::real))
      return coerce(std::move(value), *type_of(old), target.place);
    if (!old.is(ValueKind::undefined) && old.kind != value.kind) {
      fail(target.place, "{} is stored where {} was", describe(value), describe(old));
    }
    return std::move(value);
  };
  if (target.kind == NodeKind::global) {
    const Declaration& d = frame.instance->file().declarations[at(target.slot)];
    if (d.kind != DeclarationKind::variable) fail(target.place, "'{}' is no variable", d.name);
  }
  if (target.kind != NodeKind::index) {
    Value& place = locate(target, frame);
    place = typed(place);
    return;
  }
  const Indices where = indices(target, frame);
  Value& held = locate(*target.parts[0], frame);
  if (!held.is(ValueKind::array)) fail(target.place, "an index into {}", describe(held));
  auto& array = own_object<Array>(held);
  const std::int64_t i = offset(array, where, target.place);
  value = coerce(std::move(value), *array.element, target.place);
  hold(array, value, target.place);
  if (array.plain && !value.is(ValueKind::control)) {
    array.numbers[at(i)] = value.number;
  } else if (array.plain) {
    fail(target.place, "a control payload can only stand in an array that is made with it");
  } else {
    array.values[at(i)] = std::move(value);
  }
}

Value& Evaluator::locate(const Node& node, const Frame& frame) {
  const DepthGuard deeper(depth_, node.place);
  switch (node.kind) {
    case NodeKind::local:
      return stack_[frame.base + at(node.slot)];
    case NodeKind::global:
      return variable({frame.instance, node.slot}, node.place);
    case NodeKind::dereference: {
      const Value pointer = evaluate(*node.parts[0], frame);
      if (!pointer.is(ValueKind::pointer)) fail(node.place, "'.*' of {}", describe(pointer));
      return variable(object_of<PointerTo>(pointer).variable, node.place);
    }
    case NodeKind::field: {
      Value& held = locate(*node.parts[0], frame);
      if (!held.is(ValueKind::structure)) fail(node.place, "'.{}' of {}", node.name, describe(held));
      auto& record = own_object<Record>(held);
      for (std::size_t i = 0; record.names != nullptr && i < record.names->size(); ++i) {
        if ((*record.names)[i] == node.name) return record.values[i];
      }
      fail(node.place, "the struct has no field '{}'", node.name);
    }
    default:
      fail(node.place, "this cannot be assigned to");
  }
}

}  // namespace muster::wafer::csl
