// Schedules to MSCCL files and back, as the backend offers them.
#pragma once

#include <string>
#include <vector>

#include "backend/reader.h"
#include "schedule/arithmetic.h"

namespace muster::msccl {

/// One file, which was read back, lifted and verified before it is handed out. `command` is the line that asked for it.
Outcome<std::vector<EmittedFile>> emit(const Schedule& schedule, ElementType type, const std::string& command);

LiftedFiles lift_file(const EmittedFile& file);

}  // namespace muster::msccl
