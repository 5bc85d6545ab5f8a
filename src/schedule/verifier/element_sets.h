// Sets of elements, kept once in a table and named by number: equal sets have equal numbers.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "schedule/span.h"

namespace muster::verifier {

using SetId = std::int32_t;

class ElementSets {
 public:
  static constexpr SetId kEmpty = 0;

  ElementSets();
  SetId add(Range range);
  /// The ranges are disjoint and not empty, in any order; they are sorted and merged.
  SetId add(std::vector<Range>& ranges);

  /// Both remember their answers.
  SetId without(SetId set, SetId other);
  SetId united(SetId set, SetId other);

 private:
  struct Slice {
    std::size_t first = 0;
    std::size_t count = 0;
    std::uint64_t hash = 0;
  };
  static constexpr SetId kFree = -1;
  [[nodiscard]] std::span<const Range> ranges(SetId id) const;
  SetId find_or_add(std::span<const Range> ranges);
  [[nodiscard]] std::size_t slot_of(std::span<const Range> ranges, std::uint64_t hash) const;
  void grow();

  std::vector<Range> pool_;
  std::vector<Slice> sets_;
  std::unordered_map<std::uint64_t, SetId> without_;  ///< by both sets
  std::unordered_map<std::uint64_t, SetId> united_;
  std::vector<Range> some_;
  std::vector<SetId> table_;  ///< by hash, a power of two long, at most half full
};

}  // namespace muster::verifier
