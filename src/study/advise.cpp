#include "study/advise.h"

#include "base/error.h"
#include "study/families.h"

namespace muster {

AdviceAnswer advise(const Machine& machine) {
  const auto own = studies_of(machine).advise;
  if (own != nullptr) return own(machine);
  reject("--advise: {} is a {}; advice needs a cluster", machine.name, family_name(machine));
}

}  // namespace muster
