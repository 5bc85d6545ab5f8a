// The words of a CSL file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "backend/wafer/csl_reader/source.h"

namespace muster::wafer::csl {

enum class TokenKind : std::uint8_t { end, name, builtin, integer, real, string, symbol };

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;  ///< as it is in the file; of a builtin with its '@'
  Location location;
  std::int64_t integer = 0;  ///< the value of an integer or a character
  double real = 0;
  std::string string;  ///< the value of a string, escapes resolved

  /// Whether it is this symbol or keyword.
  [[nodiscard]] bool is(std::string_view word) const {
    return (kind == TokenKind::symbol || kind == TokenKind::name) && text == word;
  }
};

/// "'foo'", "the end of the file", for messages.
std::string describe(const Token& token);

/// The words of a file, the last one an `end`; comments and white space are dropped. Throws InputError. Texts point into
/// `text`, locations to `name`.
std::vector<Token> tokenize(std::string_view text, const std::string& name, const Limits& limits);

/// Whether the name is a keyword, which nothing can be called.
bool is_keyword(std::string_view name);

}  // namespace muster::wafer::csl
