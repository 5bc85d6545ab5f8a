// The families: one line each.
#include "machine/cluster.h"
#include "machine/family.h"
#include "machine/hyperx.h"
#include "machine/mesh.h"
#include "machine/torus.h"

namespace muster {

std::span<const Family* const> families() {
  static const Family* const kFamilies[] = {
      &family_of(Mesh{}),     //
      &family_of(Torus{}),    //
      &family_of(HyperX{}),   //
      &family_of(Cluster{}),  //
  };
  return kFamilies;
}

}  // namespace muster
