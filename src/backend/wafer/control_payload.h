// Lists of commands as the payload of a control wavelet.
//
// The layout is that of the vendor's own 25-point stencil for this machine: eight fields of three bits, in the order of the routers, on bits
// 22 to 29 and then on bits 0 to 15. The lower two bits of a field are the command (0: NOP, 1: ADVANCE), the third one keeps the
// wavelet from the processor. Bits 16 to 20 name the task to start; 31 is none.
#pragma once

#include <cstdint>
#include <optional>

#include "backend/wafer/commands.h"

namespace muster::wafer {

/// What is behind the end of the list is NOP.
std::uint32_t control_payload(CommandList commands);

/// The list of a payload, without NOPs at its end but for the first; nothing if it has another command, starts a task or reaches a processor.
std::optional<CommandList> commands_of(std::uint32_t payload);

}  // namespace muster::wafer
