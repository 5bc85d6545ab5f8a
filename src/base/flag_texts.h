// Flags of a command line as they were typed: names with their values, not yet understood.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace muster {

/// A flag's values, in the order given; empty if it was not given.
using Values = std::vector<std::string>;

class FlagTexts {
 public:
  /// A switch is given with an empty value.
  void add(const std::string& flag, std::string value) { values_[flag].push_back(std::move(value)); }
  void set(const std::string& flag, Values values) {
    if (values.empty()) {
      values_.erase(flag);
    } else {
      values_[flag] = std::move(values);
    }
  }
  [[nodiscard]] bool has(std::string_view flag) const { return values_.find(flag) != values_.end(); }
  /// The first value; the flag was given.
  [[nodiscard]] const std::string& text(std::string_view flag) const { return values_.find(flag)->second.front(); }
  [[nodiscard]] const Values& values(std::string_view flag) const {
    static const Values kNone;
    const auto found = values_.find(flag);
    return found == values_.end() ? kNone : found->second;
  }
  [[nodiscard]] const std::map<std::string, Values, std::less<>>& all() const { return values_; }

 private:
  std::map<std::string, Values, std::less<>> values_;
};

}  // namespace muster
