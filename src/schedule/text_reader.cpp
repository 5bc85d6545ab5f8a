// Values of a JSON document as its readers want them, or a refusal that names the value's path.
#include "schedule/text_reader.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <vector>

#include "base/one_line.h"

namespace muster {

namespace {

/// The member's value, or nothing.
const JsonNode* find_member(const JsonObject& object, std::string_view key) {
  const auto found = std::lower_bound(object.begin(), object.end(), key,
                                      [](const auto& entry, std::string_view wanted) { return entry.first < wanted; });
  return found != object.end() && found->first == key ? &found->second : nullptr;
}

struct Quote {
  std::string operator()(std::monostate) const { return "null"; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return fmt::format("{}", value); }
  std::string operator()(std::uint64_t value) const { return fmt::format("{}", value); }
  std::string operator()(const JsonFraction& value) const { return one_line(value.text, 40); }
  std::string operator()(const std::string& value) const { return fmt::format("'{}'", one_line(value, 40)); }
  std::string operator()(const JsonList&) const { return "a list"; }
  std::string operator()(const JsonObject&) const { return "an object"; }
};

}  // namespace

void JsonValue::refuse_with(const std::string& message) const {
  const std::string where = location();
  throw InputError(*file_ + ": " + where + (where.empty() ? "" : ": ") + message);
}

void JsonValue::require_keys(std::initializer_list<std::string_view> allowed) const {
  for (const auto& [key, value] : object()) {
    if (std::find(allowed.begin(), allowed.end(), key) != allowed.end()) continue;
    refuse("unknown key '{}'; {}", one_line(key, 40),
           suggest(key, std::vector<std::string>(allowed.begin(), allowed.end())));
  }
}

bool JsonValue::has(const char* key) const { return find_member(object(), key) != nullptr; }

JsonValue JsonValue::member(const char* key) const& {
  const JsonNode* found = find_member(object(), key);
  if (found == nullptr) refuse("'{}' is missing", key);
  return {*found, this, key, 0};
}

std::size_t JsonValue::size() const { return list().size(); }

JsonValue JsonValue::item(std::size_t index) const& { return {list().at(index), this, {}, index}; }

std::string JsonValue::string() const {
  if (!is_string()) refuse("{} is not a string", text());
  return std::get<std::string>(node_->value);
}

bool JsonValue::boolean() const {
  if (const auto* value = std::get_if<bool>(&node_->value)) return *value;
  refuse("{} is neither true nor false", text());
}

std::int64_t JsonValue::integer(std::int64_t least, std::int64_t most, std::string_view what) const {
  const auto* number = std::get_if<std::int64_t>(&node_->value);
  if (number != nullptr && *number >= least && *number <= most) return *number;
  const bool too_large = std::holds_alternative<std::uint64_t>(node_->value);
  if (number == nullptr && !too_large) refuse("{} is not {}; use a whole number", text(), what);
  if (most < least) refuse("{} is not {}; there is none", text(), what);
  if (most == least) refuse("{} is not {}; use {}", text(), what, least);
  refuse("{} is not {}; use {} to {}", text(), what, least, most);
}

float JsonValue::number() const {
  const std::string digits =
      std::holds_alternative<JsonFraction>(node_->value) ? std::get<JsonFraction>(node_->value).text : text();
  const bool is_number = std::holds_alternative<JsonFraction>(node_->value) ||
                         std::holds_alternative<std::int64_t>(node_->value) ||
                         std::holds_alternative<std::uint64_t>(node_->value);
  if (!is_number) refuse("{} is not a number; use e.g. 0.25", text());
  float value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size())
    refuse("{} does not fit an f32; use 0 or a magnitude of 1.2e-38 to 3.4e38", text());
  return value;
}

std::string JsonValue::text() const { return std::visit(Quote(), node_->value); }

const JsonObject& JsonValue::object() const {
  if (const auto* members = std::get_if<JsonObject>(&node_->value)) return *members;
  refuse("{} is not an object", text());
}

const JsonList& JsonValue::list() const {
  if (const auto* items = std::get_if<JsonList>(&node_->value)) return *items;
  refuse("{} is not a list", text());
}

std::string JsonValue::location() const {
  if (parent_ == nullptr) return "";
  const std::string before = parent_->location();
  if (key_.empty()) return fmt::format("{}[{}]", before, index_);
  return before.empty() ? std::string(key_) : fmt::format("{}.{}", before, key_);
}

}  // namespace muster
