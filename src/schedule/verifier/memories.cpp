// The nodes' buffers during symbolic execution.
#include "schedule/verifier/memories.h"

#include <algorithm>
#include <utility>

#include "base/index.h"

namespace muster::verifier {

Memories::Memories(const Schedule& schedule, const Holdings& holdings, Contributions& contributions)
    : holdings_(holdings),
      contributions_(contributions),
      index_(static_cast<std::size_t>(schedule.node_count) * kStoredBuffers, -1) {}

void Memories::find_held(NodeId node, Buffer buffer) {
  held_.clear();
  for (const Holdings::Held& held : holdings_.of(node)) {
    if (held.buffer == buffer && held.range.count > 0) held_.push_back({held.range, held.is_zero});
  }
  if (held_.size() < 2) return;
  std::sort(held_.begin(), held_.end(), [](const Held& a, const Held& b) { return a.range < b.range; });
  std::size_t last = 0;
  for (std::size_t i = 1; i < held_.size(); ++i) {
    Range& range = held_[last].range;
    if (held_[i].range.first > range.end() || held_[i].is_zero != held_[last].is_zero) {
      held_[++last] = held_[i];
    } else {
      range.count = std::max(range.end(), held_[i].range.end()) - range.first;
    }
  }
  held_.resize(last + 1);
}

Memories::Contents Memories::add(Intervals<Content> pieces) {
  if (free_.empty()) {
    free_.push_back(static_cast<Contents>(stored_.size()));
    stored_.emplace_back();
  }
  const Contents index = free_.back();
  free_.pop_back();
  stored_[at(index)] = {.pieces = std::move(pieces), .users = 1};
  return index;
}

Intervals<Content>& Memories::writable(NodeId node, Buffer buffer) {
  Contents& index = index_[slot(node, buffer)];
  if (index < 0) {
    Intervals<Content> pieces;
    find_held(node, buffer);
    for (const Held& held : held_) {
      pieces.assign(held.range, held.is_zero ? Content{} : Content{.value = contributions_.of(node, buffer)});
    }
    index = add(std::move(pieces));
  } else if (stored_[at(index)].users > 1) {
    release(index);
    index = add(stored_[at(index)].pieces);
  }
  return stored_[at(index)].pieces;
}

Memories::Contents Memories::contents(NodeId node, Buffer buffer) {
  if (const Contents index = index_of(node, buffer); index >= 0) return index;
  find_held(node, buffer);
  return held_.empty() ? kNothing : kAsHeld;
}

void Memories::set(NodeId node, Buffer buffer, Contents contents) {
  keep(contents);
  release(std::exchange(index_[slot(node, buffer)], contents));
}

bool Memories::same_contents(Contents a, Contents b) {
  if (a == b || a < 0 || b < 0) return a == b && a != kAsHeld;
  const auto equal = [&](const auto& x, const auto& y) {
    return x.first == y.first && x.end == y.end && same(contributions_, x.value, y.value);
  };
  return std::ranges::equal(stored_[at(a)].pieces.pieces(), stored_[at(b)].pieces.pieces(), equal);
}

void Memories::keep(Contents contents) {
  if (contents >= 0) ++stored_[at(contents)].users;
}

void Memories::release(Contents contents) {
  if (contents < 0 || --stored_[at(contents)].users > 0) return;
  stored_[at(contents)].pieces = {};
  free_.push_back(contents);
}

}  // namespace muster::verifier
