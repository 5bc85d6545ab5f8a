// Collectives on a grid as phases (schedule/phase.h), one after another at every PE: what all rows do, what columns do, what the whole
// grid does. A row is written once, however many there are.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "machine/mesh.h"
#include "schedule/builder.h"

namespace muster {

class GridPhases {
 public:
  /// For vectors of `count` elements.
  GridPhases(const Mesh& mesh, std::int64_t count);

  /// Each adds a phase, behind all phases before it. A part's nodes are the PEs of a line from its first one on, or of the grid;
  /// where its contract works in place, it does so in `output`.
  void along_rows(Schedule part);
  void along_columns(Schedule part);
  void along_column(std::int32_t x, Schedule part);
  void on_grid(Schedule part);

  /// A part that several phases use, and a phase of it on each of the boxes: their first PEs are `corners`, its nodes are theirs row by
  /// row. The part works on the elements from `offset` on.
  std::int32_t part(Schedule part);
  struct Boxes {
    std::vector<NodeId> corners;
    NodeId width = 1;
    NodeId height = 1;
    auto operator<=>(const Boxes&) const = default;
  };
  void run(std::int32_t part, const Boxes& boxes, std::int64_t offset);

  Schedule finish(Contract contract) &&;

 private:
  struct Part {
    std::int64_t count = 0;
    bool in_place = false;
  };
  std::int32_t groups_of(const Boxes& boxes, std::int64_t count);

  NodeId width_;
  NodeId height_;
  ScheduleBuilder builder_;
  std::vector<Part> parts_;
  std::map<std::pair<Boxes, std::int64_t>, std::int32_t> groups_;  ///< by boxes and elements
  std::int32_t last_ = -1;                                         ///< phase
};

/// A part for GridPhases: a schedule of `nodes` nodes, which are the contract's ranks if it names none. `write` gets the builder and the
/// span of all elements.
template <class Write>
Schedule part_of(NodeId nodes, Contract contract, Write write) {
  ScheduleBuilder b({.nodes = nodes, .count = contract.count});
  write(b, b.span({0, contract.count}));
  if (contract.ranks.empty()) {
    for (NodeId n = 0; n < nodes; ++n) contract.ranks.push_back(n);
  }
  b.contract(std::move(contract));
  return std::move(b).finish();
}

}  // namespace muster
