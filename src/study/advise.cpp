#include "study/advise.h"

#include "machine/family.h"
#include "study/families.h"

namespace muster {

AdviceAnswer advise(const Machine& machine) {
  const auto own = studies_of(machine).advise;
  if (own != nullptr) return own(machine);
  reject_family(machine, "--advise", families_that_advise());
}

}  // namespace muster
