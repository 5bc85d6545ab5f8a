// One look at every operand. As many operands as sinks, each at a sink that had none: so every sink has one.
#include "schedule/stream_ends.h"

#include <algorithm>

#include "base/index.h"

namespace muster {
namespace {

constexpr StepId kNobody = -1;
constexpr std::int32_t kFewSinks = 16;

/// The slot of a node among the sinks of a stream; where it belongs, if they are many.
std::int32_t slot_of(const Schedule& flat, const Stream& stream, NodeId node) {
  const auto sinks = flat.sinks_of(stream);
  const auto found = stream.sinks.count <= kFewSinks ? std::find(sinks.begin(), sinks.end(), node)
                                                     : std::lower_bound(sinks.begin(), sinks.end(), node);
  return stream.sinks.first + static_cast<std::int32_t>(found - sinks.begin());
}

}  // namespace

std::optional<std::vector<StepId>> stream_consumers(const Schedule& flat, std::span<const NodeId> node_of) {
  std::vector<StepId> consumers(flat.sinks.size(), kNobody);
  std::size_t found = 0;
  for (std::size_t s = 0; s < flat.steps.size(); ++s) {
    for (const StreamId operand : flat.operands_of(flat.steps[s])) {
      if (operand == kOwn) continue;
      const Stream& stream = flat.streams[at(operand)];
      if (stream.elements != flat.steps[s].elements) return std::nullopt;
      const std::int32_t slot = slot_of(flat, stream, node_of[s]);
      if (slot == stream.sinks.first + stream.sinks.count) return std::nullopt;
      if (flat.sinks[at(slot)] != node_of[s] || consumers[at(slot)] != kNobody) return std::nullopt;
      consumers[at(slot)] = static_cast<StepId>(s);
      ++found;
    }
  }
  if (found != flat.sinks.size()) return std::nullopt;
  return consumers;
}

}  // namespace muster
