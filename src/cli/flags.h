// The table of subcommands: what each is for, and which flags it takes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace muster {

/// A flag with a value.
struct Flag {
  const char* name;
  const char* value;  ///< how its value is called in --help
  const char* help;
  bool repeatable = false;
};

/// A flag without a value.
struct Switch {
  const char* name;
  const char* help;
};

/// A positional argument: how it is called in --help, and how many there may be.
struct Positional {
  const char* name = nullptr;
  const char* help = nullptr;
  std::size_t most = 0;
};

struct Subcommand {
  std::string name;
  std::string summary;
  std::string example;
  Positional positional;
  std::vector<Flag> flags;
  std::vector<Switch> switches;
};

/// In the order of --help.
std::vector<Subcommand> subcommands();

/// "Example:", or "Examples:" of several lines of commands.
std::string example_title(const std::string& examples);

/// The command line that --help of the whole program shows.
std::string first_example();

}  // namespace muster
