// What is installed beside the program for shells and for `man`, made from the table of subcommands and flags.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace muster {

/// The completion script for "bash", "fish" or "zsh". Throws InputError for another shell.
std::string completion_script(const std::string& shell);

/// The values that a flag takes by name, for completion scripts: "--machine" gives the names of all machines that are found.
/// Empty for flags whose values have no names.
std::vector<std::string> names_for(const std::string& flag);

/// The page of `man muster`, in troff.
std::string man_page();

/// What `muster completions SHELL`, `muster completions names FLAG` and `muster man` print; nothing for other command lines.
/// They are for installations and scripts, so --help does not list them. Throws InputError if a word is wrong.
std::optional<std::string> shell_file(const std::vector<std::string>& words);

}  // namespace muster
