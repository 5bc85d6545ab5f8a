// Assertions, and "did you mean".
#include "base/error.h"

#include <algorithm>
#include <numeric>

namespace muster {

void fail_assertion(const char* condition, const char* file, int line, const std::string& message) {
  throw InternalError(fmt::format("{}:{}: {} (broken: {})", file, line, message, condition));
}

namespace {

/// Insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> two_back(b.size() + 1);
  std::vector<std::size_t> back(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    two_back.swap(back);
    back.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({back[j] + 1, row[j - 1] + 1, back[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], two_back[j - 2] + 1);
    }
  }
  return row[b.size()];
}

/// Far names are no help: at most a third of the letters may differ, or one is a prefix of the other.
bool is_near(std::string_view name, std::string_view known) {
  const bool prefix = !name.empty() && (known.starts_with(name) || name.starts_with(known));
  return prefix || edit_distance(name, known) <= std::max<std::size_t>(1, known.size() / 3);
}

std::string quoted_list(std::span<const std::string> names, std::string_view last_separator) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? last_separator : std::string_view(", ");
    text += fmt::format("'{}'", names[i]);
  }
  return text;
}

}  // namespace

std::vector<std::string> nearest_names(std::string_view name, std::span<const std::string> known, std::size_t most) {
  // Names in input may be megabytes long: a name that long has no near match.
  if (name.size() > 200) return {};
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const std::string& candidate : known) {
    if (is_near(name, candidate)) near.emplace_back(edit_distance(name, candidate), candidate);
  }
  std::sort(near.begin(), near.end());
  std::vector<std::string> names;
  for (std::size_t i = 0; i < near.size() && i < most; ++i) names.push_back(near[i].second);
  return names;
}

std::string suggest(std::string_view name, std::span<const std::string> known) {
  const std::vector<std::string> near = nearest_names(name, known);
  if (!near.empty()) return fmt::format("did you mean {}?", quoted_list(near, " or "));
  if (known.empty()) return "none are known";
  return fmt::format("known: {}", fmt::join(known, ", "));
}

}  // namespace muster
