// On which colors a processor sends.
#include "backend/wafer/program.h"
#include "base/index.h"

namespace muster::wafer {

std::vector<int> WaferProgram::channels_sent(NodeId node) const {
  std::vector<int> channels;
  for (const Operation& operation : classes[at(class_of[at(node)])].operations) {
    if (operation.operands.empty() && operation.sent == Buffer::none) continue;  // control wavelets alone
    for (std::int32_t i = 0; i < operation.times; ++i) {
      for (const Output& output : operation.outputs) channels.push_back(colors[at(output.color)]);
    }
  }
  return channels;
}

}  // namespace muster::wafer
