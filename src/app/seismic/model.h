// The medium at all nodes of a grid.
#pragma once

#include <memory>

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
};

/// The same medium everywhere.
std::unique_ptr<Model> constant_model(const Medium& medium);

}  // namespace muster::seismic
