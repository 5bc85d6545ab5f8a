// The links that the streams of a schedule take on a torus.
#pragma once

#include <cstdint>
#include <vector>

#include "machine/torus.h"
#include "schedule/index.h"

namespace muster {

class StreamLinks {
 public:
  StreamLinks(const Schedule& flat, const Torus& torus, bool swapped);

  /// The NoC that a stream takes.
  [[nodiscard]] int noc(StreamId stream) const;
  [[nodiscard]] std::int64_t bytes(StreamId stream) const;
  [[nodiscard]] std::int64_t hops(int noc, NodeId from, NodeId to) const;
  /// Calls visit(number of a link) along the way to its first sink. Numbers are below links().
  template <class Visit>
  void for_each(StreamId stream, Visit visit) const {
    for_each(stream, flat_.sinks_of(flat_.streams[at(stream)])[0], visit);
  }
  /// The same to any sink.
  template <class Visit>
  void for_each(StreamId stream, NodeId sink, Visit visit) const {
    Coordinates here = tiles_[at(flat_.streams[at(stream)].source)];
    const Coordinates end = tiles_[at(sink)];
    const int noc = this->noc(stream);
    const auto go = [&](std::int32_t Coordinates::*axis, std::int32_t size, std::size_t kind) {
      while (here.*axis != end.*axis) {
        visit(4 * at(here.y * torus_.width + here.x) + 2 * at(noc) + kind);
        here.*axis = (here.*axis + (noc == 0 ? 1 : size - 1)) % size;
      }
    };
    if (noc == 0) go(&Coordinates::x, torus_.width, 0);
    go(&Coordinates::y, torus_.height, 1);
    if (noc == 1) go(&Coordinates::x, torus_.width, 0);
  }
  [[nodiscard]] std::size_t links() const { return 4 * tiles_.size(); }

 private:
  const Schedule& flat_;
  const Torus& torus_;
  bool swapped_;
  std::vector<Coordinates> tiles_;  ///< by node
};

}  // namespace muster
