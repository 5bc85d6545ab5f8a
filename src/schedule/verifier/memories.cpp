// The nodes' buffers during symbolic execution.
#include "schedule/verifier/memories.h"

namespace muster::verifier {

Memories::Memories(const Schedule& schedule, const Holdings& holdings, Contributions& contributions)
    : holdings_(holdings),
      contributions_(contributions),
      index_(static_cast<std::size_t>(schedule.node_count) * 3, -1) {}

void Memories::find_held(NodeId node, Buffer buffer) {
  held_.clear();
  for (const Holdings::Held& held : holdings_.of(node)) {
    if (held.buffer == buffer && held.range.count > 0) held_.push_back(held.range);
  }
  if (held_.size() < 2) return;
  std::sort(held_.begin(), held_.end());
  std::size_t last = 0;
  for (std::size_t i = 1; i < held_.size(); ++i) {
    if (held_[i].first > held_[last].end()) {
      held_[++last] = held_[i];
    } else {
      held_[last].count = std::max(held_[last].end(), held_[i].end()) - held_[last].first;
    }
  }
  held_.resize(last + 1);
}

Intervals<Content>& Memories::writable(NodeId node, Buffer buffer) {
  std::int32_t& index = index_[slot(node, buffer)];
  if (index < 0) {
    index = static_cast<std::int32_t>(stored_.size());
    stored_.emplace_back();
    find_held(node, buffer);
    for (const Range& range : held_) stored_.back().assign(range, {.value = contributions_.of(node, buffer)});
  }
  return stored_[static_cast<std::size_t>(index)];
}

}  // namespace muster::verifier
