// A shortcut for an all-to-all that is composed of all-to-alls, each in place: what the schedulers of clusters write. A component
// has one piece of every block, of the same length everywhere; each group exchanges whole pieces. So what a rank holds is
// a list of pieces, and each is the piece of one rank and one block: no fingerprints are needed. It may give up on a right
// component, and then compose() decides; what it proves is right.
#pragma once

#include "schedule/verifier/phase_stages.h"

namespace muster::verifier {

class ExchangeShortcut {
 public:
  explicit ExchangeShortcut(const Schedule& schedule);

  /// Whether the ranks hold what they owe in the component's elements. False: not known.
  bool proves(const Component& component);

 private:
  /// A rank and a block: rank * ranks_ + block.
  using PieceId = std::uint32_t;

  bool find_pieces(const Component& component);
  bool apply(const Phase& phase);
  bool exchange(const Contract& contract, const Group& group);
  bool find_blocks(SpanId span, std::int64_t offset);
  [[nodiscard]] bool is_fulfilled() const;

  const Schedule& schedule_;
  bool fits_ = false;
  std::size_t ranks_ = 0;
  std::vector<std::size_t> rank_of_;  ///< by node; ranks_: it has none
  std::int64_t block_ = 0;            ///< elements
  Range piece_;                       ///< in each block, counted from its beginning
  std::vector<PieceId> held_;         ///< by rank and block
  SpanId span_ = -1;                  ///< that blocks_ are of, with the offset
  std::int64_t offset_ = 0;
  std::vector<std::size_t> blocks_;  ///< whose pieces a span has, in its order
  std::vector<PieceId*> rows_;       ///< what each rank of the group at hand holds
};

}  // namespace muster::verifier
