// What a wafer program says about itself.
#include "backend/wafer/program.h"

#include <algorithm>

namespace muster::wafer {

std::string WaferProgram::summary() const {
  std::string hardware;
  for (const int color : colors) hardware += (hardware.empty() ? "" : ", ") + std::to_string(color);
  int positions = 0;
  std::size_t operations = 0;
  for (const ProcessorClass& c : classes) {
    for (const ColorRoute& r : c.routes) positions = std::max<int>(positions, r.count);
    operations = std::max(operations, c.operations.size());
  }
  return fmt::format(
      "{}x{} processors in {} classes\n{} colors{}, at most {} switch positions, at most {} operations per processor\n",
      mesh().width, mesh().height, classes.size(), colors.size(), hardware.empty() ? "" : " (" + hardware + ")",
      positions, operations);
}

}  // namespace muster::wafer
