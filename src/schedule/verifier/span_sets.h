// The elements of spans, and of the blocks into which contracts cut them, as sets.
#pragma once

#include <vector>

#include "base/index.h"
#include "schedule/schedule.h"
#include "schedule/verifier/element_sets.h"

namespace muster::verifier {

class SpanSets {
 public:
  SpanSets(const Schedule& schedule, ElementSets& sets)
      : schedule_(schedule), sets_(sets), of_(at(schedule.spans.size())) {}

  /// How the contract cuts its vector into blocks. Equal cuts have equal numbers.
  std::int32_t cut(const Contract& contract);

  /// Of the span's elements + shift.
  SetId whole(SpanId span, std::int64_t shift);
  /// Where the sets of the blocks of these begin, for blocks_at(): one for each rank, then one of all blocks together.
  std::size_t blocks(SpanId span, std::int64_t shift, std::int32_t cut);
  [[nodiscard]] const SetId* blocks_at(std::size_t index) const { return blocks_.data() + index; }

 private:
  struct Cut {
    std::vector<Range> blocks;       ///< by rank
    std::vector<std::size_t> order;  ///< the ranks of those that are not empty, by their elements
  };
  struct Known {
    std::int64_t shift = 0;
    std::int32_t cut = kUncut;
    std::size_t first = 0;  ///< in blocks_; of an uncut span: its set
  };
  static constexpr std::int32_t kUncut = -1;
  std::vector<Range> shifted(SpanId span, std::int64_t shift) const;
  std::size_t add_whole(SpanId span, std::int64_t shift);
  std::size_t add_blocks(SpanId span, std::int64_t shift, const Cut& cut);
  const Known* find(SpanId span, std::int64_t shift, std::int32_t cut) const;

  const Schedule& schedule_;
  ElementSets& sets_;
  std::vector<Cut> cuts_;
  std::vector<std::vector<Known>> of_;  ///< by span; the newest last
  std::vector<SetId> blocks_;
};

}  // namespace muster::verifier
