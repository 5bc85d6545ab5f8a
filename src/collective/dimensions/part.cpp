// The algorithm for each kind of dimension.
#include "collective/dimensions/part.h"

#include "base/error.h"
#include "machine/cluster.h"

namespace muster {

Schedule dimension_part(const Cluster::Dimension& dimension, Collective collective, std::int64_t count) {
  const std::int32_t size = dimension.size;
  MUSTER_ASSERT(size >= 2 && count >= 1, "a dimension of {} members, a vector of {} words", size, count);
  const bool exchanges = collective == Collective::all_to_all;
  const RingWays ways = dimension.links > 1 ? RingWays::both : RingWays::one;
  switch (dimension.kind) {
    case Cluster::Kind::ring:
      return exchanges ? ring_exchange_part(size, count, ways) : ring_part(collective, size, count, ways);
    case Cluster::Kind::fully_connected:
      return exchanges ? direct_exchange_part(size, count) : direct_part(collective, size, count);
    case Cluster::Kind::switched:
      if (exchanges) return direct_exchange_part(size, count);
      return dimension.reduces ? reducing_part(collective, size, count) : halving_part(collective, size, count);
  }
  MUSTER_ASSERT(false, "a dimension of no known kind");
}

}  // namespace muster
