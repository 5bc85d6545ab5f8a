// A host-based schedule, run by the cores: switches only forward messages.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backend/lowering.h"
#include "backend/simulator.h"
#include "machine/hyperx.h"

namespace muster::hyperx {

class HostProgram : public Program {
 public:
  Machine machine;
  Arithmetic arithmetic;
  Schedule schedule;

  [[nodiscard]] const HyperX& network() const { return *as<HyperX>(machine); }
  [[nodiscard]] std::string summary() const override;
  [[nodiscard]] std::vector<int> channels_sent(NodeId node) const override;
  [[nodiscard]] ProgramFacts facts() const override;
};

/// Whether no switch combines or multicasts.
bool is_for_hosts(const Schedule& schedule, const Machine& machine);

/// A refusal says which step does not fit into a round: cores send what they have stored, each message to one core, and receive at
/// most one message at a time.
Outcome<std::unique_ptr<HostProgram>> lower_for_hosts(const Schedule& schedule, const Machine& machine,
                                                      const LowerOptions& options);

/// Cores run their steps one after another. A step that receives a message begins when its core and the sender have both reached
/// it. It takes the software overhead, the network latency of flags and data, and the memory time (HyperX::Host). Messages do
/// not contend for links, as in the paper.
Result simulate(const HostProgram& program, const SimulateOptions& options);

}  // namespace muster::hyperx
