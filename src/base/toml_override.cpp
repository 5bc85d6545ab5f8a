// Overrides: values that replace those of a document, by dotted key.
#include <algorithm>

#include "base/error.h"
#include "base/one_line.h"
#include "base/toml_value.h"

namespace muster {
namespace {

using Kind = TomlValue::Kind;

/// The entry of an array of tables that an override's "dimension.1.size" means.
TomlValue& item_of(TomlValue& array, std::string_view part, std::string_view typed) {
  const std::optional<std::int64_t> number = whole_number(part);
  const auto count = static_cast<std::int64_t>(array.items.size());
  if (!number || *number < 1 || *number > count ||
      array.items[static_cast<std::size_t>(*number - 1)].kind != Kind::table) {
    reject("{}: there is no entry '{}'; the entries are numbered 1 to {}", one_line(typed), one_line(part), count);
  }
  return array.items[static_cast<std::size_t>(*number - 1)];
}

/// The table that holds an override's last part; tables on the way are made if they are missing.
TomlValue& holder_of(TomlValue& root, const std::string& key, const std::string& typed, std::string_view& last) {
  TomlValue* at = &root;
  std::string_view rest = key;
  for (std::size_t dot = rest.find('.'); dot != std::string_view::npos; dot = rest.find('.')) {
    const std::string_view part = rest.substr(0, dot);
    rest.remove_prefix(dot + 1);
    TomlValue* next = find_entry(*at, part);
    if (next == nullptr) {
      TomlValue fresh;
      fresh.kind = Kind::table;
      fresh.line = at->line;
      at->entries.push_back({.key = std::string(part), .value = std::move(fresh)});
      next = &at->entries.back().value;
    }
    if (next->kind == Kind::array) {
      const std::size_t end = rest.find('.');
      if (end == std::string_view::npos)
        reject("{}: '{}' is a list of tables; use e.g. '{}.1.{}'", one_line(typed), one_line(part), one_line(part),
               one_line(rest));
      next = &item_of(*next, rest.substr(0, end), typed);
      rest.remove_prefix(end + 1);
    }
    if (next->kind != Kind::table) reject("{}: '{}' is not a table", one_line(typed), one_line(part));
    at = next;
  }
  last = rest;
  return *at;
}

}  // namespace

void apply_override(TomlValue& root, std::string_view flag, const std::string& key, const std::string& text) {
  const std::string typed = fmt::format("{} {}={}", flag, key, text);
  constexpr std::ptrdiff_t kMostParts = 16;
  const bool has_empty_part = key.empty() || key.front() == '.' || key.back() == '.' || key.find("..") != key.npos;
  if (has_empty_part || std::count(key.begin(), key.end(), '.') >= kMostParts) {
    reject("{}: '{}' is not a key; use e.g. 'clock' or 'ramp.latency'", one_line(typed), one_line(key));
  }
  std::string_view last;
  TomlValue& holder = holder_of(root, key, typed, last);
  TomlValue value;
  value.kind = Kind::untyped;
  value.text = text;
  value.override_key = fmt::format("{} {}", flag, key);
  if (TomlValue* old = find_entry(holder, last)) {
    if (old->kind == Kind::table) reject("{}: '{}' is a table; name one of its keys", one_line(typed), one_line(key));
    value.line = old->line;
    *old = std::move(value);
  } else {
    value.line = holder.line;
    holder.entries.push_back({.key = std::string(last), .value = std::move(value)});
  }
}

}  // namespace muster
