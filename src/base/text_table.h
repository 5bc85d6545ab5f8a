// Aligned text tables for terminals.
//
//   TextTable table({{"algorithm"}, {"cycles", TextTable::Align::right}});
//   table.add({"chain", "1234"});
//   table.text();
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace muster {

/// How text is laid out. The default is for pipes and files: lines are as long as they are, without colours.
struct Style {
  std::size_t width = 0;  ///< columns of the terminal; 0: no limit
  bool colour = false;
  bool verbose = false;  ///< lists are complete that are shortened otherwise
};

class TextTable {
 public:
  enum class Align { left, right };
  struct Column {
    std::string title;
    Align align = Align::left;
  };

  /// Columns without any title have no header.
  explicit TextTable(std::vector<Column> columns);

  /// A row; cells that are left out at its end are empty, more cells than columns are a bug.
  void add(std::vector<std::string> cells);
  /// The same for a row that is coloured where there are colours.
  void add_highlighted(std::vector<std::string> cells);

  [[nodiscard]] bool empty() const { return rows_.empty(); }

  /// The header, a rule and the rows; columns are two spaces apart, no line ends in spaces, each ends in a newline. Where
  /// that is wider than the style allows, the widest left-aligned columns become narrower, and their cells take several
  /// lines; numbers stay whole, so a table of many numbers may remain too wide.
  [[nodiscard]] std::string text(const Style& style = {}) const;

 private:
  using Widths = std::vector<std::size_t>;
  [[nodiscard]] Widths widths() const;
  [[nodiscard]] Widths widths_within(std::size_t limit) const;
  [[nodiscard]] std::string line(const std::vector<std::string>& cells, const Widths& widths) const;
  [[nodiscard]] std::string lines(const std::vector<std::string>& cells, const Widths& widths) const;

  struct Row {
    std::vector<std::string> cells;
    bool highlighted = false;
  };
  std::vector<Column> columns_;
  std::vector<Row> rows_;
};

/// The text in lines of at most `width` columns, broken at spaces; a longer word is cut. A text that fits stays as it is.
std::vector<std::string> broken_lines(std::string_view text, std::size_t width);

/// The columns that a UTF-8 text takes on a terminal: wide characters take two, combining marks none, and each byte that
/// is not UTF-8 one.
std::size_t display_width(std::string_view text);

}  // namespace muster
