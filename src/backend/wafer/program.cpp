// What a wafer program says about itself.
#include "backend/wafer/program.h"

#include <algorithm>

namespace muster::wafer {
namespace {

/// "1 color", "2 colors".
std::string counted(std::size_t count, std::string_view one, std::string_view several) {
  return fmt::format("{} {}", count, count == 1 ? one : several);
}

}  // namespace

std::string WaferProgram::summary() const {
  std::string hardware;
  for (const int color : colors) hardware += (hardware.empty() ? "" : ", ") + std::to_string(color);
  std::size_t positions = 0;
  std::size_t operations = 0;
  for (const ProcessorClass& c : classes) {
    for (const ColorRoute& r : c.routes) positions = std::max<std::size_t>(positions, r.count);
    operations = std::max(operations, c.operations.size());
  }
  return fmt::format("{}x{} processors in {}\n{}{}, at most {}, at most {} per processor\n", mesh().width,
                     mesh().height, counted(classes.size(), "class", "classes"),
                     counted(colors.size(), "color", "colors"), hardware.empty() ? "" : " (" + hardware + ")",
                     counted(positions, "switch position", "switch positions"),
                     counted(operations, "operation", "operations"));
}

}  // namespace muster::wafer
