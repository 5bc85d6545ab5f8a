// The arbiter of a router's links: in each cycle, the lowest contending color gets the link.
#pragma once

#include <vector>

#include "backend/wafer/stream/solver.h"
#include "backend/wafer/stream/times.h"
#include "backend/wafer/stream/window.h"

namespace muster::wafer {

class LinkArbiter {
 public:
  explicit LinkArbiter(const Times& times);

  /// Adds the lower colors that leave the transit's router by one of its sides, from cycle `floor` on. They are valid until
  /// the next call.
  void add_rivals(const Transit& transit, std::int64_t floor, Rivals& rivals);
  /// Records whether a lower color blocked the transit.
  void set_met(std::int32_t transit, bool met) { met_[at(transit)] = met ? 1 : 0; }
  /// The times of transit `id` become `now`: marks the higher colors that it may block, now or before.
  void mark_rivals(std::int32_t id, const Runs& now, Window& window);

 private:
  /// The transits of one lower color, one after another.
  struct CellChain final : Rivals::Chain {
    const Times* times = nullptr;
    Directions to = 0;
    [[nodiscard]] Runs runs(std::int32_t id) const override;
    [[nodiscard]] std::int32_t after(std::int32_t id) const override;
  };
  void seek_hint(std::int32_t cell, std::int64_t cycle);
  void mark_rivals_in(std::int32_t cell, const Transit& transit, std::int64_t last, Window& window);

  const Times& times_;
  std::vector<Directions> sides_;   ///< of each cell: where its transits leave
  std::vector<std::int32_t> hint_;  ///< of each cell: a transit near the times of the last query; kNone: none has times
  std::vector<std::uint8_t> met_;   ///< of each transit: a lower color blocked it
  std::vector<CellChain> chains_;   ///< of the last add_rivals()
};

}  // namespace muster::wafer
