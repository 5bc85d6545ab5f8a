// Packets of one virtual channel at an input. There is nearly always one, which is looked at for every flit: it lies in the queue
// itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace muster::torus {

template <class T>
class PacketQueue {
 public:
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] T& front() { return front_; }
  [[nodiscard]] const T& front() const { return front_; }
  [[nodiscard]] T& back() { return size_ == 1 ? front_ : behind_->packets.back(); }
  void push_back(const T& value) {
    if (size_++ == 0) {
      front_ = value;
      return;
    }
    if (behind_ == nullptr) behind_ = std::make_unique<Behind>();
    behind_->packets.push_back(value);
  }
  void pop_front() {
    if (--size_ == 0) return;
    std::vector<T>& packets = behind_->packets;
    std::size_t& next = behind_->next;
    front_ = packets[next++];
    if (next < packets.size() && next < kMostGone) return;
    packets.erase(packets.begin(), packets.begin() + static_cast<std::ptrdiff_t>(next));
    next = 0;
  }

 private:
  static constexpr std::size_t kMostGone = 64;  ///< before those behind move up
  struct Behind {
    std::vector<T> packets;  ///< the second one of the queue is at `next`
    std::size_t next = 0;
  };

  T front_{};
  std::uint32_t size_ = 0;
  std::unique_ptr<Behind> behind_;
};

}  // namespace muster::torus
