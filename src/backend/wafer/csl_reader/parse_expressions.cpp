// Expressions, types among them: in CSL a type is a value.
#include <algorithm>
#include <array>
#include <optional>

#include "backend/wafer/csl_reader/builtins.h"
#include "backend/wafer/csl_reader/parser.h"

namespace muster::wafer::csl {

namespace {

struct Infix {
  std::string_view text;
  int level;
  NodeKind kind = NodeKind::binary;
  BinaryOp op = BinaryOp::add;
};

/// Loosest first. Comparisons do not chain.
constexpr int kComparison = 2;
constexpr int kLevels = 7;
constexpr std::array<Infix, 18> kInfix{{{"or", 0, NodeKind::either},
                                        {"and", 1, NodeKind::both},
                                        {"==", kComparison, NodeKind::binary, BinaryOp::equal},
                                        {"!=", kComparison, NodeKind::binary, BinaryOp::not_equal},
                                        {"<", kComparison, NodeKind::binary, BinaryOp::less},
                                        {"<=", kComparison, NodeKind::binary, BinaryOp::less_equal},
                                        {">", kComparison, NodeKind::binary, BinaryOp::greater},
                                        {">=", kComparison, NodeKind::binary, BinaryOp::greater_equal},
                                        {"|", 3, NodeKind::binary, BinaryOp::bit_or},
                                        {"^", 3, NodeKind::binary, BinaryOp::bit_xor},
                                        {"&", 3, NodeKind::binary, BinaryOp::bit_and},
                                        {"<<", 4, NodeKind::binary, BinaryOp::shift_left},
                                        {">>", 4, NodeKind::binary, BinaryOp::shift_right},
                                        {"+", 5, NodeKind::binary, BinaryOp::add},
                                        {"-", 5, NodeKind::binary, BinaryOp::subtract},
                                        {"*", 6, NodeKind::binary, BinaryOp::multiply},
                                        {"/", 6, NodeKind::binary, BinaryOp::divide},
                                        {"%", 6, NodeKind::binary, BinaryOp::remainder}}};

const Infix* infix_of(const Token& token, int level) {
  for (const Infix& infix : kInfix) {
    if (infix.level == level && token.is(infix.text)) return &infix;
  }
  return nullptr;
}

std::optional<NodeKind> prefix_of(const Token& token) {
  if (token.kind != TokenKind::symbol) return std::nullopt;
  if (token.text == "-") return NodeKind::negate;
  if (token.text == "~") return NodeKind::invert;
  if (token.text == "!") return NodeKind::negation;
  if (token.text == "&") return NodeKind::address;
  return std::nullopt;
}

}  // namespace

Node* Parser::parse_binary(int level) {
  if (level == kLevels) return parse_prefix();
  Node* left = parse_binary(level + 1);
  while (const Infix* infix = infix_of(look(), level)) {
    Node* node = make(infix->kind, take().location);
    node->op = infix->op;
    node->parts = {left, parse_binary(level + 1)};
    left = node;
    if (level == kComparison && infix_of(look(), level) != nullptr) {
      fail(look().location, "comparisons do not chain; use parentheses");
    }
  }
  return left;
}

Node* Parser::parse_prefix() {
  const auto kind = prefix_of(look());
  if (!kind) return parse_postfix();
  const Deeper deeper(*this);
  Node* node = make(*kind, take().location);
  node->parts.push_back(parse_prefix());
  return node;
}

void Parser::parse_list(std::string_view close, std::vector<Node*>& parts) {
  while (!look().is(close)) {
    parts.push_back(parse_expression());
    if (!accept(",")) break;
  }
  expect(close, "at the end of the list");
}

Node* Parser::parse_postfix() {
  Node* node = parse_primary();
  while (true) {
    const Token& token = look();
    Node* outer = nullptr;
    if (token.is("(")) {
      outer = make(NodeKind::call, take().location);
      outer->parts.push_back(node);
      parse_list(")", outer->parts);
    } else if (token.is("[")) {
      outer = make(NodeKind::index, take().location);
      outer->parts.push_back(node);
      parse_list("]", outer->parts);
      if (outer->parts.size() < 2) fail(outer->location, "expected an index between '[' and ']'");
    } else if (token.is(".") && look(1).is("*")) {
      outer = make(NodeKind::dereference, take().location);
      take();
      outer->parts.push_back(node);
    } else if (token.is(".") && look(1).kind == TokenKind::name) {
      outer = make(NodeKind::field, take().location);
      outer->name = std::string(take().text);
      outer->parts.push_back(node);
    } else {
      return node;
    }
    node = outer;
  }
}

Node* Parser::parse_primary() {
  const Token& token = look();
  switch (token.kind) {
    case TokenKind::integer:
      return constant(take().location, integer_value(token.integer));
    case TokenKind::real:
      return constant(take().location, real_value(token.real));
    case TokenKind::string:
      return constant(take().location, string_value(token.string));
    case TokenKind::builtin: {
      Node* node = make(NodeKind::builtin, take().location);
      node->name = token.text;
      node->slot = static_cast<std::int32_t>(find_builtin(node->name, node->location));
      imports_ |= static_cast<Builtin>(node->slot) == Builtin::import_module;
      expect("(", fmt::format("after {}", token.text));
      parse_list(")", node->parts);
      return node;
    }
    case TokenKind::name:
      return parse_word();
    case TokenKind::end:
    case TokenKind::symbol:
      break;
  }
  if (token.is("(")) {
    take();
    Node* node = parse_expression();
    expect(")", "after the expression");
    return node;
  }
  if (token.is("[")) return parse_bracket();
  if (token.is("*")) return parse_type();
  if (token.is(".") && look(1).is("{")) return parse_dot_literal();
  if (token.is("|")) return parse_access();
  if (token.is("{") && look(1).is("}")) {
    const Location location = take().location;
    take();
    return constant(location, nothing_value());
  }
  unexpected("an expression");
}

Node* Parser::parse_word() {
  const Token& token = look();
  if (token.is("true") || token.is("false")) return constant(take().location, boolean_value(token.text == "true"));
  if (token.is("if")) return parse_choice();
  if (token.is("switch")) return parse_switch();
  if (token.is("enum")) return parse_enum();
  if (token.is("fn")) return parse_function_type();
  if (token.is("comptime")) {
    take();
    return parse_prefix();
  }
  for (const std::string_view word : {"struct", "union", "packed", "asm", "extern"}) {
    if (token.is(word)) fail(token.location, "'{}' is not supported", word);
  }
  if (is_keyword(token.text)) unexpected("an expression");
  if (look(1).is(":") && look(2).is("{")) {
    std::string label(take().text);
    take();
    Node* block = parse_block();
    block->name = std::move(label);
    return block;
  }
  if (look(1).is("{") && look(2).is(".")) return parse_named_literal();
  return name_node(take());
}

}  // namespace muster::wafer::csl
