// Events by time, of which none is added before the one that was taken last: a radix heap.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "backend/hyperx/timing.h"

namespace muster::hyperx {

/// Event: with a `time` that is not negative. Those of one time come in any order.
template <class Event>
class EventQueue {
 public:
  [[nodiscard]] bool is_empty() const { return size_ == 0; }

  void push(const Event& event) {
    buckets_[bucket_of(event.time)].push_back(event);
    ++size_;
  }

  /// The earliest one. There is one.
  Event pop() {
    if (buckets_[0].empty()) refill();
    const Event event = buckets_[0].back();
    buckets_[0].pop_back();
    --size_;
    return event;
  }

 private:
  /// Bucket 0 has what is due now; bucket b > 0 what differs from now in bit b - 1, but in no higher one. So all of a bucket comes
  /// before all of the next one.
  [[nodiscard]] std::size_t bucket_of(Time time) const {
    return static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(time ^ now_)));
  }

  /// Goes on to the earliest time. What was in its bucket agrees with it in more bits than with the time before.
  void refill() {
    std::size_t first = 1;
    while (buckets_[first].empty()) ++first;
    std::vector<Event> events = std::move(buckets_[first]);
    buckets_[first].clear();
    const auto before = [](const Event& a, const Event& b) { return a.time < b.time; };
    now_ = std::min_element(events.begin(), events.end(), before)->time;
    for (const Event& event : events) buckets_[bucket_of(event.time)].push_back(event);
    events.clear();
    if (buckets_[first].capacity() == 0) buckets_[first] = std::move(events);
  }

  std::array<std::vector<Event>, 65> buckets_;
  Time now_ = 0;
  std::int64_t size_ = 0;
};

}  // namespace muster::hyperx
