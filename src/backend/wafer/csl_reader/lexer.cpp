// One pass over the bytes. Anything outside strings and comments must be ASCII.
#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "backend/wafer/csl_reader/token.h"
#include "base/one_line.h"

namespace muster::wafer::csl {

namespace {

/// Longest first, so that '<=' is not read as '<'.
constexpr std::array<std::string_view, 46> kSymbols{"<<=", ">>=", "...", "->", "=>", "==", "!=", "<=", ">=", "<<",
                                                    ">>",  "+=",  "-=",  "*=", "/=", "%=", "&=", "|=", "^=", "**",
                                                    "++",  "{",   "}",   "(",  ")",  "[",  "]",  ",",  ";",  ":",
                                                    ".",   "=",   "+",   "-",  "*",  "/",  "%",  "<",  ">",  "!",
                                                    "~",   "&",   "|",   "^",  "?",  "@"};

constexpr std::array<std::string_view, 33> kKeywords{
    "const",    "var",    "param",    "fn",          "task",   "comptime", "layout", "if",     "else",
    "while",    "for",    "switch",   "return",      "break",  "continue", "and",    "or",     "export",
    "extern",   "inline", "align",    "linksection", "struct", "enum",     "union",  "packed", "noinline",
    "volatile", "asm",    "linkname", "color_range", "true",   "false"};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  return (c | 0x20) - 'a' + 10;
}

class Lexer {
 public:
  Lexer(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  std::vector<Token> run() {
    while (skip_space(), at_ < text_.size()) next();
    Token end = start();
    tokens_.push_back(end);
    return std::move(tokens_);
  }

 private:
  [[nodiscard]] char look(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  [[nodiscard]] Location location() const {
    return {.file = &name_, .line = line_, .column = static_cast<std::int32_t>(at_ - line_start_) + 1};
  }
  [[nodiscard]] Token start() const {
    Token token;
    token.location = location();
    token.text = text_.substr(at_, 0);
    return token;
  }

  void skip_space() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        ++line_;
        line_start_ = at_ + 1;
      } else if (c == '/' && look(1) == '/') {
        at_ = std::min(text_.find('\n', at_), text_.size());
        continue;
      } else if (c != ' ' && c != '\t' && c != '\r') {
        return;
      }
      ++at_;
    }
  }

  void next() {
    const char c = look();
    Token token = start();
    if (is_letter(c)) {
      word(token, TokenKind::name);
    } else if (c == '@' && is_letter(look(1))) {
      ++at_;
      word(token, TokenKind::builtin);
      token.text = text_.substr(at_ - token.text.size() - 1, token.text.size() + 1);
    } else if (is_digit(c)) {
      number(token);
    } else if (c == '"') {
      token.kind = TokenKind::string;
      token.string = quoted('"');
    } else if (c == '\'') {
      character(token);
    } else {
      symbol(token);
    }
    tokens_.push_back(std::move(token));
  }

  void word(Token& token, TokenKind kind) {
    const std::size_t first = at_;
    while (is_letter(look()) || is_digit(look())) ++at_;
    token.kind = kind;
    token.text = text_.substr(first, at_ - first);
  }

  void symbol(Token& token) {
    for (const std::string_view known : kSymbols) {
      if (text_.substr(at_, known.size()) != known) continue;
      token.kind = TokenKind::symbol;
      token.text = text_.substr(at_, known.size());
      at_ += known.size();
      return;
    }
    fail(token.location, "unexpected character '{}'", one_line(std::string(text_.substr(at_, 1)), 20));
  }

  void character(Token& token) {
    const std::string value = quoted('\'');
    if (value.size() != 1) fail(token.location, "a character in '' must be one byte; this has {}", value.size());
    token.kind = TokenKind::integer;
    token.integer = static_cast<unsigned char>(value[0]);
  }

