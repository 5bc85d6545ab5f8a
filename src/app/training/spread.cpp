#include "app/training/spread.h"

#include "app/training/families.h"
#include "base/error.h"

namespace muster::training {

AdviceAnswer::Spread best_spread(const TrainRequest& request, const std::function<void(double)>& progress) {
  const auto own = trainer_for(request.machine).best_spread;
  if (own != nullptr) return own(request, progress);
  reject("--advise: {} has no dimensions to spread its bandwidth over", request.machine.name);
}

}  // namespace muster::training
