// Strict reading of JSON: a value that knows its place in the document, so that every refusal can name it.
// Included by readers of JSON alone: nlohmann-json is slow to compile.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/one_line.h"

namespace muster {

/// A value inside its parents, which must outlive it.
class JsonValue {
 public:
  JsonValue(const nlohmann::json& value, const std::string& file) : value_(&value), file_(&file) {}

  /// Throws InputError: "file: streams[3].to: ...".
  template <class... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
    const std::string where = place();
    throw InputError(*file_ + ": " + where + (where.empty() ? "" : ": ") +
                     fmt::format(format, std::forward<Args>(args)...));
  }

  /// Refuses anything but an object with these keys.
  void require_keys(std::initializer_list<std::string_view> allowed) const {
    require_object();
    for (const auto& [key, value] : value_->items()) {
      if (std::find(allowed.begin(), allowed.end(), key) != allowed.end()) continue;
      refuse("unknown key '{}'; {}", one_line(key, 40),
             suggest(key, std::vector<std::string>(allowed.begin(), allowed.end())));
    }
  }
  [[nodiscard]] bool has(const char* key) const { return require_object(), value_->contains(key); }

  [[nodiscard]] JsonValue member(const char* key) const& {
    require_object();
    const auto found = value_->find(key);
    if (found == value_->end()) refuse("'{}' is missing", key);
    return {*found, this, key, 0};
  }
  JsonValue member(const char* key) const&& = delete;

  /// The length of a list.
  [[nodiscard]] std::size_t size() const {
    if (!value_->is_array()) refuse("{} is not a list", text());
    return value_->size();
  }
  [[nodiscard]] JsonValue item(std::size_t index) const& { return {value_->at(index), this, {}, index}; }
  JsonValue item(std::size_t index) const&& = delete;

  [[nodiscard]] bool is_list() const { return value_->is_array(); }
  [[nodiscard]] bool is_string() const { return value_->is_string(); }
  [[nodiscard]] std::string string() const {
    if (!is_string()) refuse("{} is not a text", text());
    return value_->get<std::string>();
  }

  /// A whole number in [least, most]; `what` names such numbers: "a node".
  [[nodiscard]] std::int64_t integer(std::int64_t least, std::int64_t most, std::string_view what) const {
    if (!value_->is_number_integer()) refuse("{} is not {}; use a whole number", text(), what);
    const bool too_large = value_->is_number_unsigned() && value_->get<std::uint64_t>() > std::uint64_t{INT64_MAX};
    const std::int64_t number = too_large ? INT64_MAX : value_->get<std::int64_t>();
    if (!too_large && number >= least && number <= most) return number;
    if (most < least) refuse("{} is not {}; there is none", text(), what);
    if (most == least) refuse("{} is not {}; use {}", text(), what, least);
    refuse("{} is not {}; use {} to {}", text(), what, least, most);
  }

  /// An index of something of which there are `size`.
  template <class Size>
  [[nodiscard]] std::int32_t index(Size size, std::string_view what) const {
    return static_cast<std::int32_t>(integer(0, static_cast<std::int64_t>(size) - 1, what));
  }

  /// The value as a message quotes it.
  [[nodiscard]] std::string text() const {
    if (value_->is_array()) return "a list";
    if (value_->is_object()) return "an object";
    if (value_->is_string()) return fmt::format("'{}'", one_line(value_->get_ref<const std::string&>(), 40));
    return value_->dump();
  }

 private:
  JsonValue(const nlohmann::json& value, const JsonValue* parent, std::string_view key, std::size_t index)
      : value_(&value), file_(parent->file_), parent_(parent), key_(key), index_(index) {}

  void require_object() const {
    if (!value_->is_object()) refuse("{} is not an object", text());
  }

  [[nodiscard]] std::string place() const {
    if (parent_ == nullptr) return "";
    const std::string before = parent_->place();
    if (key_.empty()) return fmt::format("{}[{}]", before, index_);
    return before.empty() ? std::string(key_) : fmt::format("{}.{}", before, key_);
  }

  const nlohmann::json* value_;
  const std::string* file_;
  const JsonValue* parent_ = nullptr;
  std::string_view key_;
  std::size_t index_ = 0;
};

}  // namespace muster
