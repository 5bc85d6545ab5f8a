// Whether what a row gets must have passed another row: then a word cannot arrive before it was sent.
#pragma once

#include <cstdint>
#include <vector>

#include "backend/hyperx/wiring.h"

namespace muster::hyperx {

class OnlyWay {
 public:
  /// The registers have passed check_wiring().
  OnlyWay(const Wiring& wiring, const RowOrder& order);

  /// Whether all that `from` sends has one way, without a fork, up to a row from which `to` gets all that it takes, without
  /// anything that joins it. True in both halves of a tree that reduces and comes back; other ways are not looked for.
  [[nodiscard]] bool leads(std::int32_t from, std::int32_t to) const {
    const std::int32_t via = origin_[at(to)];
    return first_[at(via)] <= first_[at(from)] && first_[at(from)] < first_[at(via)] + size_[at(via)];
  }

 private:
  std::vector<std::int32_t>
      origin_;  ///< of what a row takes: the last row in which anything is joined, or given by a memory
  // Rows with one output form trees towards the row behind it. Those behind which a row stands have consecutive numbers:
  std::vector<std::int32_t> first_;  ///< the number of a row, the lowest of its tree
  std::vector<std::int32_t> size_;   ///< of its tree, itself included
};

}  // namespace muster::hyperx
