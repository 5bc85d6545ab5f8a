// Routers of the simulated fabric. A cycle has two halves: decide() looks at the state at the start of the cycle and
// chooses what moves, commit() moves it.
#pragma once

#include <cstdint>
#include <vector>

#include "backend/wafer/simulate/fabric.h"

namespace muster::wafer {

class Routers {
 public:
  explicit Routers(Fabric& fabric);

  /// A wavelet was put in an input queue of the cell with this index.
  void notice(std::int32_t id);

  void decide(std::int64_t now);
  /// Moves what was decided. `to_processor(node, ready)` and `from_processor(node)` are called for every ramp that is
  /// used.
  template <class ToProcessor, class FromProcessor>
  void commit(std::int64_t now, ToProcessor to_processor, FromProcessor from_processor) {
    for (const Move& move : moves_) {
      Cell& cell = fabric_.cells[static_cast<std::size_t>(move.cell)];
      if (move.input == Direction::ramp) from_processor(cell.router);
      if (move_one(move, now)) to_processor(cell.router, now + ramp_latency_);
    }
  }
  [[nodiscard]] bool moved() const { return !moves_.empty(); }

 private:
  struct Move {
    std::int32_t cell = 0;
    Direction input = Direction::ramp;
  };
  void decide_router(NodeId router, std::int64_t now);
  void next_turn(NodeId router, Directions lost, std::size_t first_move);
  bool choose_input(const Cell& cell, std::int64_t now, Direction& input);
  bool outputs_free(const Cell& cell, std::int64_t now);
  bool move_one(const Move& move, std::int64_t now);
  void obey(Cell& cell, const Wavelet& wavelet, Direction input, std::int64_t now);

  Fabric& fabric_;
  std::int64_t hop_latency_;
  std::int64_t ramp_latency_;
  std::vector<NodeId> active_;        ///< routers that hold wavelets, in order: neighbours share cache lines
  std::vector<NodeId> fresh_;         ///< those that got their first one in this cycle
  std::vector<std::uint8_t> listed_;  ///< whether a router is among them
  Arbitration arbitration_;
  std::vector<std::uint8_t> turn_;  ///< round robin: which color of a router is asked first
  std::vector<Move> moves_;
};

}  // namespace muster::wafer
