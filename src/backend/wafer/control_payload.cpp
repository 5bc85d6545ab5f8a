// Bit by bit, in the order of the fields.
#include "backend/wafer/control_payload.h"

namespace muster::wafer {
namespace {

constexpr std::uint32_t kNoTask = 31;
constexpr unsigned kTask = 16;   // its lowest bit
constexpr unsigned kUnused = 2;  // bits 30 and 31

/// Where bit `bit` of the field of router `hop` lies.
unsigned place_of(int hop, unsigned bit) {
  constexpr unsigned kFirst = 22, kAbove = 8;  // so many bits lie from bit 22 upwards
  const unsigned number = 3U * static_cast<unsigned>(hop) + bit;
  return number < kAbove ? kFirst + number : number - kAbove;
}

}  // namespace

std::uint32_t control_payload(CommandList commands) {
  std::uint32_t payload = kNoTask << kTask;
  for (int hop = 0; hop < kMostCommands; ++hop) {
    if (command_at(commands, hop) == Command::advance) payload |= 1U << place_of(hop, 0);
    payload |= 1U << place_of(hop, 2);
  }
  return payload;
}

std::optional<CommandList> commands_of(std::uint32_t payload) {
  CommandList commands = 0;
  int end = 1;
  for (int hop = 0; hop < kMostCommands; ++hop) {
    if ((payload >> place_of(hop, 0) & 1U) != 0) end = hop + 1;
  }
  for (int hop = 0; hop < end; ++hop) {
    const bool advances = (payload >> place_of(hop, 0) & 1U) != 0;
    commands = with_command(commands, advances ? Command::advance : Command::nop);
  }
  const bool is_list = control_payload(commands) == payload && payload >> (32U - kUnused) == 0;
  return is_list ? std::optional(commands) : std::nullopt;
}

}  // namespace muster::wafer
