// TOML text to a plain tree, by toml++. The only file that includes toml++, which is slow to compile.
#include <toml++/toml.h>

#include <algorithm>

#include "base/error.h"
#include "base/one_line.h"
#include "base/toml_value.h"

namespace muster {
namespace {

// Input may come from strangers. toml++ builds and destroys nested values recursively and does not limit the depth that
// dotted keys make, so depth is limited before it sees the text.
constexpr std::size_t kMostBytes = std::size_t{4} << 20;
constexpr int kMostBrackets = 16;
constexpr int kMostDotsPerLine = 200;

/// Walks over a text outside of its strings and comments.
class DepthScanner {
 public:
  DepthScanner(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  void run() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"' || c == '\'') {
        skip_string(c);
      } else if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else {
        count(c);
        ++at_;
      }
    }
  }

 private:
  void count(char c) {
    if (c == '\n') {
      ++line_;
      dots_ = 0;
    }
    if (c == '.' && ++dots_ > kMostDotsPerLine) {
      reject("{}:{}: more than {} dots in one line; use shorter keys or more lines", file_, line_, kMostDotsPerLine);
    }
    if ((c == '[' || c == '{') && ++brackets_ > kMostBrackets) {
      reject("{}:{}: nested more than {} deep; use fewer brackets", file_, line_, kMostBrackets);
    }
    if (c == ']' || c == '}') --brackets_;
  }

  /// Moves behind the string that begins here, or to the end of its line if it does not end there.
  void skip_string(char quote) {
    const std::string_view fence = text_.substr(at_, 3);
    const bool is_long = fence.size() == 3 && fence == std::string(3, quote);
    const std::string closing(is_long ? 3 : 1, quote);
    at_ += closing.size();
    while (at_ < text_.size() && text_.substr(at_, closing.size()) != closing) {
      if (text_[at_] == '\n') {
        if (!is_long) return;
        ++line_;
      }
      at_ += quote == '"' && text_[at_] == '\\' ? 2 : 1;
    }
    at_ = std::min(at_ + closing.size(), text_.size());
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  int line_ = 1;
  int dots_ = 0;
  int brackets_ = 0;
};

int line_of(const toml::node& node) { return static_cast<int>(node.source().begin.line); }

TomlValue convert(const toml::node& node) {
  TomlValue value;
  value.line = line_of(node);
  if (const toml::table* table = node.as_table()) {
    value.kind = TomlValue::Kind::table;
    for (const auto& [key, child] : *table)
      value.entries.push_back({.key = std::string(key.str()), .value = convert(child)});
    std::stable_sort(value.entries.begin(), value.entries.end(),  // toml++ sorts by name
                     [](const auto& a, const auto& b) { return a.value.line < b.value.line; });
  } else if (const toml::array* array = node.as_array()) {
    value.kind = TomlValue::Kind::array;
    for (const toml::node& item : *array) value.items.push_back(convert(item));
  } else if (const auto* text = node.as_string()) {
    value.kind = TomlValue::Kind::string;
    value.text = text->get();
  } else if (const auto* integer = node.as_integer()) {
    value.kind = TomlValue::Kind::integer;
    value.integer = integer->get();
  } else if (const auto* number = node.as_floating_point()) {
    value.kind = TomlValue::Kind::number;
    value.number = number->get();
  } else if (const auto* boolean = node.as_boolean()) {
    value.kind = TomlValue::Kind::boolean;
    value.boolean = boolean->get();
  }
  return value;
}

/// "Error while parsing key-value pair: expected value, saw '\n'" → "expected value, saw '\n'", on one line.
std::string brief(std::string_view description) {
  if (description.starts_with("Error while parsing ")) {
    const std::size_t colon = description.find(": ");
    if (colon != std::string_view::npos) description.remove_prefix(colon + 2);
  }
  std::string line = one_line(description, 200);
  if (!line.empty() && line[0] >= 'A' && line[0] <= 'Z') line[0] = static_cast<char>(line[0] - 'A' + 'a');
  return line;
}

/// What is wrong, and for a key that is there twice: which.
std::string explain(std::string_view description) {
  const std::string line = brief(description);
  if (!line.starts_with("cannot redefine existing ")) return line + "; this is not valid TOML";
  const std::size_t open = line.find('\'');
  const std::size_t close = line.rfind('\'');
  const bool has_name = open != std::string::npos && close > open;
  const std::string name = has_name ? line.substr(open + 1, close - open - 1) + ": " : "";
  return name + "this key is defined twice; keep one of the two";
}

}  // namespace

TomlValue parse_toml(std::string_view text, const std::string& file) {
  if (text.size() > kMostBytes) {
    reject("{}: has {} bytes; at most {} are read", file, text.size(), kMostBytes);
  }
  DepthScanner(text, file).run();
  try {
    TomlValue root = convert(toml::parse(text));
    root.line = 1;
    return root;
  } catch (const toml::parse_error& error) {
    const auto line = std::max<toml::source_index>(error.source().begin.line, 1);
    reject("{}:{}: {}", file, line, explain(error.description()));
  }
}

TomlValue parse_toml_array(std::string_view text) {
  const bool has_brackets = text.starts_with('[');
  const std::string line = has_brackets ? fmt::format("x = {}", text) : fmt::format("x = [{}]", text);
  try {
    TomlValue root = parse_toml(line, "");
    if (root.entries.size() == 1) return std::move(root.entries.front().value);
  } catch (const InputError&) {  // not a TOML value: the reader of the key reports it
  }
  return {};
}

}  // namespace muster
