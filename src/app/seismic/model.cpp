#include "app/seismic/model.h"

namespace muster::seismic {
namespace {

class ConstantModel final : public Model {
 public:
  explicit ConstantModel(const Medium& medium) : medium_(medium) {}
  [[nodiscard]] Medium at(const Extent& /*node*/) const override { return medium_; }

 private:
  Medium medium_;
};

}  // namespace

std::unique_ptr<Model> constant_model(const Medium& medium) { return std::make_unique<ConstantModel>(medium); }

}  // namespace muster::seismic
