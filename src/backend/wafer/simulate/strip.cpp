// Cuts the wafer into strips, and runs one for a cycle.
#include "backend/wafer/simulate/strip.h"

#include <algorithm>

#include "base/index.h"
#include "machine/mesh.h"

namespace muster::wafer {

Strip::Strip(Fabric& fabric, const PreparedProgram& prepared, NodeRange nodes, const Options& options)
    : state(fabric, nodes, options.is_recorded, options.has_history),
      routers(fabric, state),
      processors(fabric, prepared, state, routers, options.processors) {}

void Strip::run(Tick now, const Strip* before, const Strip* after) {
  state.begin(now);
  if (before != nullptr) state.take_calls(before->state, now);
  if (after != nullptr) state.take_calls(after->state, now);
  const bool moved = routers.run(now);
  const bool worked = processors.run(now);
  was_busy_ = moved || worked;
}

std::vector<NodeRange> cut(const Mesh& mesh, NodeId nodes, std::size_t count) {
  const std::int64_t width = nodes > mesh.width ? mesh.width : 1;  // links lead to the strips beside alone
  const std::int64_t lines = nodes / width;
  const std::int64_t strips =
      std::clamp<std::int64_t>(static_cast<std::int64_t>(count), 1, std::max<std::int64_t>(lines, 1));
  std::vector<NodeRange> all;
  for (std::int64_t s = 0; s < strips; ++s) {
    all.push_back({.first = static_cast<NodeId>(lines * s / strips * width),
                   .end = static_cast<NodeId>(lines * (s + 1) / strips * width)});
  }
  return all;
}

}  // namespace muster::wafer
