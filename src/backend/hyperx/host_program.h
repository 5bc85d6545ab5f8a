// A schedule that cores run themselves: no switch takes part but as a way for messages.
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

/// Whether no switch does anything.
bool is_for_hosts(const Schedule& schedule, const Machine& machine);

/// A refusal says which step is not one of a round: cores send what they hold, each message to one core, and take at most one
/// message at a time.
Outcome<std::unique_ptr<HostProgram>> lower_for_hosts(const Schedule& schedule, const Machine& machine,
                                                      const LowerOptions& options);

/// Cores go through their steps one after another. A step that takes a message begins when its core and the sender are there;
/// it lasts for the software's part, the flags and data on their way, and the memory's part (HyperX::Host). Ways of messages do
/// not disturb each other, as the paper has it.
Result simulate(const HostProgram& program, const SimulateOptions& options);

}  // namespace muster::hyperx
