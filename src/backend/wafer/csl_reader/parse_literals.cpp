// Literals, types, tensor accesses, and the expressions that branch.
#include <algorithm>

#include "backend/wafer/csl_reader/parser.h"

namespace muster::wafer::csl {

/// A literal of a named struct type: the type is not looked at.
Node* Parser::parse_named_literal() {
  fail(look().location, "literals of named struct types are not supported; use .{{ ... }}");
}

Node* Parser::parse_bracket() {
  Node* type = parse_type();
  if (!look().is("{")) return type;
  if (type->kind != NodeKind::array_type) fail(type->location, "only an array type can be followed by elements");
  Node* node = make(NodeKind::array_literal, type->location);
  node->parts.push_back(type);
  take();
  parse_list("}", node->parts);
  return node;
}

Node* Parser::parse_type() {
  const Deeper deeper(*this);
  accept("const");
  if (look().is("*")) {
    Node* node = make(NodeKind::pointer_type, take().location);
    node->parts.push_back(parse_type());
    return node;
  }
  if (look().is("fn")) return parse_function_type();
  if (!look().is("[")) return parse_postfix();
  const Location location = take().location;
  if (accept("*")) {
    expect("]", "after '[*'");
    Node* node = make(NodeKind::many_pointer_type, location);
    node->parts.push_back(parse_type());
    return node;
  }
  Node* node = make(NodeKind::array_type, location);
  parse_list("]", node->parts);
  if (node->parts.empty()) fail(location, "expected the array's size between '[' and ']'");
  node->parts.push_back(parse_type());
  return node;
}

Node* Parser::parse_function_type() {
  const Deeper deeper(*this);
  Node* node = make(NodeKind::function_type, take().location);
  expect("(", "after fn");
  while (!look().is(")")) {
    node->parts.push_back(parse_type());
    if (!accept(",")) break;
  }
  expect(")", "after the parameter types");
  node->parts.push_back(parse_type());
  return node;
}

Node* Parser::parse_dot_literal() {
  const Location location = take().location;
  take();
  if (!(look().is(".") && look(1).kind == TokenKind::name && look(2).is("="))) {
    Node* node = make(NodeKind::tuple, location);
    parse_list("}", node->parts);
    return node;
  }
  Node* node = make(NodeKind::record, location);
  auto names = std::make_shared<std::vector<std::string>>();
  while (!look().is("}")) {
    expect(".", "before a field's name");
    if (look().kind != TokenKind::name) unexpected("a field's name");
    std::string name(take().text);
    if (std::find(names->begin(), names->end(), name) != names->end()) {
      fail(look().location, "the field '{}' is given twice", name);
    }
    names->push_back(std::move(name));
    expect("=", "after the field's name");
    node->parts.push_back(parse_expression());
    if (!accept(",")) break;
  }
  expect("}", "at the end of the struct");
  node->names = std::move(names);
  return node;
}

Node* Parser::parse_access() {
  Node* node = make(NodeKind::access, take().location);
  const Scope scope(*this);
  int variables = 0;
  do {
    const Location location = look().location;
    const std::int32_t slot = declare(expect_name("a variable of the tensor access"), location);
    if (variables++ == 0) node->slot = slot;
  } while (accept(","));
  expect("|", "after the variables of the tensor access");
  expect("{", "before the extents");
  parse_list("}", node->parts);
  if (static_cast<int>(node->parts.size()) != variables) {
    fail(node->location, "{} variables, but {} extents", variables, node->parts.size());
  }
  expect("->", "after the extents");
  Node* element = parse_postfix();
  if (element->kind != NodeKind::index) fail(element->location, "expected an array and its index, as in a[i]");
  node->parts.push_back(element);
  return node;
}

Node* Parser::parse_choice() {
  const Deeper deeper(*this);
  Node* node = make(NodeKind::choice, take().location);
  expect("(", "after if");
  node->parts.push_back(parse_expression());
  expect(")", "after the condition");
  node->parts.push_back(parse_expression());
  node->parts.push_back(accept("else") ? parse_expression() : nullptr);
  return node;
}

Node* Parser::parse_switch() {
  const Deeper deeper(*this);
  Node* node = make(NodeKind::selection, take().location);
  expect("(", "after switch");
  node->parts.push_back(parse_expression());
  expect(")", "after what is switched on");
  expect("{", "before the cases");
  while (!look().is("}")) {
    Node* prong = make(NodeKind::prong, look().location);
    prong->flag = accept("else");
    while (!prong->flag && !look().is("=>")) {
      prong->parts.push_back(parse_expression());
      if (!accept(",")) break;
    }
    expect("=>", "after the case");
    prong->parts.push_back(look().is("{") && !look(1).is("}") ? parse_block() : parse_assignment());
    node->parts.push_back(prong);
    if (!accept(",")) break;
  }
  expect("}", "after the cases");
  return node;
}

Node* Parser::parse_enum() {
  Node* node = make(NodeKind::enum_type, take().location);
  Node* underlying = nullptr;
  if (accept("(")) {
    underlying = parse_type();
    expect(")", "after the enum's type");
  }
  node->parts.push_back(underlying);
  auto names = std::make_shared<std::vector<std::string>>();
  expect("{", "before the enum's members");
  while (!look().is("}")) {
    names->push_back(expect_name("a member's name"));
    node->parts.push_back(accept("=") ? parse_expression() : nullptr);
    if (!accept(",")) break;
  }
  expect("}", "after the enum's members");
  node->names = std::move(names);
  return node;
}

}  // namespace muster::wafer::csl
