// Two executions of a schedule side by side: what the contracts owe, word by word.
#include <fmt/format.h>

#include "schedule/interpret.h"
#include "schedule/rank_by_rank.h"

namespace muster {

Comparison compare_outputs(const Schedule& schedule, const Outputs& expected, const Outputs& actual,
                           const Arithmetic& arithmetic) {
  Comparison comparison;
  const auto word = [](const Outputs& outputs, NodeId node, std::int64_t element) -> std::optional<Word> {
    const auto n = static_cast<std::size_t>(node);
    const auto e = static_cast<std::size_t>(element);
    if (n >= outputs.size() || e >= outputs[n].size()) return std::nullopt;
    return outputs[n][e];
  };
  const auto text = [&](std::optional<Word> w) { return w ? arithmetic.text(*w) : "nothing"; };
  const auto is_same = [&](NodeId node, std::int64_t e) {
    ++comparison.compared;
    const auto want = word(expected, node, e);
    const auto have = word(actual, node, e);
    if (want && want == have) return true;
    comparison.difference = fmt::format("rank {}, element {}: {}, expected {}", node, e, text(have), text(want));
    return false;
  };
  for (const Contract& contract : schedule.contracts) {
    OwedRankByRank owed_by(contract);
    for (std::size_t i = 0; i < contract.ranks.size(); ++i) {
      const NodeId node = contract.ranks[i];
      for (const Owed& owed : owed_by.of(static_cast<std::int32_t>(i))) {
        for (std::int64_t e = owed.range.first; e < owed.range.end(); ++e) {
          if (!is_same(node, e)) return comparison;
        }
      }
    }
    // What receivers recorded lies behind the result.
    const std::int64_t first = schedule.extent_of(contract.to);
    for (const StencilPoints& receiver : contract.receivers) {
      const NodeId node = contract.ranks[static_cast<std::size_t>(receiver.rank)];
      for (std::int64_t e = 0; e < schedule.extent_of(Buffer::record); ++e) {
        if (!is_same(node, first + e)) return comparison;
      }
    }
  }
  return comparison;
}

}  // namespace muster
