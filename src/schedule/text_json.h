// JSON documents of strangers, as a tree of values. Only text_json.cpp sees the parser's library, which is slow to compile.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace muster {

struct JsonNode;
struct JsonMember;

using JsonList = std::vector<JsonNode>;
/// Sorted by key; every key is there once.
using JsonObject = std::vector<JsonMember>;
/// A number with a fraction or an exponent, as the text has it.
struct JsonFraction {
  std::string text;
};

/// The monostate is JSON's null. A whole number is unsigned only if no std::int64_t holds it.
struct JsonNode {
  std::variant<std::monostate, bool, std::int64_t, std::uint64_t, JsonFraction, std::string, JsonList, JsonObject>
      value;
};

struct JsonMember {
  std::string first;
  JsonNode second;
};

/// Throws InputError: with line and column if the text is not JSON; with its path for a duplicate key, and for values that
/// are nested too deeply.
JsonNode parse_json(std::string_view text, const std::string& file);

}  // namespace muster
