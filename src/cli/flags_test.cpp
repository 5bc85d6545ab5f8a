// The table of flags has what families and readers need.
#include "cli/flags.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "backend/capabilities.h"
#include "machine/family.h"

namespace muster {
namespace {

bool takes(const Subcommand& command, std::string_view flag) {
  const auto is_it = [&](const auto& option) { return option.name == flag; };
  return std::any_of(command.flags.begin(), command.flags.end(), is_it) ||
         std::any_of(command.switches.begin(), command.switches.end(), is_it);
}

TEST(Flags, HaveThoseOfEveryFamily) {
  const std::vector<Subcommand> commands = subcommands();
  for (const Family* const family : families()) {
    for (const std::string_view flag : family->flags()) {
      EXPECT_TRUE(std::any_of(commands.begin(), commands.end(),
                              [&](const Subcommand& subcommand) { return takes(subcommand, flag); }))
          << family->name() << ": " << flag;
    }
  }
}

TEST(Flags, NameTheFilesOfEveryFormat) {
  for (const Subcommand& command : subcommands()) {
    if (command.name != "verify" && command.name != "simulate") continue;
    for (const Reader* const reader : readers()) {
      const std::string flag = "--" + std::string(reader->format().name);
      const bool expected = command.name == "verify" || !reader->format().says_machine;
      EXPECT_EQ(takes(command, flag), expected) << command.name << " " << flag;
    }
  }
}

}  // namespace
}  // namespace muster
