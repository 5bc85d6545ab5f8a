// Pieces that change places.
#include "schedule/verifier/exchange_shortcut.h"

#include <algorithm>
#include <numeric>

namespace muster::verifier {
namespace {

constexpr std::size_t kMostRanks = 1 << 13;  ///< whose pieces take 256 MiB

}  // namespace

ExchangeShortcut::ExchangeShortcut(const Schedule& schedule) : schedule_(schedule) {
  if (schedule.contracts.size() != 1) return;
  const Contract& contract = schedule.contracts.front();
  ranks_ = contract.ranks.size();
  fits_ = contract.collective == Collective::all_to_all && contract.from == contract.to && ranks_ <= kMostRanks;
  if (!fits_) return;
  block_ = contract.count / static_cast<std::int64_t>(ranks_);
  rank_of_.assign(at(schedule.node_count), ranks_);
  for (std::size_t i = 0; i < ranks_; ++i) rank_of_[at(contract.ranks[i])] = i;
}

bool ExchangeShortcut::proves(const Component& component) {
  if (!fits_ || !find_pieces(component)) return false;
  span_ = -1;
  held_.resize(ranks_ * ranks_);
  std::iota(held_.begin(), held_.end(), PieceId{0});
  for (const std::int32_t phase : component.phases) {
    if (!apply(schedule_.phases[at(phase)])) return false;
  }
  return is_fulfilled();
}

/// The component reaches over the same elements of each block.
bool ExchangeShortcut::find_pieces(const Component& component) {
  const std::vector<Range>& elements =
      component.elements[static_cast<std::size_t>(schedule_.contracts.front().from) - 1];
  if (elements.size() == 1 && elements.front() == Range{0, schedule_.contracts.front().count}) {
    piece_ = {0, block_};  // neighbouring blocks are one range
    return true;
  }
  if (elements.size() != ranks_) return false;
  piece_ = elements.front();
  if (piece_.end() > block_) return false;
  for (std::size_t i = 0; i < ranks_; ++i) {
    if (elements[i] != Range{piece_.first + static_cast<std::int64_t>(i) * block_, piece_.count}) return false;
  }
  return true;
}

bool ExchangeShortcut::apply(const Phase& phase) {
  const Buffer buffer = schedule_.contracts.front().from;
  const Contract& contract = schedule_.parts[at(phase.part)].contracts.front();
  if (contract.collective != Collective::all_to_all || phase.input != buffer || phase.output != buffer) return false;
  const std::vector<Group>& groups = groups_of(schedule_, phase);
  return std::all_of(groups.begin(), groups.end(), [&](const Group& group) {
    return find_blocks(group.on, phase.offset) && exchange(contract, group);
  });
}

/// At block j of the part's vector, rank i owes block i of rank j: they change places. All that a part stores is owed.
bool ExchangeShortcut::exchange(const Contract& contract, const Group& group) {
  const std::size_t members = contract.ranks.size(), length = blocks_.size() / members;
  if (length * members != blocks_.size()) return false;
  rows_.clear();
  for (const NodeId member : contract.ranks) {
    const std::size_t rank = rank_of_[at(group.members[at(member)])];
    if (rank == ranks_) return false;
    rows_.push_back(held_.data() + rank * ranks_);
  }
  for (std::size_t i = 0; i < members; ++i) {
    for (std::size_t j = i + 1; j < members; ++j) {
      for (std::size_t k = 0; k < length; ++k) {
        std::swap(rows_[i][blocks_[j * length + k]], rows_[j][blocks_[i * length + k]]);
      }
    }
  }
  return true;
}

/// Of a span that consists of whole pieces.
bool ExchangeShortcut::find_blocks(SpanId span, std::int64_t offset) {
  if (span == span_ && offset == offset_) return true;
  span_ = -1;
  blocks_.clear();
  for (const Range& range : schedule_.spans.ranges(span)) {
    for (std::int64_t first = range.first + offset, end = range.end() + offset; first < end; first += piece_.count) {
      if (first % block_ != piece_.first || end - first < piece_.count) return false;
      blocks_.push_back(static_cast<std::size_t>(first / block_));
    }
  }
  if (!blocks_.empty() && *std::max_element(blocks_.begin(), blocks_.end()) >= ranks_) return false;
  span_ = span;
  offset_ = offset;
  return true;
}

/// At block j, rank i owes block i of rank j.
bool ExchangeShortcut::is_fulfilled() const {
  for (std::size_t i = 0; i < ranks_; ++i) {
    for (std::size_t j = 0; j < ranks_; ++j) {
      if (held_[i * ranks_ + j] != j * ranks_ + i) return false;
    }
  }
  return true;
}

}  // namespace muster::verifier
