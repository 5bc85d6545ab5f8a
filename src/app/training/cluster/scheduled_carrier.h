// The dimensions of a cluster under one of the schedulers.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "app/training/carrier.h"
#include "collective/dimensions/network.h"
#include "collective/dimensions/scheduler.h"

namespace muster::training {

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
  [[nodiscard]] ChunkOperations operations_beside(const Transfer& transfer, const std::vector<Ticks>& before);

 private:
  [[nodiscard]] ChunkOperations make(const Transfer& transfer, Orders orders, const std::vector<Ticks>& before);
  const Iteration& iteration_;
  std::int64_t chunks_;
  std::vector<OperationTimes> times_;  ///< of each group
  std::map<std::tuple<std::int32_t, Collective, std::int64_t, Orders>, ChunkOperations> known_;
};

/// All transfers share the dimensions, under one policy.
std::unique_ptr<Carrier> scheduled_carrier(Planner& planner, const Policy& policy, std::int32_t dimensions);

}  // namespace muster::training
