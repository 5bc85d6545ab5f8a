// The command line as typed: which subcommand, and the text of every flag that was given. What the text means is
// decided in question.h; only arguments.cpp knows the parsing library.
#pragma once

#include <string>
#include <variant>

#include "base/flag_texts.h"

namespace muster {

struct Arguments : FlagTexts {
  std::string subcommand;
  Values positional;
  std::string command;  ///< the whole line, quoted for a shell
};

/// Text that was asked for instead of work: help, --help, --version, or no arguments at all.
struct Notice {
  std::string text;
};

/// Throws InputError for unknown subcommands and flags (with the nearest known ones), missing and repeated values.
std::variant<Arguments, Notice> parse_arguments(int argc, const char* const* argv);

}  // namespace muster
