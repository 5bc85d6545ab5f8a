// The language itself: what an expression is worth and what a statement does, node by node.
#pragma once

#include <array>
#include <span>

#include "backend/wafer/csl_reader/evaluator.h"

namespace muster::wafer::csl {

/// Where a node is evaluated: a file with its parameters, and the locals of what runs.
struct Scope {
  Evaluator& evaluator;
  Instance& instance;
  std::size_t base = 0;  ///< the first local
  /// Valid until the next call or block begins.
  [[nodiscard]] Value& local(std::int32_t slot) const { return evaluator.local(base + static_cast<std::size_t>(slot)); }
};

// --- expressions (evaluate_expressions.cpp)

Value evaluate(const Node& node, const Scope& scope);
/// The value of a name without a copy; anything else is evaluated into `holder`.
const Value& peek(const Node& node, const Scope& scope, Value& holder);
/// The value, which must be a bool, an integer, a type.
bool truth(const Node& node, const Scope& scope);
std::int64_t integer(const Node& node, const Scope& scope);
TypePtr type_at(const Node& node, const Scope& scope);
/// Whether the compiler knows the value of an expression that has been evaluated (known_values.cpp): literals, const
/// and param, and what is computed from them without a call; before the program runs, everything.
bool is_known(const Node& node, const Scope& scope);
/// `base.name`.
Value field_of(Evaluator& evaluator, const Value& base, const std::string& name, const Location& location);

// --- elements of arrays

struct Indices {
  std::size_t count = 0;
  std::array<std::int64_t, 4> at{};
};
/// Of an index node.
Indices indices(const Node& node, const Scope& scope);
/// The location in an array that indices lead to, row by row.
std::int64_t offset(const Array& array, const Indices& indices, const Location& location);

// --- types, array literals, and what names memory (evaluate_types.cpp)

Value compound_type(const Node& node, const Scope& scope);
Value enum_type(const Node& node, const Scope& scope);
Value array_literal(const Node& node, const Scope& scope);
/// `&name`.
Value address(const Node& node, const Scope& scope);
/// `|i|{extent} -> array[index]`.
Value access(const Node& node, const Scope& scope);

/// The values of arguments, evaluated in their order.
class Arguments {
 public:
  Arguments(std::span<Node* const> nodes, const Scope& scope) : count_(nodes.size()) {
    if (count_ > few_.size()) many_.resize(count_);
    Value* const values = count_ > few_.size() ? many_.data() : few_.data();
    for (std::size_t i = 0; i < count_; ++i) values[i] = evaluate(*nodes[i], scope);
  }
  [[nodiscard]] std::span<const Value> values() const {
    return {count_ > few_.size() ? many_.data() : few_.data(), count_};
  }

 private:
  std::size_t count_ = 0;
  std::array<Value, 4> few_;  ///< as most calls have: no memory of their own
  std::vector<Value> many_;
};

// --- builtins that are about values alone (evaluate_builtins.cpp)

Value builtin(const Node& node, const Scope& scope);

// --- statements (evaluate_statements.cpp)

/// How a statement ended. After `leave` and `again` the evaluator's jump says where to.
enum class Flow : std::uint8_t {
  next,   ///< what follows is next
  leave,  ///< a break is in progress
  again,  ///< a continue is in progress
  done,   ///< a return is in progress
};
Flow execute(const Node& node, const Scope& scope);
/// The value that a break gives a labelled block.
Value block_value(const Node& node, const Scope& scope);
/// A switch; without `wants_value` its value is nothing, and `flow` is how the chosen case ended.
Value select(const Node& node, const Scope& scope, bool wants_value, Flow& flow);
/// What an assignment changes.
Value& locate(const Node& node, const Scope& scope);

}  // namespace muster::wafer::csl
