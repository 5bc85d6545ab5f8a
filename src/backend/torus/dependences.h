// Which events of a schedule must be over before another one, by the data alone: what the calls of a program enforce.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "backend/torus/layout.h"
#include "backend/torus/sequence.h"

namespace muster::torus {

class Dependences {
 public:
  Dependences(const Schedule& flat, const ScheduleIndex& index, const Pieces& pieces, const std::vector<Event>& events);

  /// The last step of the node that stores the piece; kNoStep: none.
  [[nodiscard]] StepId last_store(NodeId node, Buffer buffer, std::int32_t piece) const {
    return stored_[slot(node, buffer, piece)];
  }

  /// Whether the stream's elements can be written where the step that takes them stores them, as soon as they are sent: whatever used
  /// that memory before is over by then.
  [[nodiscard]] bool can_land_directly(StreamId stream, StepId taker) const;

  /// Whether every rank that has steps can only end when all others that have some have begun: it needs a message from each, or one that
  /// was sent because of such a message.
  [[nodiscard]] bool end_after_all_began(NodeId ranks) const;

 private:
  struct Access {
    StepId step = 0;
    std::int32_t event = 0;  ///< when it takes and stores
    bool sends = false;      ///< it only sends the piece
  };
  [[nodiscard]] std::size_t slot(NodeId node, Buffer buffer, std::int32_t piece) const {
    const auto b = static_cast<std::size_t>(buffer) - 1;
    return static_cast<std::size_t>(node) * per_node_ + first_[b] + static_cast<std::size_t>(piece);
  }
  void scan(const std::vector<Event>& events);
  /// What was over before the step sent its streams: by step, whether it has sent (bit 1), and taken and stored (bit 0).
  [[nodiscard]] std::vector<std::uint8_t> before_sending(StepId step) const;
  /// The steps that stored what a step needs: to send, or to combine.
  struct Needed {
    std::vector<StepId> to_send;
    std::vector<StepId> to_combine;
  };

  const Schedule& flat_;
  const ScheduleIndex& index_;
  const Pieces& pieces_;
  const std::vector<Event>& events_;
  std::array<std::size_t, 3> first_{};
  std::size_t per_node_ = 0;
  std::vector<StepId> stored_;                 ///< by slot
  std::vector<std::vector<Access>> accesses_;  ///< by slot
  std::vector<Needed> needed_;                 ///< by step
  std::vector<std::int32_t> event_of_;         ///< by step: when it takes and stores
};

}  // namespace muster::torus
