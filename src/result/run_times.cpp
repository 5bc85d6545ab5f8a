#include "result/run_times.h"

#include <algorithm>

namespace muster {
namespace {

Spread spread_of(std::vector<Ticks> times) {
  std::sort(times.begin(), times.end());
  return {.median = times[(times.size() - 1) / 2], .most = times.back()};
}

}  // namespace

std::optional<RunTimes> run_times(const Result& result, std::size_t call) {
  if (call >= result.node_times.size() || result.node_times[call].empty()) return std::nullopt;
  const std::vector<NodeTimes>& nodes = result.node_times[call];
  if (!std::all_of(nodes.begin(), nodes.end(), [](const NodeTimes& node) { return node.started.has_value(); })) {
    return std::nullopt;
  }
  Ticks first = *nodes.front().started;
  for (const NodeTimes& node : nodes) first = std::min(first, *node.started);
  std::vector<Ticks> from_first;
  std::vector<Ticks> from_own;
  for (const NodeTimes& node : nodes) {
    if (node.owed <= *node.started) continue;  // it gets no result
    from_first.push_back(node.owed - first);
    from_own.push_back(node.owed - *node.started);
  }
  if (from_first.empty()) return std::nullopt;
  return RunTimes{.from_first_start = spread_of(std::move(from_first)),
                  .from_own_start = spread_of(std::move(from_own))};
}

}  // namespace muster
