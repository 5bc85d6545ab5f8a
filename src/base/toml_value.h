// A TOML document as a plain tree: what toml_parse.cpp makes and toml_reader.cpp reads. Keeps toml++ in one source
// file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace muster {

struct TomlEntry;

struct TomlValue {
  enum class Kind { string, integer, number, boolean, array, table, other, untyped };
  Kind kind = Kind::other;  ///< untyped: an override, whose type is what its reader asks for; other: a date or time
  std::string text;         ///< of a string or an override
  std::int64_t integer = 0;
  double number = 0;
  bool boolean = false;
  std::vector<TomlValue> items;    ///< of an array
  std::vector<TomlEntry> entries;  ///< of a table, in the order of the file
  int line = 0;                    ///< where it begins
  std::string override_key;        ///< of an override: its flag and key as typed

  // What readers did with it.
  bool was_read = false;
  std::vector<std::string> asked;  ///< of a table: the keys that someone wanted
};

struct TomlEntry {
  std::string key;
  TomlValue value;
};

// What the value holds as that type, if it does. An override holds whatever its text can be read as.
std::optional<std::string> as_string(const TomlValue& value);
std::optional<std::int64_t> as_integer(const TomlValue& value);
std::optional<double> as_number(const TomlValue& value);  ///< finite; an integer is one
std::optional<bool> as_boolean(const TomlValue& value);

/// The whole number that the text is, with nothing around it.
std::optional<std::int64_t> whole_number(std::string_view text);

/// The entry of a table, or null.
TomlValue* find_entry(TomlValue& table, std::string_view key);

/// A value as a message names it: "'2 GB'", "7", "2.0", "a table".
std::string describe(const TomlValue& value);

/// Puts an override of a flag in its place. Throws InputError "--param key=text: ..." if it has none.
void apply_override(TomlValue& root, std::string_view flag, const std::string& key, const std::string& text);

/// The tree of a text. Throws InputError "file:line: ..." if it is not TOML, too large or too deep.
TomlValue parse_toml(std::string_view text, const std::string& file);

/// The array that "1, 2, 3" or "[1, 2, 3]" writes, or a value of kind `other` if it writes none.
TomlValue parse_toml_array(std::string_view text);

}  // namespace muster
