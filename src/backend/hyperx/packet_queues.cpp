// All queues share two blocks of memory: times and words.
#include "backend/hyperx/packet_queues.h"

#include <algorithm>

namespace muster::hyperx {
namespace {

/// Calls visit(port_index, id) for every port that has a queue of its own.
template <class Visit>
void for_each_queue(const Wiring& wiring, Visit visit) {
  for (const Row& row : wiring.registers().rows) {
    for (std::int32_t i = 0; i < row.inputs.count; ++i) visit(row.inputs.first + i, row.id);
    for (std::int32_t i = 0; i < row.outputs.count; ++i) {
      if (wiring.row(row.outputs.first + i) < 0) visit(row.outputs.first + i, row.id);
    }
  }
}

}  // namespace

PacketQueues::PacketQueues(const Wiring& wiring, const Timing& timing)
    : wiring_(wiring),
      packet_bytes_(wiring.program().network().packet.value()),
      queues_(wiring.registers().ports.size()) {
  const auto slots = [&](std::int16_t id) { return std::min(timing.buffer(), timing.packets(id)); };
  const auto words_each = [&](std::int16_t id) {
    return std::min((packet_bytes_ + kWordBytes - 1) / kWordBytes, wiring.registers().segments[at(id)].elements.count);
  };
  std::int64_t all_slots = 0, all_words = 0;
  for_each_queue(wiring, [&](std::int32_t, std::int16_t id) {
    all_slots += slots(id);
    all_words += slots(id) * words_each(id);
  });
  times_.resize(at(all_slots));
  words_.resize(at(all_words));
  all_slots = 0, all_words = 0;
  for_each_queue(wiring, [&](std::int32_t port_index, std::int16_t id) {
    queues_[at(port_index)] = {times_.data() + all_slots, words_.data() + all_words, slots(id), words_each(id)};
    all_slots += slots(id);
    all_words += slots(id) * words_each(id);
  });
}

/// A word travels in the packet that has its last byte.
Range PacketQueues::words_of(std::int32_t id, std::int64_t packet) const {
  const Range all = wiring_.registers().segments[at(id)].elements;
  const std::int64_t first = std::min(all.count, packet * packet_bytes_ / kWordBytes);
  const std::int64_t end = std::min(all.count, (packet + 1) * packet_bytes_ / kWordBytes);
  return {all.first + first, end - first};
}

}  // namespace muster::hyperx
