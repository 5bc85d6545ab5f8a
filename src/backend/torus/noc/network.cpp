#include "backend/torus/noc/network.h"

#include <algorithm>

namespace muster::torus {

std::int64_t SlowSink::take(std::int64_t now, std::int32_t flits) {
  std::int64_t begin = now;
  for (std::int32_t i = 0; i < flits; ++i, now += kPaceUnit) {
    const std::int64_t has_space = completed_[next_];  // the flit that was in the buffer's oldest slot is in the memory
    begin = std::max({ingress_.free_at, now, has_space});
    ingress_.free_at = std::max(ingress_.free_at, now) + ingress_.pace;
    free_at_ = std::max(free_at_, begin) + pace_;
    completed_[next_] = free_at_;
    if (++next_ == completed_.size()) next_ = 0;
  }
  return begin;
}

std::int64_t SlowSink::occupy(std::int64_t from, std::int64_t time) {
  const std::int64_t begin = std::max(from, free_at_);
  free_at_ = begin + time;
  return begin;
}

std::int32_t Network::copies(const Packet& packet) const {
  if (!packet.area) return 1;
  std::int32_t tiles = 0;
  for (RouterId tile = 0; tile < topology_.routers(); ++tile) {
    tiles += static_cast<std::int32_t>(topology_.is_worker(tile) && topology_.contains(*packet.area, tile) &&
                                       !(packet.skips_source && tile == packet.source));
  }
  return tiles;
}

}  // namespace muster::torus
