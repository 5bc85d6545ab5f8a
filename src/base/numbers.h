// Numbers and pairs from the command line. Every message names the flag, the value and what would do.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace muster {

/// What a flag's number may be. `example` is shown when the text is not a number at all.
struct NumberRule {
  std::string flag;
  std::int64_t least = 0;
  std::int64_t most = INT64_MAX;
  std::string example;
};

/// A whole number inside the rule; throws InputError otherwise.
std::int64_t parse_number(const std::string& text, const NumberRule& rule);

/// A number with or without a fraction inside the rule; throws InputError otherwise.
double parse_decimal(const std::string& text, const NumberRule& rule);

/// Two numbers around `separator`: "512x1", "3,0". Both obey the rule.
std::pair<std::int64_t, std::int64_t> parse_pair(const std::string& text, char separator, const NumberRule& rule);

/// "key=value"; both sides must be there.
std::pair<std::string, std::string> parse_assignment(const std::string& text, const std::string& flag,
                                                     const std::string& example);

}  // namespace muster
