// machines/NAME.toml → Machine. Unknown, missing and duplicate keys are errors that name file, line, key and the
// allowed ones. A latency may be given in cycles (a whole number of them) or in seconds; on a machine with a clock it is
// used in cycles, and one in seconds is rounded to the nearest cycle, halves up: at 850 MHz "2.4 ns" is 2 cycles.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "machine/machine.h"

namespace muster {

/// Values that replace those of the file for one call: dotted key → value as typed ("ramp.latency" → "7 cycles").
using Overrides = std::map<std::string, std::string>;

/// Where named machines are looked up, in order: the folders of MUSTER_PATH (colon-separated), then the program's data.
struct MachinePath {
  std::vector<std::filesystem::path> folders;
  std::vector<std::filesystem::path> missing;  ///< entries of MUSTER_PATH that are not folders, perhaps a typo
};

/// The search path of this process. `data` is the folder of the program's own data (it holds machines/).
MachinePath machine_path(const std::filesystem::path& data);

struct FoundMachine {
  std::filesystem::path file;
  std::vector<std::filesystem::path> shadowed;  ///< files of the same name later on the path
};

/// The file behind a name or a path that ends in .toml. Throws InputError with the nearest names if there is none.
FoundMachine find_machine(const MachinePath& path, const std::string& name_or_file);

/// The name of every machine file on the path, sorted, shadowed ones left out. The files are not opened: whoever shows
/// them all loads each by its name, find_machine() and load_machine(), so that a broken one does not hide the others.
std::vector<std::string> machine_names(const MachinePath& path);

/// Throws InputError that begins with "FILE:LINE: KEY" or, if an override is unfit, with "--param KEY=VALUE". Where the
/// file is right by itself and does not go with the overrides, the message ends with them.
Machine load_machine(const std::filesystem::path& file, const Overrides& overrides = {});

/// The same from text; `file` is used in messages and for the name. What the fuzzer calls.
Machine parse_machine(std::string_view text, const std::string& file, const Overrides& overrides = {});

/// One value of a machine file as it stands there, for `muster machines NAME`.
struct MachineEntry {
  std::string key;
  std::string value;
  std::string source;  ///< the comment after it
};
std::vector<MachineEntry> machine_entries(std::string_view text, const std::string& file);

}  // namespace muster
