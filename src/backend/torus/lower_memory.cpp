#include <algorithm>

#include "backend/torus/lowerer.h"
#include "base/index.h"

namespace muster::torus {
namespace {

/// Padding that is sent along, rather than sending two messages.

}  // namespace

void Lowerer::map_buffers(MemoryMap& map, bool cores) {
  std::array<std::vector<bool>, 4> used;
  for (std::size_t b = 0; b < used.size(); ++b) used[b].resize(pieces_.of(static_cast<Buffer>(b)).size());
  const auto use = [&](Buffer buffer, SpanId span) {
    if (buffer == Buffer::none) return;
    for (const std::int32_t piece : pieces_.in(flat_, buffer, span))
      used[static_cast<std::size_t>(buffer)][at(piece)] = true;
  };
  for (StepId s = 0; s < std::ssize(flat_.steps); ++s) {
    if (is_core(index_.node_of[at(s)]) != cores) continue;
    const Step& step = flat_.steps[at(s)];
    use(step.own, step.own_elements);
    use(step.store, step.store_elements);
    if (step.is_exchange()) use(step.sent, step.sent_elements);
  }
  if (cores && !lands_apart_) used[0].assign(used[0].size(), true);
  for (std::size_t b = 0; b < used.size(); ++b) {
    const auto& pieces = pieces_.of(static_cast<Buffer>(b));
    map.address[b].assign(pieces.size(), -1);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if (!used[b][i]) continue;
      map.address[b][i] = map.end;
      map.end += whole_tiles(pieces[i].bytes(), program_->tile_bytes);
    }
  }
}

void Lowerer::map_memory() {
  map_buffers(program_->memory, true);
  map_buffers(program_->bank_memory, false);
  std::fill(landing_end_.begin(), landing_end_.end(), program_->memory.end);
  for (NodeId node = 0; node < ranks_; ++node) {
    consumed_[at(node)].resize(pieces_.of(Buffer::none).size());
    for (std::size_t b = 0; b < 4; ++b) {
      const auto& addresses = program_->memory.address[b];
      values_[at(node)][b].resize(addresses.size());
      for (std::size_t i = 0; i < addresses.size(); ++i) values_[at(node)][b][i].address = addresses[i];
    }
  }
}

/// Neighbouring pieces whose addresses are neighbours too are moved or combined together.
std::vector<Run> Lowerer::runs_of(const std::vector<std::int32_t>& labels, const std::vector<Address>& left,
                                  const std::vector<Address>& right, const std::vector<Address>& target,
                                  bool pads) const {
  std::vector<Run> runs;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const std::int64_t bytes = label(labels[i]).bytes();
    if (!runs.empty()) {
      Run& last = runs.back();
      const std::int64_t step = whole_tiles(last.bytes, program_->tile_bytes);
      const bool follows =
          last.left + step == left[i] && last.right + step == right[i] && last.target + step == target[i];
      if (follows && (pads || step - last.bytes <= kMostPadding)) {
        last.bytes = step + bytes;
        continue;
      }
    }
    runs.push_back({.left = left[i], .right = right[i], .target = target[i], .bytes = bytes});
  }
  return runs;
}

StepId Lowerer::taker_at(StreamId stream, NodeId sink) const {
  const auto takers = index_.takers.of(stream);
  return *std::find_if(takers.begin(), takers.end(), [&](StepId s) { return index_.node_of[at(s)] == sink; });
}

/// Directly where it is stored; otherwise from `free` on, if it has memory of its own.
Landing& Lowerer::land(StreamId stream, NodeId sink, bool directly, Address free) {
  const Step& step = flat_.steps[at(taker_at(stream, sink))];
  Landing& landing = arrivals_[at(stream)][sink];
  landing.is_direct = directly;
  if (directly) {
    for (const std::int32_t piece : pieces_.in(flat_, step.store, step.store_elements)) {
      landing.addresses.push_back(program_->memory.of(step.store, piece));
    }
    return landing;
  }
  Address next = free;
  for (const std::int32_t piece : labels(flat_.streams[at(stream)].elements)) {
    if (!lands_apart_) {
      landing.addresses.push_back(program_->memory.of(Buffer::none, piece));
      continue;
    }
    landing.addresses.push_back(next);
    next += whole_tiles(label(piece).bytes(), program_->tile_bytes);
  }
  if (lands_apart_) landing_end_[at(sink)] = std::max(landing_end_[at(sink)], next);
  return landing;
}

}  // namespace muster::torus
