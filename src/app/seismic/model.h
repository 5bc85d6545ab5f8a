// The medium at all nodes of a grid.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/seismic/medium.h"
#include "app/seismic/volume.h"

namespace muster::seismic {

class Model {
 public:
  Model() = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;
  virtual ~Model() = default;

  [[nodiscard]] virtual Medium at(const Extent& node) const = 0;
  /// false: no node's density differs from that of its neighbours along the axis.
  [[nodiscard]] virtual bool density_varies_along(Axis /*axis*/) const { return true; }
  /// What it holds besides a few numbers.
  [[nodiscard]] virtual std::int64_t bytes() const { return 0; }
};

/// The fastest and the slowest wave, in m/s.
struct VelocityRange {
  double fastest = 0;
  double slowest = 0;
};

/// A layer, from a depth (z) on down to the next one.
struct ModelLayer {
  double top = 0;  ///< in metres
  Medium medium;
};

/// A parameter of the medium at every node.
struct ParameterCube {
  double Medium::*parameter = nullptr;
  std::vector<float> values;  ///< x slowest, z fastest
};

/// The same medium everywhere.
std::unique_ptr<Model> constant_model(const Medium& medium);

/// Layers by depth; the first begins at the top.
std::unique_ptr<Model> layered_model(std::vector<ModelLayer> layers, double spacing);

/// Every parameter linear in depth, from node 0 down to the last of `nodes`.
std::unique_ptr<Model> gradient_model(const Medium& top, const Medium& bottom, std::int64_t nodes);

/// The cubes' parameters from them, and all others from `rest`.
std::unique_ptr<Model> cube_model(const Extent& extent, std::vector<ParameterCube> cubes, const Medium& rest);

}  // namespace muster::seismic
