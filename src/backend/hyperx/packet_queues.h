// Buffers of packets, as the plain engine keeps them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "backend/hyperx/timing.h"
#include "schedule/arithmetic.h"

namespace muster::hyperx {

/// The buffer of an input port, or between a switch and its memory: a ring of slots. A slot has a time: if it is full, when its
/// packet can be taken; if not, when its credit reaches the sender.
class PacketQueue {
 public:
  PacketQueue() = default;
  PacketQueue(Time* times, Word* words, std::int64_t slots, std::int64_t words_each)
      : times_(times), words_(words), slots_(slots), words_each_(words_each) {}

  [[nodiscard]] bool is_empty() const { return pushed_ == popped_; }
  [[nodiscard]] bool is_full() const { return pushed_ - popped_ == slots_; }
  /// Of the first packet, if there is one.
  [[nodiscard]] Time ready() const { return times_[popped_ % slots_]; }
  [[nodiscard]] std::span<const Word> front(std::size_t count) const {
    return {words_ + popped_ % slots_ * words_each_, count};
  }
  /// Of the next slot, if one is empty.
  [[nodiscard]] Time free() const { return times_[pushed_ % slots_]; }

  void push(std::span<const Word> words, Time ready) {
    const std::int64_t slot = pushed_++ % slots_;
    times_[slot] = ready;
    std::copy(words.begin(), words.end(), words_ + slot * words_each_);
  }
  void pop(Time free) { times_[popped_++ % slots_] = free; }

 private:
  Time* times_ = nullptr;
  Word* words_ = nullptr;
  std::int64_t slots_ = 0;
  std::int64_t words_each_ = 0;
  std::int64_t pushed_ = 0;
  std::int64_t popped_ = 0;
};

/// The queues of a program, indexed like Registers::ports: for an input the queue of its port, for an output to memory the packets
/// that wait to be written, for an unread output the packets that were sent in vain.
class PacketQueues {
 public:
  PacketQueues(const Wiring& wiring, const Timing& timing);

  [[nodiscard]] PacketQueue& at_input(std::int32_t port_index) { return queues_[at(port_index)]; }
  [[nodiscard]] const PacketQueue& at_input(std::int32_t port_index) const { return queues_[at(port_index)]; }
  [[nodiscard]] PacketQueue& behind_output(std::int32_t port_index) { return queues_[at(queue_behind(port_index))]; }
  [[nodiscard]] const PacketQueue& behind_output(std::int32_t port_index) const {
    return queues_[at(queue_behind(port_index))];
  }
  /// The words of packet k of an id, as the vector counts them.
  [[nodiscard]] Range words_of(std::int32_t id, std::int64_t packet) const;

 private:
  [[nodiscard]] std::int32_t queue_behind(std::int32_t port_index) const {
    return wiring_.row(port_index) >= 0 ? wiring_.peer(port_index) : port_index;
  }

  const Wiring& wiring_;
  std::int64_t packet_bytes_ = 0;
  std::vector<PacketQueue> queues_;
  std::vector<Time> times_;
  std::vector<Word> words_;
};

}  // namespace muster::hyperx
