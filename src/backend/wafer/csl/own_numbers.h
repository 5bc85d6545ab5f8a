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
  /// The numbers of all processors: the first of each, then the second, ...
  [[nodiscard]] std::vector<CopyItem> items(const WaferProgram& program) const;

 private:
  using Column = OpenNumbers;  ///< by class
  std::int64_t index_of(Column column);

  std::map<Column, std::int64_t> known_;
  std::vector<Column> columns_;
};

}  // namespace muster::wafer
