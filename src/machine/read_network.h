// The tables of a machine file, per family.
#pragma once

#include <span>

#include "base/toml_reader.h"
#include "machine/cluster.h"
#include "machine/hyperx.h"
#include "machine/keys.h"
#include "machine/machine.h"
#include "machine/mesh.h"
#include "machine/torus.h"

namespace muster {

// What a family's file may say, and its reader, side by side in read_FAMILY.cpp.
std::span<const MachineKey> mesh_keys();
std::span<const MachineKey> torus_keys();
std::span<const MachineKey> hyperx_keys();
std::span<const MachineKey> cluster_keys();

// Each reads the family's keys from the root of a file and checks that the values fit together. Throws InputError.
Mesh read_mesh(const TomlTable& root);
Torus read_torus(const TomlTable& root);
/// The tiles of a torus that are no workers, once its grid is known: banks and controllers, and the table [tiles].
void read_tiles(const TomlTable& root, Torus& torus);
HyperX read_hyperx(const TomlTable& root);
Cluster read_cluster(const TomlTable& root);

// Values with the checks that every family needs; messages name the key.
Hertz read_clock(const TomlTable& root);
/// A size of at least one byte.
Bytes read_size(const TomlTable& table, std::string_view key);
/// A time of `least` to 1,000,000 cycles of `clock`. One in seconds is rounded to the nearest cycle.
Cycles read_cycles(const TomlTable& table, std::string_view key, Hertz clock, Cycles least = Cycles(1));
/// A latency of at most a second; cycles are refused, since the family has no clock.
Seconds read_seconds(const TomlTable& table, std::string_view key);
/// A bandwidth per second, above zero.
BytesPerSecond read_bandwidth(const TomlTable& table, std::string_view key);
std::int32_t read_integer(const TomlTable& table, std::string_view key, std::int32_t least, std::int32_t most);
/// Different numbers from `least` to `most`, sorted.
std::vector<std::int32_t> read_set(const TomlTable& table, std::string_view key, std::int32_t least, std::int32_t most);
/// Refuses the value of `key` if the product of `sizes` is more than `most`.
void check_product(const TomlTable& table, std::string_view key, const std::vector<std::int32_t>& sizes,
                   std::int64_t most);

}  // namespace muster
