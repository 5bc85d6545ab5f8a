// What the processes of a decomposition send to each other in a time step: which cells, and how much that is.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "app/seismic/equation/description.h"
#include "app/seismic/setup.h"

namespace muster::seismic {

/// Cells that go to the neighbour on a side, and those that come from there.
struct Transfer {
  Axis axis = Axis::x;
  bool is_high = false;
  Box send;
  Box receive;
};

/// Of a field that a phase reads. Along several axes at once: with what came along the axes before.
std::vector<Transfer> transfers_of(const Read& read, const Part& part, std::int64_t radius);

/// Of psi of a second derivative, where a layer goes on behind a side of the part.
std::vector<Transfer> memory_transfers(Axis axis, bool goes_on_low, bool goes_on_high, const Part& part,
                                       std::int64_t radius);

struct Traffic {
  std::int64_t bytes = 0;
  std::int64_t messages = 0;

  Traffic& operator+=(const Traffic& other);
  bool operator==(const Traffic&) const = default;
};

/// What a process sends over its low and its high side of each axis: at most one message each.
using SideTraffic = PerAxis<std::array<Traffic, 2>>;

/// The exchanges of a step, one after another; each has ended before its phase ends.
std::vector<SideTraffic> exchanges_of(const Description& equation, const GridOptions& options, const Part& part,
                                      std::size_t bytes_of_real);

/// Over all sides of all exchanges.
Traffic sum_of(const std::vector<SideTraffic>& exchanges);

}  // namespace muster::seismic
