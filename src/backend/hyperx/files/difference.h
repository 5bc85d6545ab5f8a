// Whether two programs of registers say the same.
#pragma once

#include <optional>
#include <string>

#include "backend/hyperx/program.h"

namespace muster::hyperx {

/// What of `program` is otherwise in `read`, a program for the same machine; nothing if they say the same. Where their lists keep
/// ports may differ.
std::optional<std::string> difference(const HyperXProgram& program, const HyperXProgram& read);

}  // namespace muster::hyperx
