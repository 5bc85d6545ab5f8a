#include "collective/torus/link_loads.h"

#include <algorithm>
#include <map>

#include "schedule/arithmetic.h"

namespace muster {

LinkLoads::LinkLoads(const Schedule& flat, const ScheduleIndex& index, const Torus& torus, bool swapped)
    : flat_(flat), torus_(torus), swapped_(swapped), busiest_(flat.streams.size()) {
  for (NodeId node = 0; node < node_count(torus); ++node) tiles_.push_back(coordinates_of(torus, node));
  // Streams by the step of the lane that sends them.
  std::map<std::pair<std::int32_t, std::int32_t>, std::vector<StreamId>> steps;
  for (StreamId stream = 0; stream < std::ssize(flat.streams); ++stream) {
    const StepId producer = index.producer[at(stream)];
    busiest_[at(stream)] = bytes(stream);
    if (producer == kNoStep || flat.streams[at(stream)].sinks.count > 1) continue;
    const std::int32_t lane = index.lane_of[at(producer)];
    const std::int32_t first = flat.first_lane[at(index.node_of[at(producer)])];
    steps[{lane - first, producer - flat.lanes[at(lane)].first}].push_back(stream);
  }
  std::vector<std::int64_t> load(4 * at(node_count(torus)));
  for (const auto& [step, streams] : steps) {
    for (const StreamId stream : streams) {
      for_each_link(stream, [&](std::size_t link) { load[link] += bytes(stream); });
    }
    for (const StreamId stream : streams) {
      for_each_link(stream,
                    [&](std::size_t link) { busiest_[at(stream)] = std::max(busiest_[at(stream)], load[link]); });
    }
    for (const StreamId stream : streams) {
      for_each_link(stream, [&](std::size_t link) { load[link] = 0; });
    }
  }
}

int LinkLoads::noc(StreamId stream) const {
  const int asked = flat_.streams[at(stream)].route == kDefaultRoute ? 0 : 1;
  return swapped_ ? 1 - asked : asked;
}

std::int64_t LinkLoads::bytes(StreamId stream) const {
  return flat_.spans.count(flat_.streams[at(stream)].elements) * static_cast<std::int64_t>(sizeof(Word));
}

/// visit(number of a link), each number another link.
template <class Visit>
void LinkLoads::for_each_link(StreamId stream, Visit visit) const {
  const Stream& s = flat_.streams[at(stream)];
  Coordinates here = tiles_[at(s.source)];
  const Coordinates end = tiles_[at(flat_.sinks_of(s)[0])];
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

}  // namespace muster
