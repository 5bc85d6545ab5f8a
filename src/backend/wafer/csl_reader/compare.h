// Whether two wafer programs are the same, up to the numbers of classes, colors and spans.
#pragma once

#include <optional>
#include <string>

#include "backend/wafer/program.h"

namespace muster::wafer {

struct ComparedAt {
  std::int32_t x = 0;
  std::int32_t y = 0;
};

/// The first processor that differs, with both sides, or nothing. Compared are, per processor: the positions of every
/// color's route, and the operations: lane, repetitions, what is taken, read, stored and sent, with the elements, and
/// what they wait for. The two operands of a combination may stand in either order: the result is the same. Operations
/// that do nothing are left out, contracts are not looked at. `second` may lie at an offset in a larger rectangle, whose
/// other processors must then be idle.
std::optional<std::string> difference(const WaferProgram& first, const WaferProgram& second, ComparedAt offset = {});

}  // namespace muster::wafer
