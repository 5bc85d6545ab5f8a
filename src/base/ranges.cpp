// An item of a list is a value, or a range: two values and how one leads to the next.
#include "base/ranges.h"

#include <algorithm>
#include <optional>

#include "base/counted.h"
#include "base/error.h"
#include "base/units.h"

namespace muster {

namespace {

constexpr std::size_t kMostValues = 10'000;

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

/// How a range continues: times a factor or plus a step.
struct Growth {
  std::int64_t factor = 1;
  std::int64_t step = 0;
};

[[noreturn]] void reject_syntax(const std::string& item, const NumberRule& rule) {
  reject("{}: '{}' is not a range; use {}, e.g. {} {}", rule.flag, item, kRangeSyntax, rule.flag, rule.example);
}

std::int64_t parse_size(const std::string& text, const NumberRule& rule) {
  const Outcome<Bytes> bytes = parse_bytes(text);
  if (!bytes) reject("{}: {}", rule.flag, bytes.reason());
  const std::int64_t value = bytes.value().value();
  if (value < rule.least || value > rule.most) {
    reject("{}: '{}' is out of range; use {} to {}", rule.flag, text, to_text(Bytes(rule.least)),
           to_text(Bytes(rule.most)));
  }
  return value;
}

/// What is counted: a step of sizes is a size.
enum class Counted { numbers, sizes };

Growth parse_growth(const std::string& text, const std::string& item, const NumberRule& rule, Counted counted) {
  const std::string number = text.empty() ? "" : text.substr(1);
  if (number.empty() || (text[0] != 'x' && text[0] != '+')) reject_syntax(item, rule);
  const bool times = text[0] == 'x';
  if (!times && counted == Counted::sizes) return {.step = parse_size(number, rule)};
  const std::int64_t least = times ? 2 : 1;
  std::int64_t value = 0;
  try {
    value = parse_number(number, {.flag = "", .least = least, .most = INT32_MAX, .example = ""});
  } catch (const InputError&) {
    reject("{}: the {} of '{}' is '{}'; use a whole number from {} to {}", rule.flag, times ? "factor" : "step", item,
           number, least, grouped(INT32_MAX));
  }
  return times ? Growth{.factor = value} : Growth{.step = value};
}

/// FIRST, LAST and growth of a range; nothing for a single value.
struct Range {
  std::string first, last;
  Growth growth;
};

std::optional<Range> as_range(const std::string& item, const NumberRule& rule, Counted counted = Counted::numbers) {
  const std::vector<std::string> parts = split(item, ':');
  if (parts.size() == 1) return std::nullopt;
  if (parts.size() > 3) reject_syntax(item, rule);
  const Growth growth = parts.size() == 3 ? parse_growth(parts[2], item, rule, counted) : Growth{.step = 1};
  return Range{.first = parts[0], .last = parts[1], .growth = growth};
}

/// `rule.most` keeps values far from overflow: a value times a factor fits.
std::vector<std::int64_t> values_of(std::int64_t first, std::int64_t last, const Growth& growth,
                                    const std::string& item, const NumberRule& rule) {
  if (last < first) reject("{}: '{}' goes down; write the smaller end first", rule.flag, item);
  std::vector<std::int64_t> values;
  for (std::int64_t value = first; value <= last;) {
    if (values.size() == kMostValues) {
      reject("{}: '{}' has more than {} values; use a larger step or a factor", rule.flag, item, kMostValues);
    }
    values.push_back(value);
    if (value > (last - growth.step) / growth.factor) break;
    value = value * growth.factor + growth.step;
  }
  return values;
}

template <class Value>
void add_new(std::vector<Value>& all, const Value& value, const NumberRule& rule) {
  if (std::find(all.begin(), all.end(), value) != all.end()) return;
  if (all.size() == kMostValues) reject("{}: more than {} values; leave some out", rule.flag, kMostValues);
  all.push_back(value);
}

std::vector<std::pair<std::int64_t, std::int64_t>> grids_of(const Range& range, const std::string& item,
                                                            const NumberRule& rule) {
  const auto first = parse_pair(range.first, 'x', rule);
  const auto last = parse_pair(range.last, 'x', rule);
  auto columns = values_of(first.first, last.first, range.growth, item, rule);
  auto rows = values_of(first.second, last.second, range.growth, item, rule);
  const std::size_t size = std::max(columns.size(), rows.size());
  if (first.first == last.first) columns.resize(size, first.first);
  if (first.second == last.second) rows.resize(size, first.second);
  if (columns.size() != rows.size()) {
    reject(
        "{}: '{}' has {} column values and {} row values; both must have the same number, or one of them a single "
        "value",
        rule.flag, item, columns.size(), rows.size());
  }
  std::vector<std::pair<std::int64_t, std::int64_t>> grids;
  for (std::size_t i = 0; i < size; ++i) grids.emplace_back(columns[i], rows[i]);
  return grids;
}

}  // namespace

std::vector<std::int64_t> parse_numbers(const std::string& text, const NumberRule& rule) {
  std::vector<std::int64_t> all;
  for (const std::string& item : split(text, ',')) {
    const auto range = as_range(item, rule);
    if (!range) {
      add_new(all, parse_number(item, rule), rule);
      continue;
    }
    const std::int64_t first = parse_number(range->first, rule);
    const std::int64_t last = parse_number(range->last, rule);
    for (const std::int64_t value : values_of(first, last, range->growth, item, rule)) add_new(all, value, rule);
  }
  return all;
}

std::vector<std::int64_t> parse_sizes(const std::string& text, const NumberRule& rule) {
  std::vector<std::int64_t> all;
  for (const std::string& item : split(text, ',')) {
    const auto range = as_range(item, rule, Counted::sizes);
    if (!range) {
      add_new(all, parse_size(item, rule), rule);
      continue;
    }
    const std::int64_t first = parse_size(range->first, rule);
    const std::int64_t last = parse_size(range->last, rule);
    for (const std::int64_t value : values_of(first, last, range->growth, item, rule)) add_new(all, value, rule);
  }
  return all;
}

std::vector<std::pair<std::int64_t, std::int64_t>> parse_grids(const std::string& text, const NumberRule& rule) {
  std::vector<std::pair<std::int64_t, std::int64_t>> all;
  for (const std::string& item : split(text, ',')) {
    const auto range = as_range(item, rule);
    if (!range) {
      add_new(all, parse_pair(item, 'x', rule), rule);
      continue;
    }
    for (const auto& grid : grids_of(*range, item, rule)) add_new(all, grid, rule);
  }
  return all;
}

std::vector<std::string> parse_words(const std::string& text, const std::string& flag) {
  std::vector<std::string> words;
  for (const std::string& word : split(text, ',')) {
    if (word.empty()) reject("{}: '{}' has an empty name; write names with one comma between them", flag, text);
    if (std::find(words.begin(), words.end(), word) != words.end()) {
      reject("{}: '{}' was given twice; give it once", flag, word);
    }
    words.push_back(word);
  }
  return words;
}

}  // namespace muster
