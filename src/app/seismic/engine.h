// What holds the fields of a simulation and computes on them: this process, a GPU, one of many ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "app/seismic/point.h"
#include "app/seismic/state.h"

namespace muster::seismic {

/// Points of one field, each with the cells around it and their weights.
struct Points {
  int field = 0;
  std::vector<std::vector<NodeWeight>> points;
};

/// A value of a field that is infinite or not a number.
struct NotFinite {
  int field = 0;
  Extent cell;
  double value = 0;
};

template <class Real>
class Engine {
 public:
  Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  virtual ~Engine() = default;

  /// Everything of a phase: what lies outside the grid, memory of the layers, updates, free surfaces.
  virtual void run(std::size_t phase) = 0;

  /// Prepares points for inject() and gather(); returns their number.
  virtual std::size_t add(Points points) = 0;
  /// Forgets all points.
  virtual void clear() = 0;
  /// Adds an amplitude times the weights to the cells of each point: in order, so that bits do not depend on the engine.
  virtual void inject(std::size_t points, std::span<const double> amplitudes) = 0;
  /// The sum of values times weights, for each point.
  virtual void gather(std::size_t points, std::span<double> values) = 0;

  /// The state as it is now, on the host. Valid until the next call of run() or inject().
  virtual State<Real>& state() = 0;
  /// Takes over what the caller has changed in state(): fields, `before` and memory.
  virtual void upload() = 0;

  /// The first of all fields' values that is not finite, if there is one: fields in their order, cells in the order of memory.
  virtual std::optional<NotFinite> first_not_finite();

  /// Until everything that was asked for is done: engines may return from run() and inject() earlier.
  virtual void wait() {}
};

extern template class Engine<float>;
extern template class Engine<double>;

}  // namespace muster::seismic
