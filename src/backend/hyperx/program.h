// A schedule as reducing switches run it: the values of their registers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backend/hyperx/registers.h"
#include "backend/program.h"
#include "machine/hyperx.h"

namespace muster::hyperx {

class HyperXProgram : public Program {
 public:
  Machine machine;
  Arithmetic arithmetic;
  Registers registers;
  std::vector<Contract> contracts;

  [[nodiscard]] const HyperX& network() const { return *as<HyperX>(machine); }
  [[nodiscard]] std::string summary() const override;
  [[nodiscard]] std::vector<int> channels_sent(NodeId node) const override;
  [[nodiscard]] ProgramFacts facts() const override;
};

/// "request" or "response".
std::string_view channel_name(Channel channel);

/// "switch of core 5, id 0, request".
std::string row_text(const Machine& machine, const Row& row);

/// Of an id: ceil(bytes / packet).
std::int64_t packets_of(const Segment& segment, const HyperX& network);

}  // namespace muster::hyperx
