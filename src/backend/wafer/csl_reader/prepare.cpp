// What a parsed file says that is the same whenever it is evaluated.
#include <algorithm>
#include <unordered_map>

#include "backend/wafer/csl_reader/ast.h"
#include "backend/wafer/csl_reader/builtins.h"
#include "backend/wafer/csl_reader/depth.h"

namespace muster::wafer::csl {

namespace {

bool is_constant(const Node& node, ValueKind kind) { return node.kind == NodeKind::constant && node.constant.is(kind); }

/// The type that `[2]u16` is wherever it stands; undefined if that takes an evaluation, or is a mistake.
Value known_array_type(const Node& node) {
  const Value& element = node.parts.back()->constant;
  if (!element.is(ValueKind::type) || element.object->depth >= kDeepestValue) return {};
  auto type = std::make_shared<Type>();
  type->kind = TypeKind::array;
  for (std::size_t i = 0; i + 1 < node.parts.size(); ++i) {
    const Node& size = *node.parts[i];
    if (!is_constant(size, ValueKind::integer) || size.constant.number < 0) return {};
    type->dimensions.push_back(size.constant.number);
  }
  type->element = std::static_pointer_cast<const Type>(element.object);
  type->depth = element.object->depth + 1;
  return type_value(std::move(type));
}

/// Finds expressions of numbers alone.
class PlainExpressions {
 public:
  void mark_in(File& file) {
    for (Node& node : file.nodes) node.is_plain = height(node) <= kHighest;
    for (Node& node : file.nodes) {
      if (!node.is_plain) continue;
      for (Node* part : node.parts) inner_.push_back(part);
    }
    for (Node* node : inner_) node->is_plain = false;
    for (Node& node : file.nodes) {
      if (node.parts.empty()) node.is_plain = false;  // at hand anyway
    }
  }

 private:
  static constexpr int kHighest = 50;  ///< so that the evaluation needs little of the stack
  static constexpr int kNever = kHighest + 1;

  /// Of the tree below the node, if all of it is plain and that is not too high. Parts of long sums were made before them, and
  /// other trees are as deep as the parser allows.
  int height(const Node& node) {
    if (const auto known = heights_.find(&node); known != heights_.end()) return known->second;
    const int result = may_be_plain(node) ? height_of_parts(node) + 1 : kNever;
    return heights_[&node] = std::min(result, kNever);
  }
  int height_of_parts(const Node& node) {
    int highest = 0;
    for (const Node* part : node.parts) {
      if (!is_constant(*part, ValueKind::type)) highest = std::max(highest, height(*part));
    }
    return highest;
  }
  /// Whether the node is, if its parts are.
  static bool may_be_plain(const Node& node) {
    switch (node.kind) {
      case NodeKind::constant:
        return node.constant.is(ValueKind::integer) || node.constant.is(ValueKind::boolean);
      case NodeKind::local:
      case NodeKind::global:
      case NodeKind::binary:
      case NodeKind::both:
      case NodeKind::either:
        return true;
      case NodeKind::index:
        return node.parts.size() == 2 &&
               (node.parts[0]->kind == NodeKind::local || node.parts[0]->kind == NodeKind::global);
      case NodeKind::builtin:
        return static_cast<Builtin>(node.slot) == Builtin::as && node.parts.size() == 2 &&
               is_constant(*node.parts[0], ValueKind::type);
      default:
        return false;
    }
  }

  std::unordered_map<const Node*, int> heights_;
  std::vector<Node*> inner_;  ///< parts of plain expressions
};

/// Whether a function does nothing but compute with its arguments, locals and constants of the file.
class PureFunction {
 public:
  explicit PureFunction(const File& file) : file_(file) {}

  bool is_pure(const Declaration& function) {
    if (function.kind != DeclarationKind::function || function.body == nullptr) return false;
    nodes_.assign(1, function.body);
    while (!nodes_.empty()) {  // trees may be deep
      const Node* const node = nodes_.back();
      nodes_.pop_back();
      if (node == nullptr) continue;
      if (!may_be_pure(*node)) return false;
      nodes_.insert(nodes_.end(), node->parts.begin(), node->parts.end());
    }
    return true;
  }

 private:
  [[nodiscard]] bool may_be_pure(const Node& node) const {
    switch (node.kind) {
      case NodeKind::global: {
        const DeclarationKind kind = file_.declarations[static_cast<std::size_t>(node.slot)].kind;
        return kind == DeclarationKind::constant || kind == DeclarationKind::parameter;
      }
      case NodeKind::builtin: {
        const auto builtin = static_cast<Builtin>(node.slot);
        return builtin == Builtin::as || builtin == Builtin::range || builtin == Builtin::zeros;
      }
      case NodeKind::constant:
      case NodeKind::local:
      case NodeKind::index:
      case NodeKind::negate:
      case NodeKind::negation:
      case NodeKind::binary:
      case NodeKind::both:
      case NodeKind::either:
      case NodeKind::choice:
      case NodeKind::array_type:
      case NodeKind::block:
      case NodeKind::declare:
      case NodeKind::assign:  // of a local: constants cannot be assigned to
      case NodeKind::branch:
      case NodeKind::loop_while:
      case NodeKind::loop_for:
      case NodeKind::jump_break:
      case NodeKind::jump_continue:
      case NodeKind::jump_return:
        return true;
      default:
        return false;
    }
  }

  const File& file_;
  std::vector<const Node*> nodes_;
};

}  // namespace

void prepare(File& file) {
  for (auto node = file.nodes.rbegin(); node != file.nodes.rend();
       ++node) {  // an element type is made after its array's
    if (node->kind == NodeKind::array_type) node->constant = known_array_type(*node);
  }
  PlainExpressions().mark_in(file);
  for (Declaration& declaration : file.declarations) declaration.is_pure = PureFunction(file).is_pure(declaration);
}

}  // namespace muster::wafer::csl
