// Overflow-safe parsing: a number is taken whole or refused.
#include "base/numbers.h"

#include <charconv>
#include <cmath>

#include "base/counted.h"
#include "base/error.h"

namespace muster {

std::int64_t parse_number(const std::string& text, const NumberRule& rule) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  const bool is_number = stop == end && !text.empty();
  if (error == std::errc::invalid_argument || !is_number) {
    reject("{}: '{}' is not a whole number; use e.g. {} {}", rule.flag, text, rule.flag, rule.example);
  }
  const bool too_large = error == std::errc::result_out_of_range ? text[0] != '-' : value > rule.most;
  if (too_large) reject("{}: {} is too large; use at most {}", rule.flag, text, grouped(rule.most));
  if (error == std::errc::result_out_of_range || value < rule.least) {
    reject("{}: {} is too small; use at least {}", rule.flag, text, grouped(rule.least));
  }
  return value;
}

double parse_decimal(const std::string& text, const NumberRule& rule) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || !std::isfinite(value)) {
    reject("{}: '{}' is not a number; use e.g. {} {}", rule.flag, text, rule.flag, rule.example);
  }
  if (value > static_cast<double>(rule.most))
    reject("{}: {} is too large; use at most {}", rule.flag, text, grouped(rule.most));
  if (value < static_cast<double>(rule.least))
    reject("{}: {} is too small; use at least {}", rule.flag, text, grouped(rule.least));
  return value;
}

std::pair<std::int64_t, std::int64_t> parse_pair(const std::string& text, char separator, const NumberRule& rule) {
  const std::size_t at = text.find(separator);
  const bool is_pair = at != std::string::npos && at != 0 && at + 1 != text.size();
  if (!is_pair || text.find(separator, at + 1) != std::string::npos) {
    reject("{}: '{}' is not a pair; use e.g. {} {}", rule.flag, text, rule.flag, rule.example);
  }
  return {parse_number(text.substr(0, at), rule), parse_number(text.substr(at + 1), rule)};
}

std::pair<std::string, std::string> parse_assignment(const std::string& text, const std::string& flag,
                                                     const std::string& example) {
  const std::size_t at = text.find('=');
  if (at == std::string::npos || at == 0 || at + 1 == text.size()) {
    reject("{}: '{}' is not KEY=VALUE; use e.g. {} {}", flag, text, flag, example);
  }
  return {text.substr(0, at), text.substr(at + 1)};
}

}  // namespace muster
