// Statements: declarations, assignments, branches, loops, switches and jumps.
#include "backend/wafer/csl_reader/depth.h"
#include "backend/wafer/csl_reader/evaluate.h"
#include "base/index.h"

namespace muster::wafer::csl {
namespace {

// What has a large frame is not inlined: statements nest, and most of them are blocks and branches.

/// A break with the block's label ends here: the jump is over, and the flow stays `leave` for block_value.
Flow execute_block(const Node& node, const Scope& scope) {
  Jump& jump = scope.evaluator.jump();
  for (const Node* statement : node.parts) {
    scope.evaluator.budget().step(statement->location);
    const Flow flow = execute(*statement, scope);
    if (flow == Flow::next) continue;
    if (flow != Flow::leave || node.name.empty() || jump.node == nullptr || jump.node->name != node.name) return flow;
    jump.node = nullptr;
    return Flow::leave;
  }
  return Flow::next;
}

/// Whether the loop runs on after its body ended so; if not, `flow` is what the loop itself ends with.
bool loop_goes_on(Flow& flow, const Node& loop, const Scope& scope) {
  const Jump& jump = scope.evaluator.jump();
  if (flow == Flow::next || flow == Flow::done) return flow == Flow::next;
  const bool mine = jump.node->name.empty() || jump.node->name == loop.name;
  if (!mine) return false;
  const bool again = flow == Flow::again;
  flow = Flow::next;
  return again;
}

[[gnu::noinline]] Flow execute_while(const Node& node, const Scope& scope) {
  while (truth(*node.parts[0], scope)) {
    scope.evaluator.budget().step(node.location);
    Flow flow = execute(*node.parts[2], scope);
    if (!loop_goes_on(flow, node, scope)) return flow;
    if (node.parts[1] != nullptr) execute(*node.parts[1], scope);
  }
  return Flow::next;
}

[[gnu::noinline]] Flow execute_for(const Node& node, const Scope& scope) {
  const Value walked = evaluate(*node.parts[0], scope);
  const auto body = [&](Value element, std::int64_t number, Flow& flow) {
    scope.evaluator.budget().step(node.location);
    scope.local(node.slot) = std::move(element);
    if (node.second >= 0) scope.local(node.second) = integer_value(number, 32, false);
    flow = execute(*node.parts[1], scope);
    return loop_goes_on(flow, node, scope);
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
  if (!walked.is(ValueKind::array)) fail(node.location, "for walks a range or an array, not {}", describe(walked));
  const auto& array = object_of<Array>(walked);
  if (array.dimensions.size() != 1) fail(node.location, "for walks arrays of one dimension");
  for (std::int64_t i = 0; i < array.size(); ++i) {
    if (!body(array.at(i), i, flow)) return flow;
  }
  return Flow::next;
}

[[gnu::noinline]] void declare(const Node& node, const Scope& scope) {
  Value value;
  if (node.parts[1] != nullptr) value = evaluate(*node.parts[1], scope);
  if (node.parts[0] != nullptr) {
    const TypePtr type = type_at(*node.parts[0], scope);
    if (value.is(ValueKind::undefined)) value = zero_of(type, scope.evaluator.budget(), node.location);
    if (value.is(ValueKind::undefined)) {
      scope.local(node.slot) = std::move(value);
      return;
    }
    const bool known = node.parts[1] != nullptr && is_known(*node.parts[1], scope);
    value =
        known ? coerce_known(std::move(value), *type, node.location) : coerce(std::move(value), *type, node.location);
  }
  scope.local(node.slot) = std::move(value);
}

void store(const Node& target, const Scope& scope, Value value) {
  const auto typed = [&](const Value& old) {
    if (old.is(ValueKind::integer) || old.is(ValueKind::real))
      return coerce_like(std::move(value), old, target.location);
    if (!old.is(ValueKind::undefined) && old.kind != value.kind) {
      fail(target.location, "{} is stored where {} was", describe(value), describe(old));
    }
    return std::move(value);
  };
  if (target.kind == NodeKind::global) {
    const Declaration& d = scope.instance.file().declarations[at(target.slot)];
    if (d.kind != DeclarationKind::variable) fail(target.location, "'{}' is not a variable", d.name);
  }
  if (target.kind != NodeKind::index) {
    Value& location = locate(target, scope);
    location = typed(location);
    return;
  }
  const Indices where = indices(target, scope);
  Value* held = &locate(*target.parts[0], scope);
  if (held->is(ValueKind::pointer)) {
    held = &scope.evaluator.variable(object_of<PointerTo>(*held).variable, target.location);
  }
  if (!held->is(ValueKind::array)) fail(target.location, "an index into {}", describe(*held));
  auto& array = own_object<Array>(*held);
  const std::int64_t i = offset(array, where, target.location);
  value = coerce(std::move(value), *array.element, target.location);
  hold(array, value, target.location);
  if (array.plain && !value.is(ValueKind::control)) {
    array.numbers.set(at(i), value.number);
  } else if (array.plain) {
    fail(target.location, "a control payload can only stand in an array that is made with it");
  } else {
    array.values[at(i)] = std::move(value);
  }
}

[[gnu::noinline]] void assign(const Node& node, const Scope& scope) {
  Value value = evaluate(*node.parts[1], scope);
  if (node.parts[0] == nullptr) return;
  const Node& target = *node.parts[0];
  if (node.flag) value = combine(node.op, evaluate(target, scope), value, node.location);
  store(target, scope, std::move(value));
}

}  // namespace

Flow execute(const Node& node, const Scope& scope) {
  switch (node.kind) {
    case NodeKind::block: {
      const auto deeper = scope.evaluator.budget().deeper(node.location);
      const Flow flow = execute_block(node, scope);
      return flow == Flow::leave && scope.evaluator.jump().node == nullptr ? Flow::next : flow;
    }
    case NodeKind::declare:
      declare(node, scope);
      return Flow::next;
    case NodeKind::assign:
      assign(node, scope);
      return Flow::next;
    case NodeKind::branch: {
      const auto deeper = scope.evaluator.budget().deeper(node.location);
      const Node* branch = &node;
      while (branch != nullptr && branch->kind == NodeKind::branch) {
        scope.evaluator.budget().step(branch->location);
        if (truth(*branch->parts[0], scope)) return execute(*branch->parts[1], scope);
        branch = branch->parts[2];
      }
      return branch == nullptr ? Flow::next : execute(*branch, scope);
    }
    case NodeKind::loop_while: {
      const auto deeper = scope.evaluator.budget().deeper(node.location);
      return execute_while(node, scope);
    }
    case NodeKind::loop_for: {
      const auto deeper = scope.evaluator.budget().deeper(node.location);
      return execute_for(node, scope);
    }
    case NodeKind::selection: {
      const auto deeper = scope.evaluator.budget().deeper(node.location);
      Flow flow = Flow::next;
      select(node, scope, false, flow);
      return flow;
    }
    case NodeKind::jump_break:
    case NodeKind::jump_continue:
      scope.evaluator.jump().value = node.kind == NodeKind::jump_break && node.parts[0] != nullptr
                                         ? evaluate(*node.parts[0], scope)
                                         : nothing_value();
      scope.evaluator.jump().node = &node;
      return node.kind == NodeKind::jump_break ? Flow::leave : Flow::again;
    case NodeKind::jump_return:
      scope.evaluator.jump().value = node.parts[0] == nullptr ? nothing_value() : evaluate(*node.parts[0], scope);
      return Flow::done;
    default:
      evaluate(node, scope);
      return Flow::next;
  }
}

Value block_value(const Node& node, const Scope& scope) {
  if (node.name.empty()) fail(node.location, "a block without a label gives no value");
  const Jump& jump = scope.evaluator.jump();
  const Flow flow = execute_block(node, scope);
  if (flow == Flow::done) fail(node.location, "a return out of a block that gives a value is not supported");
  if (flow == Flow::leave && jump.node != nullptr)
    fail(jump.node->location, "a jump out of a block that gives a value");
  return flow == Flow::leave ? std::move(scope.evaluator.jump().value) : nothing_value();
}

Value select(const Node& node, const Scope& scope, bool wants_value, Flow& flow) {
  const Value subject = evaluate(*node.parts[0], scope);
  for (std::size_t p = 1; p < node.parts.size(); ++p) {
    const Node& prong = *node.parts[p];
    bool chosen = prong.flag;
    for (std::size_t v = 0; !chosen && v + 1 < prong.parts.size(); ++v) {
      chosen = combine(BinaryOp::equal, subject, evaluate(*prong.parts[v], scope), prong.location).truth();
    }
    if (!chosen) continue;
    const Node& body = *prong.parts.back();
    if (wants_value && body.kind != NodeKind::block && body.kind != NodeKind::assign) return evaluate(body, scope);
    flow = execute(body, scope);
    return nothing_value();
  }
  if (wants_value) fail(node.location, "no case of the switch is {}", to_text(subject));
  return nothing_value();
}

Value& locate(const Node& node, const Scope& scope) {
  const auto deeper = scope.evaluator.budget().deeper(node.location);
  switch (node.kind) {
    case NodeKind::local:
      return scope.local(node.slot);
    case NodeKind::global:
      return scope.evaluator.variable({&scope.instance, node.slot}, node.location);
    case NodeKind::dereference: {
      const Value pointer = evaluate(*node.parts[0], scope);
      if (!pointer.is(ValueKind::pointer)) fail(node.location, "'.*' of {}", describe(pointer));
      return scope.evaluator.variable(object_of<PointerTo>(pointer).variable, node.location);
    }
    case NodeKind::field: {
      Value& held = locate(*node.parts[0], scope);
      if (!held.is(ValueKind::structure)) fail(node.location, "'.{}' of {}", node.name, describe(held));
      auto& record = own_object<Record>(held);
      for (std::size_t i = 0; record.names != nullptr && i < record.names->size(); ++i) {
        if ((*record.names)[i] == node.name) return record.values[i];
      }
      fail(node.location, "the struct has no field '{}'", node.name);
    }
    default:
      fail(node.location, "this cannot be assigned to");
  }
}

}  // namespace muster::wafer::csl
