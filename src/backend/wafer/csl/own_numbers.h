// Processors that do the same with other elements of the vector: the offsets, lengths and repetitions in which they
// differ become numbers of their own, so that they share a list.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "backend/wafer/csl/program.h"

namespace muster::wafer {

class OwnNumbers {
 public:
  /// Replaces what differs between classes that otherwise do the same by kFirstOwnNumber and the index of a number.
  void take_from(std::vector<CslOperations>& of_class);
  [[nodiscard]] std::size_t count() const { return columns_.size(); }
  [[nodiscard]] NumberTable table(const WaferProgram& program) const;

 private:
  using Column = OpenNumbers;  ///< by class
  std::int64_t index_of(Column column);
  /// The number of each column, of these classes, compressed as rows of `width`.
  [[nodiscard]] std::vector<CopyItem> items(const std::vector<std::int32_t>& classes, std::int32_t width) const;

  std::map<Column, std::int64_t> known_;
  std::vector<Column> columns_;
};

}  // namespace muster::wafer
