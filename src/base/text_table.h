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

  [[nodiscard]] bool empty() const { return rows_.empty(); }

  /// The header, a rule and the rows; columns are two spaces apart, no line ends in spaces, each ends in a newline.
  [[nodiscard]] std::string text() const;

 private:
  [[nodiscard]] std::vector<std::size_t> widths() const;
  [[nodiscard]] std::string line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) const;
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// The places that a UTF-8 text takes on a terminal: wide characters take two, combining marks none, and each byte that
/// is no UTF-8 one.
std::size_t display_width(std::string_view text);

}  // namespace muster
