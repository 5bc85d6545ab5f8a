// Models of layers that lie on each other.
#include <algorithm>

#include "app/seismic/propagators.h"
#include "app/seismic/shot.h"

namespace muster::seismic {
namespace {

class LayeredModel final : public Model {
 public:
  LayeredModel(std::vector<ModelLayer> layers, double spacing) : layers_(std::move(layers)), spacing_(spacing) {}

  [[nodiscard]] Medium at(const Extent& node) const override {
    const double depth = static_cast<double>(node.z) * spacing_;
    const auto below = std::ranges::find_if(layers_, [&](const ModelLayer& layer) { return layer.top > depth; });
    return std::prev(below)->medium;
  }

 private:
  std::vector<ModelLayer> layers_;
  double spacing_;
};

}  // namespace

std::unique_ptr<Model> make_model(const Shot& shot) {
  return std::make_unique<LayeredModel>(shot.layers, shot.grid.spacing.z);
}

double fastest(const Shot& shot) {
  double velocity = 0;
  for (const ModelLayer& layer : shot.layers) velocity = std::max(velocity, layer.medium.vp);
  return velocity;
}

double slowest(const Shot& shot) {
  const bool has_shear = describe_propagator(shot.propagator).field("sxy") >= 0;
  double velocity = fastest(shot);
  for (const ModelLayer& layer : shot.layers) {
    velocity = std::min(velocity, layer.medium.vp);
    if (has_shear && layer.medium.vs > 0) velocity = std::min(velocity, layer.medium.vs);
  }
  return velocity;
}

}  // namespace muster::seismic
