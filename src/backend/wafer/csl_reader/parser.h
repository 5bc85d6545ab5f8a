// The parser: declarations in parser.cpp, statements and expressions in files of their own. One word of lookahead, two
// where a label or a struct literal begins.
#pragma once

#include <algorithm>

#include "backend/wafer/csl_reader/ast.h"
#include "backend/wafer/csl_reader/token.h"

namespace muster::wafer::csl {

class Parser {
 public:
  Parser(File& file, const Limits& limits)
      : file_(file), limits_(limits), tokens_(tokenize(file.text, file.name, limits)) {}
  void parse_file();

 private:
  // Words.
  [[nodiscard]] const Token& look(std::size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  const Token& take() { return at_ + 1 < tokens_.size() ? tokens_[at_++] : tokens_.back(); }
  bool accept(std::string_view word);
  const Token& expect(std::string_view word, std::string_view where);
  std::string expect_name(std::string_view what);
  [[noreturn]] void unexpected(std::string_view expected) const;

  // Nodes and names.
  Node* make(NodeKind kind, const Location& location) {
    Node& node = file_.nodes.emplace_back();
    node.kind = kind;
    node.location = location;
    return &node;
  }
  Node* constant(const Location& location, Value value);
  std::int32_t declare(const std::string& name, const Location& location);
  Node* name_node(const Token& token);
  void resolve_globals();

  // Declarations.
  void parse_top();
  void parse_variable(DeclarationKind kind);
  void parse_function(DeclarationKind kind, bool external);
  void parse_attributes();
  void add(Declaration declaration);

  // Statements.
  Node* parse_block();
  Node* parse_statement(bool else_may_follow = false);
  Node* parse_body(bool else_may_follow = false);
  Node* parse_local(bool variable);
  Node* parse_branch();
  Node* parse_while(std::string label);
  Node* parse_for(std::string label);
  Node* parse_jump();
  Node* parse_assignment();

  // Expressions.
  Node* parse_expression() {
    const Deeper deeper(*this);
    return parse_binary(0);
  }
  Node* parse_binary(int level);
  Node* parse_prefix();
  Node* parse_postfix();
  Node* parse_primary();
  Node* parse_word();
  Node* parse_bracket();
  Node* parse_dot_literal();
  Node* parse_named_literal();
  Node* parse_access();
  Node* parse_choice();
  Node* parse_switch();
  Node* parse_enum();
  Node* parse_function_type();
  Node* parse_type();
  void parse_list(std::string_view close, std::vector<Node*>& parts);

  /// Nesting is bounded, so that no file can exhaust the stack.
  class Deeper {
   public:
    explicit Deeper(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > parser_.limits_.nesting) {
        fail(parser_.look().location, "nested more than {} deep", parser_.limits_.nesting);
      }
    }
    ~Deeper() { --parser_.depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;

   private:
    Parser& parser_;
  };

  /// Local names of one block; a new one hides those outside it.
  class Scope {
   public:
    explicit Scope(Parser& parser) : parser_(parser), first_(parser.locals_.size()) {
      parser.scopes_.push_back(first_);
    }
    ~Scope() {
      parser_.locals_.resize(first_);
      parser_.scopes_.pop_back();
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Parser& parser_;
    std::size_t first_;
  };

  struct Local {
    std::string name;
    std::int32_t slot = 0;
  };

  File& file_;
  const Limits& limits_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::vector<Local> locals_;
  std::vector<std::size_t> scopes_;
  std::int32_t slots_ = 0;
  std::vector<Node*> unresolved_;
  bool imports_ = false;  ///< the declaration that is read does
};

}  // namespace muster::wafer::csl
