#include "app/seismic/model.h"

#include <algorithm>

#include "app/seismic/media.h"

namespace muster::seismic {
namespace {

class ConstantModel final : public Model {
 public:
  explicit ConstantModel(const Medium& medium) : medium_(medium) {}
  [[nodiscard]] Medium at(const Extent& /*node*/) const override { return medium_; }
  [[nodiscard]] bool density_varies_along(Axis /*axis*/) const override { return false; }

 private:
  Medium medium_;
};

class LayeredModel final : public Model {
 public:
  LayeredModel(std::vector<ModelLayer> layers, double spacing) : layers_(std::move(layers)), spacing_(spacing) {}

  [[nodiscard]] Medium at(const Extent& node) const override {
    const double depth = static_cast<double>(node.z) * spacing_;
    const auto below = std::ranges::find_if(layers_, [&](const ModelLayer& layer) { return layer.top > depth; });
    return std::prev(below)->medium;
  }
  [[nodiscard]] bool density_varies_along(Axis axis) const override {
    return axis == Axis::z && std::ranges::any_of(layers_, [&](const ModelLayer& layer) {
             return layer.medium.rho != layers_.front().medium.rho;
           });
  }

 private:
  std::vector<ModelLayer> layers_;
  double spacing_;
};

class GradientModel final : public Model {
 public:
  GradientModel(const Medium& top, const Medium& bottom, std::int64_t nodes)
      : top_(top), bottom_(bottom), last_(static_cast<double>(std::max<std::int64_t>(1, nodes - 1))) {}

  [[nodiscard]] Medium at(const Extent& node) const override {
    const double share = static_cast<double>(node.z) / last_;
    Medium medium;
    for (const MediumParameter& parameter : kMediumParameters) {
      medium.*parameter.value = (1 - share) * top_.*parameter.value + share * bottom_.*parameter.value;
    }
    return medium;
  }
  [[nodiscard]] bool density_varies_along(Axis axis) const override {
    return axis == Axis::z && top_.rho != bottom_.rho;
  }

 private:
  Medium top_;
  Medium bottom_;
  double last_;
};

class CubeModel final : public Model {
 public:
  CubeModel(const Extent& extent, std::vector<ParameterCube> cubes, const Medium& rest)
      : extent_(extent), cubes_(std::move(cubes)), rest_(rest) {}

  [[nodiscard]] Medium at(const Extent& node) const override {
    const auto index = static_cast<std::size_t>((node.x * extent_.y + node.y) * extent_.z + node.z);
    Medium medium = rest_;
    for (const ParameterCube& cube : cubes_) medium.*cube.parameter = static_cast<double>(cube.values[index]);
    return medium;
  }
  [[nodiscard]] bool density_varies_along(Axis /*axis*/) const override {
    return std::ranges::any_of(cubes_, [](const ParameterCube& cube) { return cube.parameter == &Medium::rho; });
  }
  [[nodiscard]] std::int64_t bytes() const override {
    return static_cast<std::int64_t>(cubes_.size() * sizeof(float)) * cells_of(extent_);
  }

 private:
  Extent extent_;
  std::vector<ParameterCube> cubes_;
  Medium rest_;
};

}  // namespace

std::unique_ptr<Model> constant_model(const Medium& medium) { return std::make_unique<ConstantModel>(medium); }

std::unique_ptr<Model> layered_model(std::vector<ModelLayer> layers, double spacing) {
  return std::make_unique<LayeredModel>(std::move(layers), spacing);
}

std::unique_ptr<Model> gradient_model(const Medium& top, const Medium& bottom, std::int64_t nodes) {
  return std::make_unique<GradientModel>(top, bottom, nodes);
}

std::unique_ptr<Model> cube_model(const Extent& extent, std::vector<ParameterCube> cubes, const Medium& rest) {
  return std::make_unique<CubeModel>(extent, std::move(cubes), rest);
}

}  // namespace muster::seismic
