// The elements of spans, and of the blocks into which contracts cut them, as sets.
#pragma once

#include <utility>
#include <vector>

#include "base/index.h"
#include "schedule/schedule.h"
#include "schedule/verifier/element_sets.h"

namespace muster::verifier {

class SpanSets {
 public:
  SpanSets(const Schedule& schedule, ElementSets& sets) : schedule_(schedule), sets_(sets), of_(at(schedule.spans.size())) {}

  /// How the contract cuts its vector into blocks. Equal cuts have equal numbers.
  std::int32_t cut(const Contract& contract);

  SetId whole(SpanId span);
  /// Where the sets of the span's blocks begin, for blocks_at(): one for each rank, then one of all blocks together.
  std::size_t blocks(SpanId span, std::int32_t cut);
  [[nodiscard]] const SetId* blocks_at(std::size_t index) const { return blocks_.data() + index; }

 private:
  struct Cut {
    std::vector<Range> blocks;  ///< by rank
    std::vector<std::size_t> order;  ///< the ranks of those that are not empty, by their elements
  };
  struct OfSpan {
    SetId whole = -1;
    std::vector<std::pair<std::int32_t, std::size_t>> cuts{};  ///< with where their blocks begin
  };
  void add_blocks(SpanId span, const Cut& cut);

  const Schedule& schedule_;
  ElementSets& sets_;
  std::vector<Cut> cuts_;
  std::vector<OfSpan> of_;
  std::vector<SetId> blocks_;
};

}  // namespace muster::verifier
