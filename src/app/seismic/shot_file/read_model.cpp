// The model of a shot file: one medium, layers, a gradient, or a file for each parameter.
#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cmath>
#include <filesystem>

#include "app/seismic/file/files.h"
#include "app/seismic/media.h"
#include "app/seismic/shot_file/reader.h"
#include "base/error.h"
#include "base/random.h"

namespace muster::seismic {
namespace {

namespace fs = std::filesystem;

const std::array<std::string, 4> kKinds{"constant", "layers", "gradient", "files"};

std::string text_of(const Medium& medium) {
  std::string text;
  for (const MediumParameter& parameter : kMediumParameters) text += fmt::format(" {:a}", medium.*parameter.value);
  return text;
}

void read_constant(const TomlTable& table, Shot& shot) {
  const Medium medium = read_medium(table, shot);
  widen(shot.velocities, medium, shot.propagator);
  shot.model_fingerprint = fmt::format("constant{}\n", text_of(medium));
  shot.model = constant_model(medium);
}

/// The first node along z that lies in a layer; behind the last one if none does.
std::int64_t first_node(const ModelLayer& layer, const GridOptions& grid) {
  return static_cast<std::int64_t>(std::min(std::ceil(layer.top / grid.spacing.z), static_cast<double>(grid.extent.z)));
}

void read_layers(const TomlTable& root, Shot& shot) {
  std::vector<ModelLayer> layers;
  for (const TomlTable& table : tables_of(root, "layer")) {
    ModelLayer layer;
    layer.top = table.has("top") ? table.metres("top").value() : 0;
    layer.medium = read_medium(table, shot);
    const bool is_first = layers.empty();
    if (is_first ? layer.top != 0 : layer.top <= layers.back().top) {
      table.refuse("top", is_first ? "the first layer begins at '0 m'" : "layers are listed from the top down");
    }
    const std::int64_t node = first_node(layer, shot.grid);
    if (node >= shot.grid.extent.z) {
      table.refuse("top", fmt::format("{} is below the grid's last node, at {:g} m", table.described("top"),
                                      static_cast<double>(shot.grid.extent.z - 1) * shot.grid.spacing.z));
    }
    if (!is_first && node == first_node(layers.back(), shot.grid)) {
      table.refuse("top", fmt::format("the layer above it has no node; nodes are {:g} m apart", shot.grid.spacing.z));
    }
    widen(shot.velocities, layer.medium, shot.propagator);
    shot.model_fingerprint += fmt::format("layer {:a}{}\n", layer.top, text_of(layer.medium));
    layers.push_back(layer);
  }
  if (layers.empty()) root.refuse("layer", "there is none; a model has at least one [[layer]], or a [model]");
  shot.model = layered_model(std::move(layers), shot.grid.spacing.z);
}

void read_gradient(const TomlTable& table, Shot& shot) {
  const Medium top = read_medium(table.table("top"), shot);
  const Medium bottom = read_medium(table.table("bottom"), shot);
  shot.model = gradient_model(top, bottom, shot.grid.extent.z);
  shot.model_fingerprint = fmt::format("gradient{}{}\n", text_of(top), text_of(bottom));
  for (std::int64_t z = 0; z < shot.grid.extent.z; ++z) {
    const Medium medium = shot.model->at({0, 0, z});
    const MediumFault fault = fault_of(medium, shot.propagator);
    if (!fault.parameter.empty()) {
      table.refuse("bottom",
                   fmt::format("between top and bottom, {} at node {}: {}", fault.parameter, z, fault.reason));
    }
    widen(shot.velocities, medium, shot.propagator);
  }
}

/// The name of the file that a parameter's value is; empty: it is a value. Only files end in a dot and a letter.
std::string file_of(const TomlTable& table, std::string_view key) {
  if (!table.has(key) || !table.described(key).starts_with('\'')) return "";
  const std::string text = table.string(key);
  const std::string ending = fs::path(text).extension().string();
  return ending.size() > 1 && std::isalpha(static_cast<unsigned char>(ending[1])) != 0 ? text : "";
}

/// Formats round spacings to a millimetre; some files do not say them.
void check_spacing(const fs::path& file, const PerAxis<double>& of_file, const PerAxis<double>& of_grid) {
  constexpr double kRounding = 1e-3;
  for (const Axis axis : kAxes) {
    if (of_file[axis] == 0 || std::abs(of_file[axis] - of_grid[axis]) <= kRounding * (1 + of_grid[axis])) continue;
    reject("{}: its nodes are {:g} m apart along {}, and those of the grid {:g} m; use a model on the same grid",
           file.string(), of_file[axis], "xyz"[index_of(axis)], of_grid[axis]);
  }
}

ParameterCube read_cube_of(const MediumParameter& parameter, const fs::path& file, const Shot& shot) {
  Cube cube = read_cube(file, {.extent = shot.grid.extent});
  check_spacing(file, cube.spacing, shot.grid.spacing);
  return {.parameter = parameter.value, .values = std::move(cube.values)};
}

void scan(const TomlTable& table, Shot& shot) {
  const Extent& extent = shot.grid.extent;
  std::uint64_t hash = 0;
  for (std::int64_t x = 0; x < extent.x; ++x) {
    for (std::int64_t y = 0; y < extent.y; ++y) {
      for (std::int64_t z = 0; z < extent.z; ++z) {
        const Medium medium = shot.model->at({x, y, z});
        const MediumFault fault = fault_of(medium, shot.propagator);
        if (!fault.parameter.empty()) {
          table.refuse(fault.parameter, fmt::format("cell {},{},{}: {}", x, y, z, fault.reason));
        }
        widen(shot.velocities, medium, shot.propagator);
        for (const MediumParameter& parameter : kMediumParameters) {
          hash = random_bits(hash, std::bit_cast<std::uint64_t>(medium.*parameter.value));
        }
      }
    }
  }
  shot.model_fingerprint = fmt::format("files {:016x}\n", hash);
}

void read_files(const TomlTable& table, const fs::path& folder, Shot& shot) {
  std::vector<ParameterCube> cubes;
  Medium rest;
  if (!table.has("vp")) table.refuse("vp", "is missing; name a file, or give a velocity");
  for (const MediumParameter& parameter : kMediumParameters) {
    const std::string file = file_of(table, parameter.name);
    if (!file.empty()) {
      cubes.push_back(read_cube_of(parameter, folder / file, shot));
    } else {
      read_parameter(table, parameter.name, rest);
    }
  }
  shot.model = cube_model(shot.grid.extent, std::move(cubes), rest);
  scan(table, shot);
}

}  // namespace

void read_model(const TomlTable& root, const fs::path& folder, Shot& shot) {
  const bool has_table = root.has("model");
  const TomlTable table = root.table("model");
  const std::string kind = table.has("kind") ? table.choice("kind", kKinds) : has_table ? "files" : "layers";
  if (kind != "layers" && root.has("layer")) {
    root.refuse("layer", fmt::format("the model is of kind {}; leave out [[layer]] or [model]", kind));
  }
  if (kind == "constant") read_constant(table, shot);
  if (kind == "layers") read_layers(root, shot);
  if (kind == "gradient") read_gradient(table, shot);
  if (kind == "files") read_files(table, folder, shot);
}

}  // namespace muster::seismic
