// For tests: a small reader of CSL, strict enough to catch what a template can get wrong. It knows tokens, brackets,
// declarations and tables of numbers; it does not know types.
#pragma once

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace muster::wafer {

class CslFile {
 public:
  explicit CslFile(std::string_view text) {
    read(text);
    check_brackets();
    collect();
  }

  [[nodiscard]] const std::vector<std::string>& tokens() const { return tokens_; }

  /// The numbers of `const NAME = [N]T { ... }`. Throws if there is none, or not N of them.
  [[nodiscard]] std::vector<long> table(const std::string& name) const {
    const auto found = tables_.find(name);
    if (found == tables_.end()) throw std::runtime_error("no table " + name);
    return found->second;
  }
  [[nodiscard]] long number(const std::string& name) const { return numbers_.at(name); }

  /// Names that are used but never declared.
  [[nodiscard]] std::set<std::string> undeclared() const {
    std::set<std::string> names;
    for (std::size_t t = 0; t < tokens_.size(); ++t) {
      const std::string& token = tokens_[t];
      const bool name = std::isalpha(static_cast<unsigned char>(token[0])) != 0 || token[0] == '_';
      if (!name || (t > 0 && tokens_[t - 1] == ".") || known().count(token) != 0 || declared_.count(token) != 0)
        continue;
      names.insert(token);
    }
    return names;
  }

  [[nodiscard]] std::size_t count(const std::string& token) const {
    std::size_t n = 0;
    for (const std::string& t : tokens_) n += t == token ? 1 : 0;
    return n;
  }

 private:
  static const std::set<std::string>& known() {
    static const std::set<std::string> kKnown{"param",  "const",         "var",       "fn",         "task",
                                              "layout", "comptime",      "if",        "else",       "while",
                                              "for",    "return",        "and",       "or",         "true",
                                              "false",  "void",          "u16",       "u32",        "i16",
                                              "i32",    "f16",           "f32",       "color",      "comptime_struct",
                                              "bool",   "local_task_id", "fabin_dsd", "fabout_dsd", "mem1d_dsd",
                                              "NORTH",  "EAST",          "SOUTH",     "WEST",       "RAMP"};
    return kKnown;
  }

  void read(std::string_view text) {
    while (!text.empty()) {
      const char c = text.front();
      std::size_t length = 1;
      if (text.substr(0, 2) == "//") {
        text.remove_prefix(std::min(text.find('\n'), text.size()));
        continue;
      }
      if (std::isspace(static_cast<unsigned char>(c)) != 0) {
        text.remove_prefix(1);
        continue;
      }
      if (c == '"') {
        length = text.find('"', 1) + 1;
      } else if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '@' || c == '_') {
        while (length < text.size() &&
               (std::isalnum(static_cast<unsigned char>(text[length])) != 0 || text[length] == '_')) {
          ++length;
        }
      } else if (text.substr(0, 2) == "->" || text.substr(0, 2) == "==" || text.substr(0, 2) == "!=" ||
                 text.substr(0, 2) == "+=") {
        length = 2;
      } else if (std::string_view("()[]{}.,;:=+-*%<>|&").find(c) == std::string_view::npos) {
        throw std::runtime_error(std::string("a character that CSL does not have: ") + c);
      }
      tokens_.emplace_back(text.substr(0, length));
      text.remove_prefix(length);
    }
  }

  void check_brackets() const {
    std::string open;
    const std::string opening = "([{";
    const std::string closing = ")]}";
    for (const std::string& token : tokens_) {
      if (token.size() != 1) continue;
      if (opening.find(token) != std::string::npos) open += token;
      const auto kind = closing.find(token);
      if (kind == std::string::npos) continue;
      if (open.empty() || open.back() != opening[kind]) throw std::runtime_error("brackets do not match");
      open.pop_back();
    }
    if (!open.empty()) throw std::runtime_error("a bracket stays open");
  }

  void collect() {
    for (std::size_t t = 0; t + 1 < tokens_.size(); ++t) {
      const std::string& token = tokens_[t];
      if (token == "param" || token == "const" || token == "var" || token == "fn" || token == "task") {
        declared_.insert(tokens_[t + 1]);
        if (token == "fn" || token == "task") declare_parameters(t + 2);
        if (token == "const") read_value(t + 1);
      }
      if (token == "|" && t + 2 < tokens_.size() && tokens_[t + 2] == "|") declared_.insert(tokens_[t + 1]);
    }
  }

  void declare_parameters(std::size_t t) {
    for (; tokens_[t] != ")"; ++t) {
      if (tokens_[t + 1] == ":") declared_.insert(tokens_[t]);
    }
  }

  [[nodiscard]] long value_of(const std::string& token) const {
    const auto found = numbers_.find(token);
    return found == numbers_.end() ? std::stol(token) : found->second;
  }

  void read_value(std::size_t t) {
    const std::string name = tokens_[t];
    if (tokens_[t + 1] == ":" && tokens_[t + 3] == "=" && tokens_[t + 5] == ";" &&
        std::isdigit(tokens_[t + 4][0]) != 0) {
      numbers_[name] = std::stol(tokens_[t + 4]);
    }
    if (tokens_[t + 1] != "=" || tokens_[t + 2] != "[" || tokens_[t + 6] != "{") return;
    const std::size_t first = tokens_[t + 7] == "-" ? t + 8 : t + 7;
    if (tokens_[first][0] != '_' && std::isalnum(tokens_[first][0]) == 0) return;
    if (tokens_[first + 1] != "," && tokens_[first + 1] != "}") return;
    std::vector<long> values;
    for (std::size_t v = t + 7; tokens_[v - 1] != "}"; v += 2) {
      const bool negative = tokens_[v] == "-";
      if (negative) ++v;
      values.push_back(negative ? -value_of(tokens_[v]) : value_of(tokens_[v]));
    }
    if (static_cast<long>(values.size()) != std::stol(tokens_[t + 3])) {
      throw std::runtime_error("table " + name + " has " + std::to_string(values.size()) + " numbers");
    }
    tables_[name] = std::move(values);
  }

  std::vector<std::string> tokens_;
  std::set<std::string> declared_;
  std::map<std::string, long> numbers_;
  std::map<std::string, std::vector<long>> tables_;
};

}  // namespace muster::wafer
