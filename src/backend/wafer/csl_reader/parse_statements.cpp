// Blocks and statements.
#include <algorithm>
#include <array>
#include <optional>

#include "backend/wafer/csl_reader/parser.h"

namespace muster::wafer::csl {

namespace {

std::optional<BinaryOp> assignment_op(const Token& token) {
  struct Entry {
    std::string_view text;
    BinaryOp op;
  };
  static constexpr std::array<Entry, 10> kOps{{{"+=", BinaryOp::add},
                                               {"-=", BinaryOp::subtract},
                                               {"*=", BinaryOp::multiply},
                                               {"/=", BinaryOp::divide},
                                               {"%=", BinaryOp::remainder},
                                               {"<<=", BinaryOp::shift_left},
                                               {">>=", BinaryOp::shift_right},
                                               {"&=", BinaryOp::bit_and},
                                               {"|=", BinaryOp::bit_or},
                                               {"^=", BinaryOp::bit_xor}}};
  for (const Entry& entry : kOps) {
    if (token.is(entry.text)) return entry.op;
  }
  return std::nullopt;
}

bool may_be_assigned(const Node& node) {
  switch (node.kind) {
    case NodeKind::local:
    case NodeKind::global:
    case NodeKind::index:
    case NodeKind::field:
    case NodeKind::dereference:
      return true;
    case NodeKind::builtin:
      return node.name == "@field";
    default:
      return false;
  }
}

}  // namespace

Node* Parser::parse_block() {
  const Deeper deeper(*this);
  const Scope scope(*this);
  Node* block = make(NodeKind::block, expect("{", "at the start of a block").location);
  while (!look().is("}")) {
    if (look().kind == TokenKind::end)
      fail(look().location, "expected '}}' for the '{{' of line {}", block->location.line);
    block->parts.push_back(parse_statement());
  }
  take();
  return block;
}

/// The body of an if or a loop: a block, or one statement.
Node* Parser::parse_body(bool else_may_follow) {
  return look().is("{") ? parse_block() : parse_statement(else_may_follow);
}

/// Before an else, a call or an assignment has no semicolon: `if (c) a() else b();`.
Node* Parser::parse_statement(bool else_may_follow) {
  const Deeper deeper(*this);
  if (look().is("{")) return parse_block();
  if (accept("comptime")) return parse_block();
  if (accept("const")) return parse_local(false);
  if (accept("var")) return parse_local(true);
  if (look().is("if")) return parse_branch();
  std::string label;
  if (look().kind == TokenKind::name && !is_keyword(look().text) && look(1).is(":")) {
    label = expect_name("a label");
    take();
    if (look().is("{")) {
      Node* block = parse_block();
      block->name = label;
      return block;
    }
  }
  accept("inline");
  if (look().is("while")) return parse_while(std::move(label));
  if (look().is("for")) return parse_for(std::move(label));
  if (!label.empty()) unexpected("a block or a loop after the label");
  if (look().is("switch")) {
    Node* node = parse_switch();
    accept(";");
    return node;
  }
  if (look().is("return") || look().is("break") || look().is("continue")) return parse_jump();
  Node* node = parse_assignment();
  if (!else_may_follow || !look().is("else")) expect(";", "at the end of the statement");
  return node;
}

Node* Parser::parse_local(bool variable) {
  Node* node = make(NodeKind::declare, look().location);
  node->flag = variable;
  node->name = expect_name("a name");
  node->parts = {nullptr, nullptr};
  if (accept(":")) node->parts[0] = parse_type();
  parse_attributes();
  if (accept("=")) node->parts[1] = parse_expression();
  if (node->parts[1] == nullptr && (!variable || node->parts[0] == nullptr)) unexpected("'=' and a value");
  expect(";", "at the end of the declaration");
  node->slot = declare(node->name, node->location);
  return node;
}

Node* Parser::parse_branch() {
  Node* first = nullptr;
  for (Node* before = nullptr; true;) {
    Node* node = make(NodeKind::branch, take().location);
    expect("(", "after if");
    node->parts.push_back(parse_expression());
    expect(")", "after the condition");
    node->parts.push_back(parse_body(true));
    node->parts.push_back(nullptr);
    (before == nullptr ? first : before->parts[2]) = node;
    if (!accept("else")) return first;
    if (!look().is("if")) {
      node->parts[2] = parse_body();
      return first;
    }
    before = node;
  }
}

Node* Parser::parse_while(std::string label) {
  Node* node = make(NodeKind::loop_while, take().location);
  node->name = std::move(label);
  expect("(", "after while");
  node->parts.push_back(parse_expression());
  expect(")", "after the condition");
  Node* next = nullptr;
  if (accept(":")) {
    expect("(", "after ':'");
    next = parse_assignment();
    expect(")", "after what continues the loop");
  }
  node->parts.push_back(next);
  node->parts.push_back(parse_body());
  return node;
}

Node* Parser::parse_for(std::string label) {
  Node* node = make(NodeKind::loop_for, take().location);
  node->name = std::move(label);
  expect("(", "after for");
  node->parts.push_back(parse_expression());
  expect(")", "after what is walked");
  expect("|", "before the loop's variable");
  const Scope scope(*this);
  const Location first = look().location;
  node->slot = declare(expect_name("the loop's variable"), first);
  if (accept(",")) {
    const Location second = look().location;
    node->second = declare(expect_name("the index variable"), second);
  }
  expect("|", "after the loop's variable");
  node->parts.push_back(parse_body());
  return node;
}

Node* Parser::parse_jump() {
  const Token& word = take();
  Node* node = make(NodeKind::jump_return, word.location);
  if (word.text == "break") node->kind = NodeKind::jump_break;
  if (word.text == "continue") node->kind = NodeKind::jump_continue;
  if (node->kind != NodeKind::jump_return && accept(":")) node->name = expect_name("a label");
  const bool has_value = node->kind != NodeKind::jump_continue && !look().is(";");
  node->parts.push_back(has_value ? parse_expression() : nullptr);
  expect(";", "at the end of the statement");
  return node;
}

/// `_ = value` throws the value away: the assignment has no target.
Node* Parser::parse_assignment() {
  if (look().is("_") && look(1).is("=")) {
    take();
    Node* node = make(NodeKind::assign, take().location);
    node->parts = {nullptr, parse_expression()};
    return node;
  }
  Node* target = parse_expression();
  const auto op = assignment_op(look());
  if (!op && !look().is("=")) return target;
  Node* node = make(NodeKind::assign, take().location);
  if (!may_be_assigned(*target)) fail(target->location, "this cannot be assigned to");
  node->flag = op.has_value();
  if (op) node->op = *op;
  node->parts = {target, parse_expression()};
  return node;
}

}  // namespace muster::wafer::csl
