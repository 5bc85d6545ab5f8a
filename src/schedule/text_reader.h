// Strict reading of JSON: a value that knows its path in the document, so that every refusal can name it.
#pragma once

#include <fmt/format.h>

#include <initializer_list>
#include <string>
#include <string_view>

#include "base/error.h"
#include "schedule/text_json.h"

namespace muster {

/// A value inside its parents, which must outlive it. What is not as it is asked for is refused: InputError.
class JsonValue {
 public:
  JsonValue(const JsonNode& node, const std::string& file) : node_(&node), file_(&file) {}

  /// Throws InputError: "file: streams[3].to: ...".
  template <class... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
    refuse_with(fmt::format(format, std::forward<Args>(args)...));
  }

  /// Refuses anything but an object with these keys.
  void require_keys(std::initializer_list<std::string_view> allowed) const;
  [[nodiscard]] bool has(const char* key) const;

  [[nodiscard]] JsonValue member(const char* key) const&;
  JsonValue member(const char* key) const&& = delete;

  /// The length of a list.
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] JsonValue item(std::size_t index) const&;
  JsonValue item(std::size_t index) const&& = delete;

  [[nodiscard]] bool is_list() const { return std::holds_alternative<JsonList>(node_->value); }
  [[nodiscard]] bool is_object() const { return std::holds_alternative<JsonObject>(node_->value); }
  [[nodiscard]] bool is_string() const { return std::holds_alternative<std::string>(node_->value); }
  [[nodiscard]] std::string string() const;

  [[nodiscard]] bool boolean() const;

  /// A whole number in [least, most]; `what` names such numbers: "a node".
  [[nodiscard]] std::int64_t integer(std::int64_t least, std::int64_t most, std::string_view what) const;

  /// A number, as the nearest f32; refuses what is too large for one, or too small and not zero.
  [[nodiscard]] float number() const;

  /// An index of something of which there are `size`.
  template <class Size>
  [[nodiscard]] std::int32_t index(Size size, std::string_view what) const {
    return static_cast<std::int32_t>(integer(0, static_cast<std::int64_t>(size) - 1, what));
  }

  /// The value as a message quotes it.
  [[nodiscard]] std::string text() const;

 private:
  JsonValue(const JsonNode& node, const JsonValue* parent, std::string_view key, std::size_t index)
      : node_(&node), file_(parent->file_), parent_(parent), key_(key), index_(index) {}

  [[noreturn]] void refuse_with(const std::string& message) const;
  [[nodiscard]] const JsonObject& object() const;
  [[nodiscard]] const JsonList& list() const;
  [[nodiscard]] std::string location() const;

  const JsonNode* node_;
  const std::string* file_;
  const JsonValue* parent_ = nullptr;
  std::string_view key_;
  std::size_t index_ = 0;
};

}  // namespace muster
