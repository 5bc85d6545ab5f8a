// The arbiter of a router's links: in each cycle, the lowest color that wants a link has it.
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
  /// Notes whether a lower color was in the transit's way.
  void set_met(std::int32_t transit, bool met) { met_[at(transit)] = met ? 1 : 0; }
  /// A transit's times become `now`: marks the higher colors that it may get in the way of, now or before.
  void mark_rivals(std::int32_t transit, const Runs& now, Window& window);

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
  std::vector<Directions> sides_;  ///< of each cell: where its transits leave
  std::vector<std::int32_t>
      hint_;  ///< of each cell: a transit near the times that were asked for last; kNone: none has times
  std::vector<std::uint8_t> met_;  ///< of each transit: a lower color was in its way
  std::vector<CellChain> chains_;  ///< of the last add_rivals()
};

}  // namespace muster::wafer
