// How processes that share a grid give each other the cells at their common sides.
#pragma once

#include <cstdint>
#include <span>

#include "app/seismic/axis.h"
#include "app/seismic/volume.h"

namespace muster::seismic {

/// Some cells of an array.
template <class Real>
struct Strip {
  Real* origin = nullptr;  ///< where cell 0, 0, 0 lies or would lie
  Extent stride;
  Box cells;
};

template <class Real>
class Exchange {
 public:
  Exchange() = default;
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  virtual ~Exchange() = default;

  /// Adds cells to the messages to and from the neighbour on a side. Both neighbours add in the same order.
  virtual void add(Axis axis, bool is_high, const Strip<Real>& send, const Strip<Real>& receive) = 0;
  /// Sends what was added, without waiting. The cells to send may change afterwards.
  virtual void start() = 0;
  /// Waits for what the neighbours have sent.
  virtual void finish() = 0;

  /// The sums over all processes, in place.
  virtual void sum(std::span<double> values) = 0;
};

}  // namespace muster::seismic
