// Windows of time, and the items that continue in them.
#include "backend/wafer/stream/window.h"

#include <algorithm>

namespace muster::wafer {

Window::Window(const Trace& trace) : trace_(trace), worklist_(trace.order.size()) {}

void Window::cover_all_time() {
  is_open_ = false;
  begin_ = 0;
  end_ = kForever;
}

void Window::mark_all() { worklist_.add_all(static_cast<std::int32_t>(trace_.order.size())); }

void Window::unmark_all() {
  while (worklist_.take_lowest() >= 0) continue;
}

void Window::start(bool careful) {
  unmark_all();
  is_open_ = true;
  is_careful_ = careful;
  pending_.clear();
  seen_.assign(trace_.order.size(), -1);
  next_.assign(trace_.order.size(), -1);
  saved_next_.assign(trace_.order.size(), -1);
  for (const Execution& execution : trace_.executions) {
    if (execution.before != kNone) continue;
    pending_.push_back(execution.order);
    next_[at(execution.order)] = 0;
  }
}

std::int64_t Window::next_cycle() const {
  std::int64_t first = kForever;
  for (const std::int32_t item : pending_) first = std::min(first, next_[at(item)]);
  return first;
}

void Window::open(std::int64_t begin, std::int64_t end) {
  begin_ = begin;
  end_ = end;
  ++number_;
  touched_.clear();
  for (const std::int32_t item : pending_) {
    if (next_[at(item)] < end) worklist_.add(item);
  }
}

void Window::keep() {
  std::erase_if(pending_, [&](std::int32_t item) { return seen_[at(item)] == number_; });
  for (const std::int32_t item : touched_) {
    if (next_[at(item)] >= 0) pending_.push_back(item);
  }
}

void Window::undo() {
  unmark_all();
  for (const std::int32_t item : touched_) next_[at(item)] = saved_next_[at(item)];
}

void Window::touch(std::int32_t item, std::int64_t beyond) {
  if (!is_open_) return;
  if (seen_[at(item)] != number_) {
    seen_[at(item)] = number_;
    saved_next_[at(item)] = next_[at(item)];
    touched_.push_back(item);
  }
  next_[at(item)] = beyond;
}

}  // namespace muster::wafer
