// Which collective suits a dimension.
#include "collective/dimensions/part.h"

#include "base/error.h"

namespace muster {

Schedule dimension_part(Cluster::Kind kind, Collective collective, std::int32_t size, std::int64_t count) {
  MUSTER_ASSERT(size >= 2 && count >= 1, "a dimension of {} members, a vector of {} words", size, count);
  switch (kind) {
    case Cluster::Kind::ring:
      return ring_part(collective, size, count);
    case Cluster::Kind::fully_connected:
      return direct_part(collective, size, count);
    case Cluster::Kind::switched:
      return halving_part(collective, size, count);
  }
  MUSTER_ASSERT(false, "a dimension of no known kind");
}

}  // namespace muster
