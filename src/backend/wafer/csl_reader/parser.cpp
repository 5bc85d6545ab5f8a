// Declarations, and the names that they give.
#include "backend/wafer/csl_reader/parser.h"

#include <algorithm>
#include <array>

#include "base/index.h"

namespace muster::wafer::csl {

namespace {

/// As wafer::Direction counts.
constexpr std::array<std::string_view, 5> kDirectionNames{"NORTH", "EAST", "SOUTH", "WEST", "RAMP"};

std::optional<Value> known_constant(const std::string& name) {
  const auto* direction = std::find(kDirectionNames.begin(), kDirectionNames.end(), name);
  if (direction != kDirectionNames.end()) {
    return plain_value(ValueKind::direction, direction - kDirectionNames.begin());
  }
  if (name == "undefined") return Value{};
  if (const TypePtr type = named_type(name)) return type_value(type);
  return std::nullopt;
}

}  // namespace

bool Parser::accept(std::string_view word) {
  if (!look().is(word)) return false;
  take();
  return true;
}

const Token& Parser::expect(std::string_view word, std::string_view where) {
  if (!look().is(word)) {
    fail(look().location, "expected '{}' {}, found {}", word, where, csl::describe(look()));
  }
  return take();
}

void Parser::unexpected(std::string_view expected) const {
  fail(look().location, "expected {}, found {}", expected, csl::describe(look()));
}

std::string Parser::expect_name(std::string_view what) {
  if (look().kind != TokenKind::name) unexpected(what);
  if (is_keyword(look().text)) fail(look().location, "'{}' is a keyword; expected {}", look().text, what);
  return std::string(take().text);
}

Node* Parser::constant(const Location& location, Value value) {
  Node* node = make(NodeKind::constant, location);
  node->constant = std::move(value);
  return node;
}

std::int32_t Parser::declare(const std::string& name, const Location& location) {
  for (std::size_t l = scopes_.empty() ? 0 : scopes_.back(); l < locals_.size(); ++l) {
    if (locals_[l].name == name) fail(location, "'{}' is declared twice", name);
  }
  locals_.push_back({name, slots_});
  return slots_++;
}

Node* Parser::name_node(const Token& token) {
  for (auto local = locals_.rbegin(); local != locals_.rend(); ++local) {
    if (local->name != token.text) continue;
    Node* node = make(NodeKind::local, token.location);
    node->slot = local->slot;
    node->name = token.text;
    return node;
  }
  Node* node = make(NodeKind::global, token.location);
  node->name = token.text;
  unresolved_.push_back(node);
  return node;
}

void Parser::resolve_globals() {
  for (Node* node : unresolved_) {
    const auto found = file_.by_name.find(node->name);
    if (found != file_.by_name.end()) {
      node->slot = found->second;
      continue;
    }
    const auto value = known_constant(node->name);
    if (!value) {
      std::vector<std::string> known;
      for (const auto& [name, index] : file_.by_name) known.push_back(name);
      if (known.empty()) fail(node->location, "unknown name '{}'", node->name);
      fail(node->location, "unknown name '{}'; {}", node->name, suggest(node->name, known));
    }
    node->kind = NodeKind::constant;
    node->constant = *value;
  }
}

void Parser::parse_file() {
  while (look().kind != TokenKind::end) parse_top();
  resolve_globals();
}

void Parser::parse_top() {
  slots_ = 0;
  if (look().is("comptime") || look().is("layout")) {
    const bool layout = take().text == "layout";
    TopBlock block;
    block.body = parse_block();
    block.slots = slots_;
    (layout ? file_.layouts : file_.comptime_blocks).push_back(block);
    return;
  }
  bool external = false;
  while (look().is("export") || look().is("extern") || look().is("inline") || look().is("noinline")) {
    external |= take().text == "extern";
  }
  if (accept("param")) return parse_variable(DeclarationKind::parameter);
  if (accept("const")) return parse_variable(DeclarationKind::constant);
  if (accept("var")) return parse_variable(DeclarationKind::variable);
  if (accept("fn")) return parse_function(DeclarationKind::function, external);
  if (accept("task")) return parse_function(DeclarationKind::task, external);
  unexpected("param, const, var, fn, task, comptime or layout");
}

void Parser::add(Declaration declaration) {
  const auto index = static_cast<std::int32_t>(file_.declarations.size());
  if (!file_.by_name.emplace(declaration.name, index).second) {
    fail(declaration.location, "'{}' is declared twice", declaration.name);
  }
  file_.declarations.push_back(std::move(declaration));
}

void Parser::parse_attributes() {
  while (look().is("align") || look().is("linksection") || look().is("linkname")) {
    take();
    expect("(", "after the attribute");
    parse_expression();
    expect(")", "after the attribute's value");
  }
}

void Parser::parse_variable(DeclarationKind kind) {
  Declaration declaration;
  declaration.kind = kind;
  declaration.location = look().location;
  declaration.name = expect_name("a name");
  if (accept(":")) declaration.type = parse_type();
  parse_attributes();
  imports_ = false;
  if (accept("=")) declaration.value = parse_expression();
  declaration.imports = imports_;
  if (kind == DeclarationKind::constant && declaration.value == nullptr) unexpected("'=' and a value of the constant");
  if (kind == DeclarationKind::variable && declaration.value == nullptr && declaration.type == nullptr) {
    unexpected("':' and a type, or '=' and a value");
  }
  expect(";", "at the end of the declaration");
  declaration.slots = slots_;
  add(std::move(declaration));
}

void Parser::parse_function(DeclarationKind kind, bool external) {
  Declaration declaration;
  declaration.kind = kind;
  declaration.location = look().location;
  declaration.name = expect_name("the function's name");
  const Scope scope(*this);
  expect("(", "before the parameters");
  while (!look().is(")")) {
    accept("comptime");
    const Location location = look().location;
    Parameter parameter;
    parameter.name = expect_name("a parameter's name");
    expect(":", "after the parameter's name");
    parameter.type = parse_type();
    declare(parameter.name, location);
    declaration.parameters.push_back(std::move(parameter));
    if (!accept(",")) break;
  }
  expect(")", "after the parameters");
  declaration.type = parse_type();
  parse_attributes();
  if (external) {
    expect(";", "after the declaration of an extern function");
  } else {
    declaration.body = parse_block();
  }
  declaration.slots = slots_;
  add(std::move(declaration));
}

std::unique_ptr<File> parse(std::string name, std::string text, const Limits& limits) {
  auto file = std::make_unique<File>();
  file->name = std::move(name);
  file->text = std::move(text);
  Parser(*file, limits).parse_file();
  prepare(*file);
  return file;
}

}  // namespace muster::wafer::csl
