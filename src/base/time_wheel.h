// A queue of events by time, for simulators whose events are mostly due soon: a slot for each of the next few thousand times, and a heap
// for later ones. Adding and removing an event takes constant time, and no memory once the queue has been as long before.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "base/error.h"

namespace muster {

/// Events of the same time come in the order in which they were added.
template <class Event>
class TimeWheel {
 public:
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

  TimeWheel() : first_(kSlots, kNone), last_(kSlots, kNone), occupied_(kSlots / kWordBits) {}

  [[nodiscard]] bool empty() const { return first_due_ == kNever; }
  /// When the first event is due; kNever: there is none.
  [[nodiscard]] std::int64_t next() const { return first_due_; }

  /// Not before the latest event that was removed.
  void add(std::int64_t due, const Event& event) {
    MUSTER_ASSERT(due >= begin_, "an event is added to the past");
    const std::int32_t node = new_node({.event = event, .due = due, .next = kNone});
    first_due_ = std::min(first_due_, due);
    if (due - begin_ < kSlots) return append(node);
    later_.push_back({.due = due, .order = order_++, .node = node});
    std::push_heap(later_.begin(), later_.end(), std::greater<>());
  }

  /// The first event; there is one.
  Event take() {
    begin_ = first_due_;
    while (!later_.empty() && later_.front().due - begin_ < kSlots) {
      append(later_.front().node);
      std::pop_heap(later_.begin(), later_.end(), std::greater<>());
      later_.pop_back();
    }
    const std::size_t slot = slot_of(begin_);
    const std::int32_t node = first_[slot];
    const Node& taken = nodes_[static_cast<std::size_t>(node)];
    first_[slot] = taken.next;
    free_.push_back(node);
    if (taken.next == kNone) {
      occupied_[slot / kWordBits] &= ~(std::uint64_t{1} << (slot % kWordBits));
      first_due_ = find_next();
    }
    return taken.event;
  }

 private:
  static constexpr std::int64_t kSlots = 4096;
  static constexpr std::size_t kWordBits = 64;
  static constexpr std::size_t kWords = kSlots / kWordBits;
  static constexpr std::int32_t kNone = -1;
  struct Node {
    Event event;
    std::int64_t due = 0;
    std::int32_t next = kNone;  ///< of the same slot
  };
  struct Later {
    std::int64_t due = 0;
    std::int64_t order = 0;
    std::int32_t node = 0;
    bool operator>(const Later& other) const { return due != other.due ? due > other.due : order > other.order; }
  };

  [[nodiscard]] static std::size_t slot_of(std::int64_t due) {
    return static_cast<std::size_t>(due) % static_cast<std::size_t>(kSlots);
  }

  std::int32_t new_node(const Node& node) {
    if (free_.empty()) {
      nodes_.push_back(node);
      return static_cast<std::int32_t>(nodes_.size() - 1);
    }
    const std::int32_t index = free_.back();
    free_.pop_back();
    nodes_[static_cast<std::size_t>(index)] = node;
    return index;
  }

  void append(std::int32_t node) {
    const std::size_t slot = slot_of(nodes_[static_cast<std::size_t>(node)].due);
    if (first_[slot] == kNone) {
      first_[slot] = node;
      occupied_[slot / kWordBits] |= std::uint64_t{1} << (slot % kWordBits);
    } else {
      nodes_[static_cast<std::size_t>(last_[slot])].next = node;
    }
    last_[slot] = node;
  }

  /// The first time with an event, from begin_ on.
  [[nodiscard]] std::int64_t find_next() const {
    const std::size_t start = slot_of(begin_);
    for (std::size_t i = 0; i <= kWords; ++i) {
      const std::size_t word = (start / kWordBits + i) % kWords;
      std::uint64_t bits = occupied_[word];
      if (i == 0) bits &= ~std::uint64_t{0} << (start % kWordBits);
      if (bits == 0) continue;
      const std::size_t slot = word * kWordBits + static_cast<std::size_t>(std::countr_zero(bits));
      return begin_ + static_cast<std::int64_t>((slot + kSlots - start) % kSlots);
    }
    return later_.empty() ? kNever : later_.front().due;
  }

  std::int64_t begin_ = 0;  ///< slots have the events of the kSlots times from here on
  std::int64_t first_due_ = kNever;
  std::vector<std::int32_t> first_, last_;  ///< by slot
  std::vector<std::uint64_t> occupied_;     ///< a bit for each slot
  std::vector<Node> nodes_;
  std::vector<std::int32_t> free_;
  std::vector<Later> later_;  ///< a heap
  std::int64_t order_ = 0;
};

}  // namespace muster
