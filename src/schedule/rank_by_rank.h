// What a contract says of its ranks, one after another: asked once where it says the same of all.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "schedule/contract.h"

namespace muster {

/// owed_after() of rank after rank.
class OwedRankByRank {
 public:
  explicit OwedRankByRank(const Contract& contract)
      : contract_(contract),
        is_alike_(contract.collective == Collective::allreduce || contract.collective == Collective::barrier ||
                  contract.collective == Collective::broadcast || contract.collective == Collective::allgather) {}

  /// Whether all ranks owe the same.
  [[nodiscard]] bool is_alike() const { return is_alike_; }
  /// Valid until the next call.
  std::span<const Owed> of(std::int32_t index) {
    if (!is_alike_ || owed_.empty()) owed_ = owed_after(contract_, index);
    return owed_;
  }

 private:
  const Contract& contract_;
  bool is_alike_;
  std::vector<Owed> owed_;
};

/// held_before() of rank after rank.
class HeldRankByRank {
 public:
  explicit HeldRankByRank(const Contract& contract)
      : contract_(contract), is_alike_(combines(contract.collective) || contract.collective == Collective::barrier) {}

  /// Valid until the next call.
  std::span<const Range> of(std::int32_t index) {
    if (!is_alike_ || held_.empty()) held_ = held_before(contract_, index);
    return held_;
  }

 private:
  const Contract& contract_;
  bool is_alike_;
  std::vector<Range> held_;
};

}  // namespace muster
