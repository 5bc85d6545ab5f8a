// A schedule of phases as a cluster runs it: chunk operations along dimensions, in an order that every NPU enforces.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "backend/program.h"
#include "machine/cluster.h"
#include "schedule/phase.h"

namespace muster::cluster {

/// Phases of one dimension whose groups have no NPU in common: all NPUs do their part of it at once.
struct Operation {
  std::int32_t dimension = 0;
  std::vector<std::int32_t> phases;  ///< of the schedule
  std::vector<std::int32_t> after;   ///< earlier operations that must have arrived
  Ticks sending;                     ///< of the NPU that sends most, until its last byte has left
  Ticks delay;                       ///< from then until all has arrived: rounds times latency
  Bytes bytes;                       ///< that all NPUs send together
  std::int64_t port = 0;             ///< words that an NPU sends, at most
};

class ClusterProgram : public Program {
 public:
  Machine machine;
  Arithmetic arithmetic;
  Schedule schedule;
  std::vector<Operation> operations;  ///< those of one dimension are sent in this order

  [[nodiscard]] const Cluster& cluster() const { return *as<Cluster>(machine); }
  [[nodiscard]] std::string summary() const override;
  [[nodiscard]] std::vector<int> channels_sent(NodeId node) const override;
  [[nodiscard]] ProgramFacts facts() const override;
};

}  // namespace muster::cluster
