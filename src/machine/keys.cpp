// The keys of all families: looked up, written as a template, and asked for in a file.
#include "machine/keys.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/error.h"
#include "base/one_line.h"
#include "machine/family.h"

namespace muster {
namespace {

constexpr std::array kCommonKeys{
    MachineKey{.name = "family",
               .type = "choice",
               .allowed = "mesh, torus, hyperx, cluster",
               .example = "",  // the family's own name
               .meaning = "The kind of network; it decides which other keys there are."},
    MachineKey{.name = "summary",
               .type = "text",
               .allowed = "not empty",
               .example = "\"what the machine is, in one line\"",
               .meaning = "One line for lists of machines."},
};

/// "ramp.latency" → "ramp" and "latency"; a key of the root has an empty table.
struct Split {
  std::string_view table;
  std::string_view key;
};
Split split(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return {.table = "", .key = name};
  return {.table = name.substr(0, dot), .key = name.substr(dot + 1)};
}

constexpr std::string_view kListSuffix = ".N";

bool is_list(std::string_view table) { return table.ends_with(kListSuffix); }

std::string_view list_name(std::string_view table) { return table.substr(0, table.size() - kListSuffix.size()); }

std::string header_of(std::string_view table) {
  return is_list(table) ? fmt::format("[[{}]]", list_name(table)) : fmt::format("[{}]", table);
}

/// A key and its value, with what it means above.
std::string entry_text(const MachineKey& key, std::string_view value) {
  return fmt::format("# {}{} [{}: {}]\n{} = {}", key.meaning,
                     key.need == MachineKey::Need::optional ? " May be left out." : "", key.type, key.allowed,
                     split(key.name).key, value);
}

std::string remark_on(const MachineKey& first_of_table) {
  if (is_list(split(first_of_table.name).table)) return "  # one per dimension, numbered from 1";
  return first_of_table.need == MachineKey::Need::with_table ? "  # may be left out as a whole" : "";
}

/// Which keys of one table of a file are missing.
class MissingKeys {
 public:
  explicit MissingKeys(std::span<const MachineKey> keys) : keys_(keys) {}

  /// Looks at the keys that the description has in `described` and the file in `table`, which may be absent.
  void look(std::string_view described, const TomlTable& table) {
    const std::vector<std::string> unknown = unknown_among(table.keys(), described);
    for (const MachineKey& key : keys_) {
      const Split parts = split(key.name);
      if (parts.table != described || table.has(parts.key) || key.need == MachineKey::Need::optional) continue;
      const std::vector<std::string> near = nearest_names(parts.key, unknown, 1);
      const std::string hint = near.empty() ? ""
                                            : fmt::format(" (did you write '{}' instead in line {}?)",
                                                          one_line(near.front()), table.line(near.front()));
      missing_.push_back(
          fmt::format("{}{}{}{}", table.path(), table.path().empty() ? "" : ".", std::string(parts.key), hint));
    }
  }

  [[nodiscard]] const std::vector<std::string>& missing() const { return missing_; }

 private:
  /// The unknown keys of the file: one may be a missing key, misspelt.
  [[nodiscard]] std::vector<std::string> unknown_among(const std::vector<std::string>& there,
                                                       std::string_view table) const {
    std::vector<std::string> unknown;
    for (const std::string& name : there) {
      const auto is_known = [&](const MachineKey& key) {
        const Split parts = split(key.name);
        const std::string_view first = key.name.substr(0, key.name.find('.'));
        return parts.table == table ? parts.key == name : table.empty() && first == name;
      };
      if (std::none_of(keys_.begin(), keys_.end(), is_known)) unknown.push_back(name);
    }
    return unknown;
  }

  std::span<const MachineKey> keys_;
  std::vector<std::string> missing_;
};

/// The tables that keys stand in, each once, in their order.
std::vector<std::string_view> tables_of(std::span<const MachineKey> keys) {
  std::vector<std::string_view> tables;
  for (const MachineKey& key : keys) {
    const std::string_view table = split(key.name).table;
    if (std::find(tables.begin(), tables.end(), table) == tables.end()) tables.push_back(table);
  }
  return tables;
}

bool is_optional(std::string_view table, std::span<const MachineKey> keys) {
  return std::any_of(keys.begin(), keys.end(), [&](const MachineKey& key) {
    return split(key.name).table == table && key.need == MachineKey::Need::with_table;
  });
}

std::vector<MachineKey> with_common(std::span<const MachineKey> keys) {
  std::vector<MachineKey> all(kCommonKeys.begin(), kCommonKeys.end());
  all.insert(all.end(), keys.begin(), keys.end());
  return all;
}

[[noreturn]] void reject_missing(const TomlTable& root, const std::vector<std::string>& missing,
                                 std::string_view family) {
  reject("{}: missing keys: {}; see 'muster machines --template {}'", root.file(), fmt::join(missing, ", "), family);
}

}  // namespace

std::vector<FamilyKeys> machine_keys() {
  std::vector<FamilyKeys> all;
  for (const Family* const family : families()) all.push_back({.family = family->name(), .keys = family->keys()});
  return all;
}

std::span<const MachineKey> common_machine_keys() { return kCommonKeys; }

FamilyKeys machine_keys(const std::string& family) {
  std::vector<std::string> names;
  for (const FamilyKeys& keys : machine_keys()) {
    if (keys.family == family) return keys;
    names.emplace_back(keys.family);
  }
  reject("unknown family '{}'; {}", one_line(family), suggest(family, names));
}

std::string machine_template(const FamilyKeys& family) {
  std::string text = fmt::format(
      "# A {} for Muster. Replace each value by your machine's, and each 'assumed' by the source of the value.\n"
      "# 'muster machines --check FILE' checks the file.\n",
      family.family);
  for (const MachineKey& key : kCommonKeys) {
    const bool is_family = key.name == "family";
    text += entry_text(key, is_family ? fmt::format("\"{}\"", family.family) : std::string(key.example)) + "\n";
  }
  std::string_view table;
  for (const MachineKey& key : family.keys) {
    const std::string_view its_table = split(key.name).table;
    if (its_table != table) text += fmt::format("\n{}{}\n", header_of(its_table), remark_on(key));
    table = its_table;
    text += entry_text(key, key.example) + "  # assumed\n";
  }
  return text;
}

void require_keys(const TomlTable& root, std::string_view family) {
  const std::vector<MachineKey> keys = with_common(machine_keys(std::string(family)).keys);
  MissingKeys missing(keys);
  for (const std::string_view table : tables_of(keys)) {
    if (table.empty()) {
      missing.look(table, root);
    } else if (is_list(table) && root.has(list_name(table))) {
      for (const TomlTable& toml : root.tables(list_name(table))) missing.look(table, toml);
    } else if (!is_optional(table, keys) || root.has(table)) {
      missing.look(table, root.table(is_list(table) ? fmt::format("{}.1", list_name(table)) : std::string(table)));
    }
  }
  if (!missing.missing().empty()) reject_missing(root, missing.missing(), family);
}

void require_family(const TomlTable& root) {
  if (root.has(kCommonKeys.front().name)) return;
  reject("{}: missing keys: family ({}); see e.g. 'muster machines --template {}'", root.file(),
         kCommonKeys.front().allowed, machine_keys().front().family);
}

}  // namespace muster