  std::string quoted(char mark) {
    const Location first = location();
    std::string value;
    for (++at_; look() != mark; ++at_) {
      if (at_ >= text_.size() || look() == '\n') fail(first, "the text is not closed; expected {} on this line", mark);
      value += look() == '\\' ? escape() : look();
    }
    ++at_;
    return value;
  }

  char escape() {
    const Location where = location();
    ++at_;
    switch (look()) {
      case 'n':
        return '\n';
      case 't':
        return '\t';
      case 'r':
        return '\r';
      case '\\':
      case '"':
      case '\'':
        return look();
      case 'x':
        if (is_hex(look(1)) && is_hex(look(2))) {
          at_ += 2;
          return static_cast<char>(hex_value(text_[at_ - 1]) * 16 + hex_value(text_[at_]));
        }
        break;
      default:
        break;
    }
    fail(where, R"(unknown escape; use \n, \t, \r, \\, \", \' or \xNN)");
  }

  void number(Token& token) {
    int base = 10;
    if (look() == '0' && (look(1) == 'x' || look(1) == 'b' || look(1) == 'o')) {
      base = look(1) == 'x' ? 16 : look(1) == 'b' ? 2 : 8;
      at_ += 2;
    }
    std::string digits;
    const auto take_digits = [&] {
      while (base == 16 ? is_hex(look()) : is_digit(look()) || look() == '_') {
        if (look() != '_') digits += look();
        ++at_;
      }
      while (look() == '_') ++at_;
    };
    take_digits();
    bool real = false;
    if (base == 10 && look() == '.' && is_digit(look(1))) {
      real = true;
      digits += text_[at_++];
      take_digits();
    }
    if (base == 10 && (look() == 'e' || look() == 'E')) {
      real = true;
      digits += text_[at_++];
      if (look() == '+' || look() == '-') digits += text_[at_++];
      take_digits();
    }
    if (is_letter(look()) || is_digit(look())) fail(token.location, "a number ends in '{}'", look());
    if (real) {
      token.kind = TokenKind::real;
      parse(token.location, digits, token.real);
    } else {
      token.kind = TokenKind::integer;
      parse_integer(token.location, digits, base, token.integer);
    }
  }

  static void parse(const Location& where, const std::string& digits, double& value) {
    const auto done = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (done.ec != std::errc() || done.ptr != digits.data() + digits.size())
      fail(where, "'{}' is not a number", digits);
  }

  static void parse_integer(const Location& where, const std::string& digits, int base, std::int64_t& value) {
    const auto done = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    if (done.ec == std::errc::result_out_of_range) fail(where, "the number is too large; at most {}", INT64_MAX);
    if (done.ec != std::errc() || done.ptr != digits.data() + digits.size()) fail(where, "this is not a number");
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  std::int32_t line_ = 1;
  std::vector<Token> tokens_;
};

}  // namespace

std::string to_text(const Location& location) {
  return fmt::format("{}:{}:{}", location.file == nullptr ? "csl" : *location.file, location.line, location.column);
}

std::string describe(const Token& token) {
  switch (token.kind) {
    case TokenKind::end:
      return "the end of the file";
    case TokenKind::string:
      return "a string";
    case TokenKind::integer:
    case TokenKind::real:
      return "a number";
    case TokenKind::name:
    case TokenKind::builtin:
    case TokenKind::symbol:
      break;
  }
  return fmt::format("'{}'", one_line(std::string(token.text), 60));
}

std::vector<Token> tokenize(std::string_view text, const std::string& name, const Limits& limits) {
  if (static_cast<std::int64_t>(text.size()) > limits.bytes) {
    fail(Location{.file = &name}, "the file has {} bytes; at most {} are read", text.size(), limits.bytes);
  }
  return Lexer(text, name).run();
}

bool is_keyword(std::string_view name) {
  return std::find(kKeywords.begin(), kKeywords.end(), name) != kKeywords.end();
}

}  // namespace muster::wafer::csl
