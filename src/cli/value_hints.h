// What a flag's value may be, as far as the table of flags tells: for completion scripts.
#pragma once

#include <string>
#include <vector>

#include "cli/flags.h"

namespace muster {

struct ValueHints {
  std::vector<std::string> words;  ///< values that --help spells out: f32, f16, i32
  bool names = false;              ///< names_for() knows the values
  bool files = false;
  bool folders = false;
  [[nodiscard]] bool empty() const { return words.empty() && !names && !files && !folders; }
};

/// Of "NAME|FILE.toml", "core|node", "DIR": alternatives stand between bars, and what is typed as it stands is lower case.
ValueHints hints_of(const Flag& flag);
/// Of a command's positional argument.
ValueHints hints_of(const Subcommand& command);

}  // namespace muster
