#include "backend/wafer/csl_reader/callback.h"

namespace muster::wafer::csl {

namespace {

bool is_parameter(const Node& node, std::int32_t slot) { return node.kind == NodeKind::local && node.slot == slot; }

/// Which of the two parameters the node is, or -1.
int parameter_of(const Node& node) {
  for (const int slot : {0, 1}) {
    if (is_parameter(node, slot)) return slot;
  }
  return -1;
}

/// `if (a < b) a else b` and the like: the smaller or the larger one.
std::optional<Operator> choice_of(const Node& node) {
  if (node.kind != NodeKind::choice || node.parts[2] == nullptr) return std::nullopt;
  const Node& condition = *node.parts[0];
  if (condition.kind != NodeKind::binary || condition.op < BinaryOp::less) return std::nullopt;
  const int left = parameter_of(*condition.parts[0]);
  const int right = parameter_of(*condition.parts[1]);
  const int then = parameter_of(*node.parts[1]);
  const int otherwise = parameter_of(*node.parts[2]);
  if (left < 0 || right < 0 || then < 0 || otherwise < 0 || left == right || then == otherwise) return std::nullopt;
  const bool less = condition.op == BinaryOp::less || condition.op == BinaryOp::less_equal;
  return less == (then == left) ? Operator::min : Operator::max;
}

std::optional<Operator> operator_of(const Node& node) {
  if (node.kind == NodeKind::binary && (node.op == BinaryOp::add || node.op == BinaryOp::multiply)) {
    const int left = parameter_of(*node.parts[0]);
    const int right = parameter_of(*node.parts[1]);
    if (left < 0 || right < 0 || left == right) return std::nullopt;
    return node.op == BinaryOp::add ? Operator::sum : Operator::prod;
  }
  return choice_of(node);
}

}  // namespace

Operator operator_of(const Value& callback, const Location& location) {
  if (!callback.is(ValueKind::function)) fail(location, "@map: expected a function, found {}", describe(callback));
  const Declaration& function = *object_of<FunctionOf>(callback).declaration;
  const bool plain = function.parameters.size() == 2 && function.body != nullptr && function.body->parts.size() == 1 &&
                     function.body->parts[0]->kind == NodeKind::jump_return &&
                     function.body->parts[0]->parts[0] != nullptr;
  const auto op = plain ? operator_of(*function.body->parts[0]->parts[0]) : std::nullopt;
  if (!op)
    fail(function.location, "'{}' is used with @map, but is not a sum, product, minimum or maximum", function.name);
  return *op;
}

}  // namespace muster::wafer::csl
