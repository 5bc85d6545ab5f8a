// Aligned text tables for terminals.
#include "base/text_table.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/error.h"

namespace muster {
namespace {

constexpr std::string_view kGap = "  ";
constexpr std::size_t kNarrowest = 12;  ///< of a column whose cells are broken
constexpr const char* kHighlight = "\033[1;32m";
constexpr const char* kPlain = "\033[0m";

/// Bytes of the UTF-8 character that begins with `lead`; 0 if none does.
std::size_t sequence_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  if (lead < 0xE0) return 2;
  return lead < 0xF0 ? 3 : 4;
}

/// The character at the front of the text, which moves behind it.
char32_t take_character(std::string_view& text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t length = sequence_length(byte(0));
  bool is_whole = length > 0 && length <= text.size();
  for (std::size_t i = 1; is_whole && i < length; ++i) is_whole = (byte(i) & 0xC0U) == 0x80U;
  if (!is_whole) {
    text.remove_prefix(1);
    return U'?';
  }
  char32_t character = length == 1 ? byte(0) : byte(0) & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) character = (character << 6U) | (byte(i) & 0x3FU);
  text.remove_prefix(length);
  return character;
}

struct CharacterRange {
  char32_t first;
  char32_t last;
};

bool is_in(char32_t character, std::initializer_list<CharacterRange> ranges) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [=](CharacterRange range) { return range.first <= character && character <= range.last; });
}

/// After Unicode's East Asian Width, in blocks.
std::size_t character_width(char32_t character) {
  if (is_in(character, {{0x0300, 0x036F}, {0x200B, 0x200F}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}})) return 0;
  const bool is_wide = is_in(character, {{0x1100, 0x115F},
                                         {0x2E80, 0xA4CF},
                                         {0xAC00, 0xD7A3},
                                         {0xF900, 0xFAFF},
                                         {0xFE30, 0xFE6F},
                                         {0xFF00, 0xFF60},
                                         {0xFFE0, 0xFFE6},
                                         {0x1F300, 0x1FAFF},
                                         {0x20000, 0x3FFFD}});
  return is_wide ? 2 : 1;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) width += character_width(take_character(text));
  return width;
}

TextTable::TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

namespace {

/// Cuts off what fits into `width` columns, one character at least.
std::string_view take_columns(std::string_view& text, std::size_t width) {
  std::string_view rest = text;
  std::size_t taken = 0;
  for (std::size_t columns = 0; !rest.empty();) {
    std::string_view after = rest;
    columns += character_width(take_character(after));
    if (taken > 0 && columns > width) break;
    taken = text.size() - after.size();
    rest = after;
  }
  const std::string_view front = text.substr(0, taken);
  text = rest;
  return front;
}

/// Each line begins and ends its colour, so that a pager may cut between them.
std::string coloured(std::string_view lines) {
  std::string result;
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size() - 1);
    result.append(kHighlight).append(lines.substr(0, end)).append(kPlain).append("\n");
    lines.remove_prefix(end + 1);
  }
  return result;
}

}  // namespace

std::vector<std::string> broken_lines(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return {std::string(text)};
  std::vector<std::string> lines{""};
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    const bool fits = lines.back().empty() || display_width(lines.back()) + 1 + display_width(word) <= width;
    if (!fits) lines.emplace_back();
    if (!lines.back().empty()) lines.back() += ' ';
    while (display_width(word) > width) {
      lines.back() += take_columns(word, width);
      if (!word.empty()) lines.emplace_back();
    }
    lines.back() += word;
  }
  return lines;
}

void TextTable::add(std::vector<std::string> cells) {
  MUSTER_ASSERT(cells.size() <= columns_.size(), "{} cells for {} columns", cells.size(), columns_.size());
  cells.resize(columns_.size());
  rows_.push_back({.cells = std::move(cells)});
}

void TextTable::add_highlighted(std::vector<std::string> cells) {
  add(std::move(cells));
  rows_.back().highlighted = true;
}

TextTable::Widths TextTable::widths() const {
  Widths widths;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    std::size_t width = display_width(columns_[c].title);
    for (const Row& row : rows_) width = std::max(width, display_width(row.cells[c]));
    widths.push_back(width);
  }
  return widths;
}

/// Takes width from the widest left-aligned column, one at a time, while there are too many.
TextTable::Widths TextTable::widths_within(std::size_t limit) const {
  Widths widths = this->widths();
  if (limit == 0 || widths.empty()) return widths;
  std::size_t all = kGap.size() * (widths.size() - 1);
  for (const std::size_t width : widths) all += width;
  for (; all > limit; --all) {
    std::size_t* widest = nullptr;
    for (std::size_t c = 0; c < widths.size(); ++c) {
      const bool may_shrink = columns_[c].align == Align::left && widths[c] > kNarrowest;
      if (may_shrink && (widest == nullptr || widths[c] > *widest)) widest = &widths[c];
    }
    if (widest == nullptr) return this->widths();  // it does not fit anyway
    --*widest;
  }
  return widths;
}

std::string TextTable::line(const std::vector<std::string>& cells, const Widths& widths) const {
  std::string line;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (c > 0) line += kGap;
    const std::string padding(widths[c] - display_width(cells[c]), ' ');
    line += columns_[c].align == Align::right ? padding + cells[c] : cells[c] + padding;
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

/// As many lines as the cell with the most of them needs.
std::string TextTable::lines(const std::vector<std::string>& cells, const Widths& widths) const {
  std::vector<std::vector<std::string>> pieces;
  std::size_t most = 1;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    pieces.push_back(broken_lines(cells[c], widths[c]));
    most = std::max(most, pieces.back().size());
  }
  std::string text;
  for (std::size_t i = 0; i < most; ++i) {
    std::vector<std::string> now;
    for (const auto& piece : pieces) now.push_back(i < piece.size() ? piece[i] : "");
    text += line(now, widths);
  }
  return text;
}

std::string TextTable::text(const Style& style) const {
  const Widths widths = widths_within(style.width);
  std::vector<std::string> titles;
  std::vector<std::string> rule;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    titles.push_back(columns_[c].title);
    rule.emplace_back(widths[c], '-');
  }
  std::string text;
  const bool has_header = std::any_of(titles.begin(), titles.end(), [](const std::string& t) { return !t.empty(); });
  if (has_header) text += lines(titles, widths) + line(rule, widths);
  for (const Row& row : rows_) {
    const std::string all = lines(row.cells, widths);
    text += style.colour && row.highlighted ? coloured(all) : all;
  }
  return text;
}

}  // namespace muster
