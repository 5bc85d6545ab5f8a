// What a TOML value holds, and how messages show it.
#include "base/toml_value.h"

#include <charconv>
#include <cmath>

#include "base/error.h"
#include "base/one_line.h"

namespace muster {

using Kind = TomlValue::Kind;

std::string describe(const TomlValue& value) {
  switch (value.kind) {
    case Kind::string:
    case Kind::untyped:
      return fmt::format("'{}'", one_line(value.text));
    case Kind::integer:
      return fmt::format("{}", value.integer);
    case Kind::number: {
      std::string text = fmt::format("{}", value.number);
      if (text.find_first_not_of("-0123456789") == text.npos) text += ".0";
      return text;
    }
    case Kind::boolean:
      return value.boolean ? "true" : "false";
    case Kind::array:
      return "a list";
    case Kind::table:
      return "a table";
    case Kind::other:
      break;
  }
  return "a date or time";
}

TomlValue* find_entry(TomlValue& table, std::string_view key) {
  for (auto& [name, value] : table.entries) {
    if (name == key) return &value;
  }
  return nullptr;
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<std::string> as_string(const TomlValue& value) {
  if (value.kind == Kind::string || value.kind == Kind::untyped) return value.text;
  return std::nullopt;
}

std::optional<std::int64_t> as_integer(const TomlValue& value) {
  if (value.kind == Kind::integer) return value.integer;
  return value.kind == Kind::untyped ? whole_number(value.text) : std::nullopt;
}

std::optional<double> as_number(const TomlValue& value) {
  double number = 0;
  if (value.kind == Kind::number) {
    number = value.number;
  } else if (value.kind == Kind::integer) {
    number = static_cast<double>(value.integer);
  } else if (value.kind == Kind::untyped) {
    const auto [end, error] = std::from_chars(value.text.data(), value.text.data() + value.text.size(), number);
    if (value.text.empty() || error != std::errc{} || end != value.text.data() + value.text.size()) return std::nullopt;
  } else {
    return std::nullopt;
  }
  return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

std::optional<bool> as_boolean(const TomlValue& value) {
  if (value.kind == Kind::boolean) return value.boolean;
  if (value.kind != Kind::untyped || (value.text != "true" && value.text != "false")) return std::nullopt;
  return value.text == "true";
}

}  // namespace muster
