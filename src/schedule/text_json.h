// From text to a JSON document, for strangers' files. Included by readers of JSON alone: nlohmann-json is slow to
// compile.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/one_line.h"

namespace muster {

inline constexpr std::size_t kMostJsonDepth = 32;

/// What the parser says, less its own prefixes, in one line of plain characters.
inline std::string plain_message(std::string_view what) {
  if (const auto dash = what.find(" - "); dash != std::string_view::npos) {
    what.remove_prefix(dash + 3);
  } else if (const auto bracket = what.find("] "); bracket != std::string_view::npos) {
    what.remove_prefix(bracket + 2);
  }
  std::string message = one_line(what, 160);
  for (char& c : message) {
    if (static_cast<unsigned char>(c) >= 0x80) c = '?';
  }
  return message;
}

/// A first pass over the text: refuses what is not JSON, duplicate keys, which a document would drop silently, and deep
/// nesting. (The parser's own callback would do, but its time grows with the square of a list's length.)
class JsonWatch : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit JsonWatch(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  bool null() override { return next_item(); }
  bool boolean(bool) override { return next_item(); }
  bool number_integer(number_integer_t) override { return next_item(); }
  bool number_unsigned(number_unsigned_t) override { return next_item(); }
  bool number_float(number_float_t, const string_t&) override { return next_item(); }
  bool string(string_t&) override { return next_item(); }
  bool binary(binary_t&) override { return next_item(); }
  bool start_object(std::size_t) override { return enter(false); }
  bool start_array(std::size_t) override { return enter(true); }
  bool end_object() override { return leave(); }
  bool end_array() override { return leave(); }

  bool key(string_t& key) override {
    Level& level = levels_.back();
    level.key.clear();
    if (!level.keys.insert(key).second) {
      const std::string where = place();
      reject("{}: {}{}duplicate key '{}'", file_, where, where.empty() ? "" : ": ", one_line(key, 40));
    }
    level.key = key;
    return true;
  }

  bool parse_error(std::size_t byte, const std::string&, const nlohmann::json::exception& error) override {
    const std::size_t at = std::min(byte == 0 ? 0 : byte - 1, text_.size());
    const std::string_view before = text_.substr(0, at);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const auto start = before.rfind('\n');
    reject("{}:{}:{}: not JSON: {}", file_, line, start == std::string_view::npos ? at + 1 : at - start,
           plain_message(error.what()));
  }

 private:
  struct Level {
    bool is_list = false;
    std::size_t index = 0;
    std::string key{};
    std::set<std::string> keys{};
  };

  bool next_item() {
    if (!levels_.empty()) ++levels_.back().index;
    return true;
  }

  bool enter(bool is_list) {
    if (levels_.size() == kMostJsonDepth)
      reject("{}: {}: nested deeper than {} levels", file_, place(), kMostJsonDepth);
    levels_.push_back({.is_list = is_list});
    return true;
  }

  bool leave() {
    levels_.pop_back();
    return next_item();
  }

  [[nodiscard]] std::string place() const {
    std::string where;
    for (const Level& level : levels_) {
      if (level.is_list) {
        where += fmt::format("[{}]", level.index);
      } else if (!level.key.empty()) {
        where += (where.empty() ? "" : ".") + one_line(level.key, 40);
      }
    }
    return where;
  }

  std::string_view text_;
  const std::string& file_;
  std::vector<Level> levels_;
};

/// Throws InputError, with line and column if the text is not JSON.
inline nlohmann::json parse_json(std::string_view text, const std::string& file) {
  JsonWatch watch(text, file);
  nlohmann::json::sax_parse(text.begin(), text.end(), &watch);
  return nlohmann::json::parse(text.begin(), text.end());
}

}  // namespace muster
