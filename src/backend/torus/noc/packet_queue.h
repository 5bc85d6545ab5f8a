// Packets of one virtual channel at an input. There is nearly always one, which is looked at for every flit: it lies in the queue
// itself.
#pragma once

#include <cstddef>
#include <vector>

namespace muster::torus {

template <class T>
class PacketQueue {
 public:
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] T& front() { return front_; }
  [[nodiscard]] const T& front() const { return front_; }
  [[nodiscard]] T& back() { return size_ == 1 ? front_ : behind_.back(); }
  void push_back(const T& value) {
    if (size_++ == 0) {
      front_ = value;
    } else {
      behind_.push_back(value);
    }
  }
  void pop_front() {
    if (--size_ == 0) return;
    front_ = behind_[next_++];
    if (next_ < behind_.size() && next_ < kMostGone) return;
    behind_.erase(behind_.begin(), behind_.begin() + static_cast<std::ptrdiff_t>(next_));
    next_ = 0;
  }

 private:
  static constexpr std::size_t kMostGone = 64;  ///< before those behind move up

  T front_{};
  std::size_t size_ = 0;
  std::vector<T> behind_;  ///< the second one is at `next`
  std::size_t next_ = 0;
};

}  // namespace muster::torus
