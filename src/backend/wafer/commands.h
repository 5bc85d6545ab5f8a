// The commands of a control wavelet that says router by router what to do.
//
// Every router on its path, the sender's own included as the first, uses up one command ("always pop"). Once the list is used up,
// further routers do nothing. Where the path branches, every branch goes on with what is left.
#pragma once

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <string>

namespace muster::wafer {

enum class Command : std::uint8_t {
  none,     ///< behind the end of the list
  nop,      ///< the router stays as it is
  advance,  ///< the router goes to its next position
};

/// At most eight commands, two bits each, the first one in the lowest; 0: no commands.
using CommandList = std::uint16_t;
inline constexpr int kMostCommands = 8;

/// The command for the next router.
constexpr Command first_command(CommandList list) { return static_cast<Command>(list & 3U); }
/// What is left behind that router.
constexpr CommandList after_first(CommandList list) { return static_cast<CommandList>(list >> 2U); }
/// The command for router `hop` of the path, counted from the sender's own, which is 0.
constexpr Command command_at(CommandList list, std::int32_t hop) {
  return hop < kMostCommands ? static_cast<Command>(list >> (2U * static_cast<unsigned>(hop)) & 3U) : Command::none;
}
constexpr int count_of(CommandList list) { return (std::bit_width(list) + 1) / 2; }

/// Precondition: at most kMostCommands, none of them Command::none.
constexpr CommandList command_list(std::initializer_list<Command> commands) {
  CommandList list = 0;
  unsigned shift = 0;
  for (const Command command : commands) {
    list = static_cast<CommandList>(list | static_cast<unsigned>(command) << shift);
    shift += 2;
  }
  return list;
}
/// The list with one more command behind the others.
constexpr CommandList with_command(CommandList list, Command command) {
  return static_cast<CommandList>(list | static_cast<unsigned>(command)
                                             << (2U * static_cast<unsigned>(count_of(list))));
}

/// "ADV, NOP, ADV".
std::string commands_text(CommandList list);

}  // namespace muster::wafer
