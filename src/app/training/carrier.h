// What carries the communications of an iteration: the dimensions of a cluster under one of the schedulers, or the ideal that
// uses all of their bandwidth.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/training/iteration.h"
#include "collective/dimensions/network.h"
#include "collective/dimensions/scheduler.h"

namespace muster::training {

/// Time stands still until next_end() is called; see DimensionNetwork.
class Carrier {
 public:
  virtual ~Carrier() = default;
  /// Returns the communication's number: 0, 1, 2, ...
  virtual std::int32_t begin(const Transfer& transfer) = 0;
  /// Goes on until a communication ends, but not beyond `limit`: the communication, or none.
  virtual std::optional<std::int32_t> next_end(Cycles limit) = 0;
  [[nodiscard]] virtual Cycles now() const = 0;
};

/// How chunks get their orders of dimensions. `beside`: balanced together with what is still to be sent of other transfers.
enum class Orders : std::uint8_t { hierarchical, themis, balanced, balanced_backwards, beside };

struct Policy {
  Orders orders = Orders::hierarchical;
  SendFirst first = SendFirst::arrived;
};

/// The operations of transfers under any policy, each thought about once. The iteration is kept by the caller.
class Planner {
 public:
  Planner(const Iteration& iteration, std::int64_t chunks);
  const ChunkOperations& operations(const Transfer& transfer, Orders orders);
  /// Balanced beside what each dimension of the machine has to send already.
  [[nodiscard]] ChunkOperations operations_beside(const Transfer& transfer, const std::vector<Cycles>& before);

 private:
  [[nodiscard]] ChunkOperations make(const Transfer& transfer, Orders orders, const std::vector<Cycles>& before);
  const Iteration& iteration_;
  std::int64_t chunks_;
  std::vector<OperationTimes> times_;  ///< of each group
  std::map<std::tuple<std::int32_t, Collective, std::int64_t, Orders>, ChunkOperations> known_;
};

/// All transfers share the dimensions, under one policy.
std::unique_ptr<Carrier> scheduled_carrier(Planner& planner, const Policy& policy, std::int32_t dimensions);

/// Every group has all the bandwidth of its dimensions and uses all of it for the most urgent transfer, which interrupts
/// others; among equals for the one that came first. No scheduler can be faster: what the next task waits for ends as early
/// as it can, so that all that follows begins as early as it can, and a group is never idle while it has something to send.
/// (That groups may share a dimension is not counted.)
std::unique_ptr<Carrier> ideal_carrier(const Iteration& iteration);

}  // namespace muster::training
