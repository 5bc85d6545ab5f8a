// What carries the communications of an iteration: a network of the machine's family, or the ideal.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "app/training/iteration.h"

namespace muster::training {

/// Time stands still until next_end() is called.
class Carrier {
 public:
  virtual ~Carrier() = default;
  /// Returns the communication's number: 0, 1, 2, ...
  virtual std::int32_t begin(const Transfer& transfer) = 0;
  /// Goes on until a communication ends, but not beyond `limit`: the communication, or none.
  virtual std::optional<std::int32_t> next_end(Ticks limit) = 0;
  [[nodiscard]] virtual Ticks now() const = 0;
};

/// Every group sends the most urgent transfer for as long as that takes alone (Transfer::ideal), which interrupts others; among
/// equals the one that came first. No scheduler can be faster: what the next task waits for ends as early
/// as it can, so that all that follows begins as early as it can, and a group is never idle while it has something to send.
/// (That groups may share a dimension is not counted.)
std::unique_ptr<Carrier> ideal_carrier(const Iteration& iteration);

}  // namespace muster::training
