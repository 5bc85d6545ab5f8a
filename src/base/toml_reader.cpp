// Typed, strict access to a TOML tree, with overrides.
#include "base/toml_reader.h"

#include <algorithm>
#include <optional>

#include "base/one_line.h"
#include "base/toml_value.h"

namespace muster {
namespace {

using Kind = TomlValue::Kind;

std::string join_path(const std::string& path, std::string_view key) {
  return path.empty() ? one_line(key) : fmt::format("{}.{}", path, one_line(key));
}

/// Where a message points: "wse2.toml:12: ramp.latency" or "--param ramp.latency=2 GB".
std::string location(const std::string& file, const TomlValue& value, const std::string& path) {
  if (value.kind == Kind::untyped) return fmt::format("{}={}", one_line(value.override_key), one_line(value.text));
  return fmt::format("{}:{}: {}", file, value.line, path);
}

std::string range_text(IntegerRange range) {
  const bool has_least = range.least != IntegerRange{}.least;
  const bool has_most = range.most != IntegerRange{}.most;
  if (has_least && has_most) return fmt::format("use {} to {}", range.least, range.most);
  if (has_most) return fmt::format("use at most {}", range.most);
  return fmt::format("use at least {}", range.least);
}

std::int64_t example_of(IntegerRange range) { return std::clamp<std::int64_t>(1, range.least, range.most); }

/// "'2' is a string": what stands where a whole number should.
std::string why_not_whole(const TomlValue& value) {
  const char* kind = value.kind == Kind::string   ? "is a string"
                     : value.kind == Kind::number ? "is a decimal"
                                                  : "is not a whole number";
  return fmt::format("{} {}", describe(value), kind);
}

bool contains(IntegerRange range, std::int64_t number) { return range.least <= number && number <= range.most; }

/// `names`, the nearest to `name` first, the others in their order.
std::vector<std::string> nearest_first(std::string_view name, const std::vector<std::string>& names) {
  std::vector<std::string> sorted = nearest_names(name, names, names.size());
  for (const std::string& other : names) {
    if (std::find(sorted.begin(), sorted.end(), other) == sorted.end()) sorted.push_back(other);
  }
  return sorted;
}

std::string allowed_text(std::string_view key, const std::vector<std::string>& allowed) {
  if (allowed.empty()) return "none are allowed here";
  return fmt::format("allowed here: {}", fmt::join(nearest_first(key, allowed), ", "));
}

void refuse_unread(const std::string& file, const TomlValue& table, const std::string& path) {
  for (const auto& [key, value] : table.entries) {
    const std::string here = join_path(path, key);
    if (!value.was_read) reject("{}: unknown key; {}", location(file, value, here), allowed_text(key, table.asked));
    if (value.kind == Kind::table) refuse_unread(file, value, here);
    for (std::size_t i = 0; i < value.items.size(); ++i) {
      if (value.items[i].kind == Kind::table) refuse_unread(file, value.items[i], fmt::format("{}.{}", here, i + 1));
    }
  }
}

}  // namespace

bool TomlTable::has(std::string_view key) const { return find(key) != nullptr; }

bool TomlTable::is_list(std::string_view key) const {
  const TomlValue* value = find(key);
  if (value == nullptr) return false;
  return value->kind == Kind::array || (value->kind == Kind::untyped && value->text.starts_with('['));
}

std::vector<std::string> TomlTable::keys() const {
  std::vector<std::string> names;
  if (value_ == nullptr) return names;
  for (const TomlEntry& entry : value_->entries) names.push_back(entry.key);
  return names;
}

std::string TomlTable::string(std::string_view key) const {
  TomlValue& value = require(key);
  std::optional<std::string> text = as_string(value);
  if (!text) refuse(key, fmt::format("{} is not a string; put it in quotes", describe(value)));
  return *std::move(text);
}

std::string TomlTable::choice(std::string_view key, std::span<const std::string> allowed) const {
  std::string text = string(key);
  if (std::find(allowed.begin(), allowed.end(), text) == allowed.end()) {
    const std::vector<std::string> names = nearest_first(text, {allowed.begin(), allowed.end()});
    refuse(key, fmt::format("unknown value '{}'; use {}", one_line(text), fmt::join(names, ", ")));
  }
  return text;
}

bool TomlTable::boolean(std::string_view key) const {
  TomlValue& value = require(key);
  const std::optional<bool> boolean = as_boolean(value);
  if (!boolean) refuse(key, fmt::format("{} is neither true nor false", describe(value)));
  return *boolean;
}

std::int64_t TomlTable::integer(std::string_view key, IntegerRange range) const {
  TomlValue& value = require(key);
  const std::optional<std::int64_t> number = as_integer(value);
  if (!number) refuse(key, fmt::format("{}; use a whole number, e.g. {}", why_not_whole(value), example_of(range)));
  if (!contains(range, *number)) refuse(key, fmt::format("{} is out of range; {}", *number, range_text(range)));
  return *number;
}

double TomlTable::number(std::string_view key) const {
  TomlValue& value = require(key);
  const std::optional<double> number = as_number(value);
  if (!number) refuse(key, fmt::format("{} is not a finite number; use e.g. 1 or 2.5", describe(value)));
  return *number;
}

template <class T>
std::vector<T> TomlTable::list(std::string_view key, std::optional<T> (*as_item)(const TomlValue&),
                               std::string_view item, std::string_view example) const {
  const TomlValue& value = require(key);
  const TomlValue typed = value.kind == Kind::untyped ? parse_toml_array(value.text) : TomlValue{};
  const TomlValue& list = value.kind == Kind::untyped ? typed : value;
  if (list.kind != Kind::array) refuse(key, fmt::format("{} is not a list; use e.g. {}", describe(value), example));
  std::vector<T> items;
  for (const TomlValue& read : list.items) {
    std::optional<T> typed_item = as_item(read);
    if (!typed_item) refuse(key, fmt::format("{} in the list is not a {}; use e.g. {}", describe(read), item, example));
    items.push_back(*std::move(typed_item));
  }
  return items;
}

std::vector<std::int64_t> TomlTable::integers(std::string_view key, IntegerRange range) const {
  std::vector<std::int64_t> numbers = list(key, as_integer, "whole number", "[0, 1, 2]");
  for (const std::int64_t number : numbers) {
    if (!contains(range, number)) refuse(key, fmt::format("{} is out of range; {}", number, range_text(range)));
  }
  return numbers;
}

std::vector<double> TomlTable::numbers(std::string_view key) const {
  return list(key, as_number, "finite number", "[1, 2.5]");
}

std::vector<std::string> TomlTable::strings(std::string_view key) const {
  return list(key, as_string, "string", "[\"a\", \"b\"]");
}

template <class T>
T TomlTable::measured(std::string_view key, Outcome<T> (*parse)(std::string_view)) const {
  TomlValue& value = require(key);
  // A number without quotes has no unit; the parser says what it expects.
  const bool is_number = value.kind == Kind::integer || value.kind == Kind::number;
  const std::optional<std::string> text = is_number ? describe(value) : as_string(value);
  if (!text) refuse(key, fmt::format("{} has no unit; put a number and its unit in quotes", describe(value)));
  Outcome<T> outcome = parse(*text);
  if (!outcome) refuse(key, outcome.reason());
  return std::move(outcome).value();
}

Bytes TomlTable::bytes(std::string_view key) const { return measured(key, parse_bytes); }
Hertz TomlTable::hertz(std::string_view key) const { return measured(key, parse_hertz); }
Time TomlTable::time(std::string_view key) const { return measured(key, parse_time); }
Rate TomlTable::rate(std::string_view key) const { return measured(key, parse_rate); }
Seconds TomlTable::seconds(std::string_view key) const { return measured(key, parse_seconds); }
Metres TomlTable::metres(std::string_view key) const { return measured(key, parse_metres); }
MetresPerSecond TomlTable::velocity(std::string_view key) const { return measured(key, parse_velocity); }
KilogramsPerCubicMetre TomlTable::density(std::string_view key) const { return measured(key, parse_density); }

TomlTable TomlTable::table(std::string_view key) const {
  TomlValue* value = find(key);
  if (value == nullptr) return {file_, nullptr, key_path(key), line_};
  value->was_read = true;
  if (value->kind != Kind::table) {
    refuse(key, fmt::format("{} is not a table; write [{}]", describe(*value), key_path(key)));
  }
  return {file_, value, key_path(key), value->line};
}

std::vector<TomlTable> TomlTable::tables(std::string_view key) const {
  TomlValue& value = require(key);
  const std::string path = key_path(key);
  const auto is_table = [](const TomlValue& item) { return item.kind == Kind::table; };
  if (value.kind != Kind::array || !std::all_of(value.items.begin(), value.items.end(), is_table)) {
    refuse(key, fmt::format("{} is not a list of tables; write [[{}]] above each", describe(value), path));
  }
  std::vector<TomlTable> tables;
  for (TomlValue& item : value.items) {
    tables.push_back(TomlTable(file_, &item, fmt::format("{}.{}", path, tables.size() + 1), item.line));
  }
  return tables;
}

int TomlTable::line(std::string_view key) const {
  const TomlValue* value = value_ == nullptr ? nullptr : find_entry(*value_, key);
  return value == nullptr ? line_ : value->line;
}

std::string TomlTable::described(std::string_view key) const { return describe(require(key)); }

void TomlTable::refuse(std::string_view key, std::string_view reason) const {
  const TomlValue* value = value_ == nullptr ? nullptr : find_entry(*value_, key);
  if (value == nullptr) reject("{}:{}: {}: {}", *file_, line_, key_path(key), reason);
  reject("{}: {}", location(*file_, *value, key_path(key)), reason);
}

TomlValue* TomlTable::find(std::string_view key) const {
  if (value_ == nullptr) return nullptr;
  std::vector<std::string>& asked = value_->asked;
  if (std::find(asked.begin(), asked.end(), key) == asked.end()) asked.emplace_back(key);
  return find_entry(*value_, key);
}

TomlValue& TomlTable::require(std::string_view key) const {
  TomlValue* value = find(key);
  if (value == nullptr) refuse(key, "this key is missing" + misspelling(key));
  value->was_read = true;
  return *value;
}

std::string TomlTable::misspelling(std::string_view key) const {
  if (value_ == nullptr) return "";
  std::vector<std::string> unread;
  for (const auto& [name, value] : value_->entries) {
    if (!value.was_read) unread.push_back(name);
  }
  const std::vector<std::string> near = nearest_names(key, unread, 1);
  return near.empty() ? "" : fmt::format("; did you write '{}' instead?", one_line(near.front()));
}

std::string TomlTable::key_path(std::string_view key) const { return join_path(path_, key); }

TomlDocument::TomlDocument(std::string_view text, std::string file, const std::map<std::string, std::string>& overrides,
                           std::string_view flag)
    : file_(std::make_unique<std::string>(std::move(file))),
      root_(std::make_unique<TomlValue>(parse_toml(text, *file_))) {
  for (const auto& [key, value] : overrides) apply_override(*root_, flag, key, value);
}

TomlDocument::TomlDocument(TomlDocument&&) noexcept = default;
TomlDocument& TomlDocument::operator=(TomlDocument&&) noexcept = default;
TomlDocument::~TomlDocument() = default;

TomlTable TomlDocument::root() const { return {file_.get(), root_.get(), "", 1}; }

void TomlDocument::finish() const { refuse_unread(*file_, *root_, ""); }

}  // namespace muster
