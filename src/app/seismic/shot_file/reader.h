// Reading a shot file, part by part. What can be said before the work begins is said here.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "app/seismic/shot.h"
#include "base/toml_reader.h"

namespace muster::seismic {

inline constexpr std::int64_t kMostCells = 100'000;  ///< along an axis

// In this order: each part reads what the ones before have found.
void read_grid(const TomlTable& root, Shot& shot);
void read_model(const TomlTable& root, const std::filesystem::path& folder, Shot& shot);
void read_boundaries(const TomlTable& root, Shot& shot);
void read_time(const TomlTable& root, const std::map<std::string, std::string>& overrides, Shot& shot);
void read_repetition(const TomlTable& root, Shot& shot);
void read_sources(const TomlTable& root, const std::filesystem::path& folder, Shot& shot);
void read_receivers(const TomlTable& root, Shot& shot);
void read_adjoint(const TomlTable& root, const std::filesystem::path& folder, Shot& shot);
void read_outputs(const TomlTable& root, Shot& shot);

/// The tables of a list ([[key]]); none if the file has none.
inline std::vector<TomlTable> tables_of(const TomlTable& root, std::string_view key) {
  return root.has(key) ? root.tables(key) : std::vector<TomlTable>();
}

/// A medium from the keys that are there, the others as in `medium`; vp must be there. Checked for the propagator.
Medium read_medium(const TomlTable& table, const Shot& shot);

/// One parameter of a medium, if the key is there.
void read_parameter(const TomlTable& table, std::string_view name, Medium& medium);

/// Three lengths in a list, along x, y and z, in metres. Signs only where the lengths are steps.
enum class Sign : unsigned char { none, allowed };
PerAxis<double> read_lengths(const TomlTable& table, std::string_view key, Sign sign);

/// The same in one string, "400 m, 400 m, 20 m", of the value of `key`.
PerAxis<double> parse_lengths(const TomlTable& table, std::string_view key, const std::string& text);

/// Whether a position is inside the grid in all shots.
bool is_inside(const Shot& shot, const PerAxis<double>& position, const PerAxis<double>& increment);

/// Refuses a position that is not. `what` is named: "receiver 7".
void check_inside(const TomlTable& table, std::string_view key, const Shot& shot, const PerAxis<double>& position,
                  const PerAxis<double>& increment, std::string_view what);

/// Field names of a set of receivers or snapshots, each of which the propagator can record.
std::vector<std::string> read_fields(const TomlTable& table, const Shot& shot);

/// A name that can be part of a file's name.
std::string read_plain_name(const TomlTable& table, std::string_view key);

}  // namespace muster::seismic
