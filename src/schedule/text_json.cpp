// From text to a tree of values, in one pass that refuses what is not JSON, duplicate keys and deep nesting.
#include "schedule/text_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/one_line.h"

namespace muster {

namespace {

constexpr std::size_t kMostJsonDepth = 32;

/// What the parser says, less its own prefixes, in one line of plain characters.
std::string plain_message(std::string_view what) {
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

/// Takes the parser's events. Lists and objects that are still open are on a stack, the innermost last.
class TreeBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  TreeBuilder(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  JsonNode take() && { return std::move(root_); }

  bool null() override { return add({}); }
  bool boolean(bool value) override { return add({value}); }
  bool number_integer(number_integer_t value) override { return add({std::int64_t{value}}); }
  bool number_unsigned(number_unsigned_t value) override {
    if (value > std::uint64_t{INT64_MAX}) return add({std::uint64_t{value}});
    return add({static_cast<std::int64_t>(value)});
  }
  bool number_float(number_float_t, const string_t& text) override { return add({JsonFraction{text}}); }
  bool string(string_t& value) override { return add({std::move(value)}); }
  bool binary(binary_t&) override { return add({}); }
  bool start_object(std::size_t) override { return enter({JsonObject()}); }
  bool start_array(std::size_t) override { return enter({JsonList()}); }
  bool end_object() override { return leave(); }
  bool end_array() override { return leave(); }

  bool key(string_t& key) override {
    Level& level = levels_.back();
    level.key.clear();
    if (!level.keys.insert(key).second) {
      const std::string where = location();
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
    JsonNode node;
    std::string key{};             ///< of an object: the key whose value comes next
    std::set<std::string> keys{};  ///< of an object
  };

  bool add(JsonNode node) {
    if (levels_.empty()) {
      root_ = std::move(node);
    } else if (auto* list = std::get_if<JsonList>(&levels_.back().node.value)) {
      list->push_back(std::move(node));
    } else {
      std::get<JsonObject>(levels_.back().node.value).push_back({levels_.back().key, std::move(node)});
    }
    return true;
  }

  bool enter(JsonNode node) {
    if (levels_.size() == kMostJsonDepth)
      reject("{}: {}: nested deeper than {} levels", file_, location(), kMostJsonDepth);
    levels_.push_back({.node = std::move(node)});
    return true;
  }

  bool leave() {
    JsonNode node = std::move(levels_.back().node);
    levels_.pop_back();
    if (auto* object = std::get_if<JsonObject>(&node.value)) {
      std::sort(object->begin(), object->end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    }
    return add(std::move(node));
  }

  [[nodiscard]] std::string location() const {
    std::string where;
    for (const Level& level : levels_) {
      if (const auto* list = std::get_if<JsonList>(&level.node.value)) {
        where += fmt::format("[{}]", list->size());
      } else if (!level.key.empty()) {
        where += (where.empty() ? "" : ".") + one_line(level.key, 40);
      }
    }
    return where;
  }

  std::string_view text_;
  const std::string& file_;
  JsonNode root_;
  std::vector<Level> levels_;
};

}  // namespace

JsonNode parse_json(std::string_view text, const std::string& file) {
  TreeBuilder builder(text, file);
  nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
  return std::move(builder).take();
}

}  // namespace muster
