// Which values the compiler knows ("Comptime", the vendor's documentation): such an integer becomes one of any type that
// holds it.
#include <algorithm>

#include "backend/wafer/csl_reader/evaluate.h"
#include "base/index.h"

namespace muster::wafer::csl {

namespace {

bool is_constant(const Node& name, const Instance& instance) {
  const DeclarationKind kind = instance.file().declarations[at(name.slot)].kind;
  return kind == DeclarationKind::parameter || kind == DeclarationKind::constant;
}

}  // namespace

bool is_known(const Node& node, const Scope& scope) {
  if (!scope.evaluator.is_running()) return true;
  const auto parts_are_known = [&] {
    return std::all_of(node.parts.begin(), node.parts.end(), [&](const Node* part) { return is_known(*part, scope); });
  };
  switch (node.kind) {
    case NodeKind::constant:
      return true;
    case NodeKind::global:
      return is_constant(node, scope.instance);
    case NodeKind::field: {  // of a struct; what a module holds may change
      const Node& base = *node.parts[0];
      return base.kind == NodeKind::global && is_constant(base, scope.instance) &&
             scope.evaluator.global(scope.instance, base.slot, base.location).is(ValueKind::structure);
    }
    case NodeKind::index:
    case NodeKind::negate:
    case NodeKind::invert:
    case NodeKind::binary:
      return parts_are_known();
    case NodeKind::builtin:
      return is_about_values(static_cast<Builtin>(node.slot)) && parts_are_known();
    default:
      return false;
  }
}

}  // namespace muster::wafer::csl
