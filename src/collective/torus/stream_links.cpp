#include "collective/torus/stream_links.h"

#include "schedule/arithmetic.h"

namespace muster {

StreamLinks::StreamLinks(const Schedule& flat, const Torus& torus, bool swapped)
    : flat_(flat), torus_(torus), swapped_(swapped) {
  for (NodeId node = 0; node < node_count(torus); ++node) tiles_.push_back(coordinates_of(torus, node));
}

int StreamLinks::noc(StreamId stream) const {
  const int asked = flat_.streams[at(stream)].route == kDefaultRoute ? 0 : 1;
  return swapped_ ? 1 - asked : asked;
}

std::int64_t StreamLinks::bytes(StreamId stream) const {
  return flat_.spans.count(flat_.streams[at(stream)].elements) * static_cast<std::int64_t>(sizeof(Word));
}

std::int64_t StreamLinks::hops(int noc, NodeId from, NodeId to) const {
  const Coordinates& a = tiles_[at(noc == 0 ? from : to)];
  const Coordinates& b = tiles_[at(noc == 0 ? to : from)];
  return (b.x - a.x + torus_.width) % torus_.width + (b.y - a.y + torus_.height) % torus_.height;
}

}  // namespace muster
