// The summary of a cluster program.
#include "backend/cluster/program.h"

#include "base/index.h"

namespace muster::cluster {

std::string ClusterProgram::summary() const {
  std::vector<std::int64_t> counts(cluster().dimensions.size(), 0);
  for (const Operation& o : operations) ++counts[at(o.dimension)];
  return fmt::format("{} phases, {} operations; operations by dimension: {}", schedule.phases.size(), operations.size(),
                     fmt::join(counts, ", "));
}

std::vector<int> ClusterProgram::channels_sent(NodeId /*node*/) const { return {}; }

ProgramFacts ClusterProgram::facts() const {
  ProgramFacts facts{.machine = machine, .arithmetic = arithmetic};
  for (const Contract& contract : schedule.contracts) {
    facts.ranks.insert(facts.ranks.end(), contract.ranks.begin(), contract.ranks.end());
    facts.words = std::max(facts.words, contract.count);
    facts.in_place = contract.from == contract.to;
  }
  return facts;
}

}  // namespace muster::cluster
