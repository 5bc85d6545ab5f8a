// The keys of a machine file, per family. They are defined next to their readers (read_FAMILY.cpp, or FAMILY_keys.cpp where
// there are many); the template of a family, the page docs/machines.md and the message about missing keys are generated
// from them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/toml_reader.h"

namespace muster {

struct MachineKey {
  enum class Need {
    required,
    optional,
    with_table,  ///< required if its table is present; the table is optional
  };
  std::string_view name;     ///< dotted; N stands for the number of a table of a list: "dimension.N.size"
  std::string_view type;     ///< what is written, with its unit: "whole number", "time"
  std::string_view allowed;  ///< the values, in words
  std::string_view example;  ///< a value as TOML writes it; the examples of a family make a machine
  std::string_view meaning;
  Need need = Need::required;
};

struct FamilyKeys {
  std::string_view family;
  std::span<const MachineKey> keys;  ///< those of the root first, then table by table
};

/// Every family with the keys of its own, as the families describe them.
std::vector<FamilyKeys> machine_keys();
/// The keys that every family has.
std::span<const MachineKey> common_machine_keys();

/// The keys of one family. Throws InputError with the known names.
FamilyKeys machine_keys(const std::string& family);

/// A complete, valid file of the family: every key with its meaning in a comment and an example as its value.
std::string machine_template(const FamilyKeys& family);

/// Throws InputError that names all missing keys: "FILE: missing keys: a.b, c.d; see ...".
void require_keys(const TomlTable& root, std::string_view family);

/// The same for the key on which all others depend.
void require_family(const TomlTable& root);

}  // namespace muster
