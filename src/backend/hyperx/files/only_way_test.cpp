#include "backend/hyperx/files/only_way.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "backend/hyperx/files/test_programs.h"
#include "machine/hyperx.h"

namespace muster::hyperx {
namespace {

/// All rows that data of a row can come to, itself included.
std::set<std::int32_t> reached_from(const Wiring& wiring, std::int32_t row) {
  std::set<std::int32_t> reached{row};
  std::vector<std::int32_t> found{row};
  for (std::size_t next = 0; next < found.size(); ++next) {
    const Slice outputs = wiring.registers().rows[at(found[next])].outputs;
    for (std::int32_t port_index = outputs.first; port_index < outputs.first + outputs.count; ++port_index) {
      const std::int32_t to = wiring.row(port_index);
      if (to >= 0 && reached.insert(to).second) found.push_back(to);
    }
  }
  return reached;
}

RC_GTEST_PROP(OnlyWay, LeadsOnlyWhereDataGoes, ()) {
  const HyperXProgram program = any_program();
  const Wiring wiring(program);
  const OnlyWay only_way(wiring, order_of(wiring));
  const auto rows = static_cast<std::int32_t>(program.registers.rows.size());
  for (std::int32_t from = 0; from < rows; ++from) {
    const auto reached = reached_from(wiring, from);
    for (std::int32_t to = 0; to < rows; ++to) RC_ASSERT(!only_way.leads(from, to) || reached.contains(to));
  }
}

RC_GTEST_PROP(OnlyWay, LeadsFromEveryGiverToEveryTakerOfATree, ()) {
  const HyperX network = any_network();
  std::set<NodeId> used;
  const TestTree tree = any_tree(network, 0, rank_count(network) + any(0, rank_count(network) - 1), 30, used);
  const HyperXProgram program = program_of(network, {tree}, {{.elements = {0, 1}}});
  const Wiring wiring(program);
  const OnlyWay only_way(wiring, order_of(wiring));
  const auto rows = static_cast<std::int32_t>(program.registers.rows.size());
  for (std::int32_t from = 0; from < rows; ++from) {
    for (std::int32_t to = 0; to < rows; ++to) {
      if (wiring.memory(from).reads && wiring.memory(to).writes) RC_ASSERT(only_way.leads(from, to));
    }
  }
}

}  // namespace
}  // namespace muster::hyperx
