// Whether everything that a row receives must have passed another row: then a word cannot arrive before it was sent.
#pragma once

#include <cstdint>
#include <vector>

#include "backend/hyperx/wiring.h"

namespace muster::hyperx {

class OnlyWay {
 public:
  /// The registers have passed check_wiring().
  OnlyWay(const Wiring& wiring, const RowOrder& order);

  /// Whether everything that `from` sends follows one path, without a fork, to a row from which `to` receives all its input,
  /// without anything joining it. True in both halves of a tree that reduces and broadcasts; other paths are not searched.
  [[nodiscard]] bool leads(std::int32_t from, std::int32_t to) const {
    const std::int32_t via = origin_[at(to)];
    return first_[at(via)] <= first_[at(from)] && first_[at(from)] < first_[at(via)] + size_[at(via)];
  }

 private:
  std::vector<std::int32_t>
      origin_;  ///< of what a row takes: the last row in which anything is joined, or given by a memory
  // Rows with one output form trees towards the row after it. Those behind which a row stands have consecutive numbers:
  std::vector<std::int32_t> first_;  ///< the number of a row, the lowest of its tree
  std::vector<std::int32_t> size_;   ///< of its tree, itself included
};

}  // namespace muster::hyperx
