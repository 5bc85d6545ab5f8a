// One multicast stream along the root's row and from there along the columns, as default routes go.
#include "collective/grid/flood.h"

#include <algorithm>

#include "base/saturating.h"
#include "collective/grid/beyond_formulas.h"
#include "collective/grid/model.h"
#include "machine/mesh.h"

namespace muster {

void write_flood(ScheduleBuilder& builder, NodeId root, std::span<const NodeId> others, SpanId all,
                 FloodBuffers buffers) {
  if (!others.empty()) {
    const StreamId flood = builder.multicast(root, others, all);
    builder.step(root, all).own(buffers.from).push(flood);
    for (const NodeId node : others) builder.step(node, all).take(flood).store(buffers.to);
  }
  if (buffers.from != buffers.to) builder.step(root, all).own(buffers.from).store(buffers.to);
}

Cycles flood_cycles(const Mesh& mesh, NodeId root, std::int64_t count) {
  const std::int64_t others = std::int64_t{mesh.width} * mesh.height - 1;
  if (others == 0) return Cycles(0);
  const ModelTerms terms{.depth = 1,
                         .distance = farthest_hops(mesh, root),
                         .energy = saturating_product(count, others),
                         .contention = count,
                         .links = others};
  const std::int64_t slower = taken_spread(count, mesh) - std::max<std::int64_t>(0, count - 1);
  return Cycles(saturating_sum((model_cycles(terms, mesh) + mesh.operation_start).value(), slower));
}

}  // namespace muster
