// What the shortcut proves by itself, and what it leaves to the composition.
#include "schedule/verifier/shortcut.h"

#include <gtest/gtest.h>

#include "schedule/verifier/blocks_test_support.h"
#include "schedule/verifier/exchanges_test_support.h"
#include "schedule/verifier/verify_test_support.h"

namespace muster::examples {
namespace {

/// Whether the shortcut alone proves all components.
bool is_proven(const Schedule& schedule, const Machine& machine) {
  const verifier::Subject subject{.schedule = schedule, .machine = machine, .is_part = false};
  verifier::PartFootprints footprints;
  for (const Schedule& part : schedule.parts) footprints.push_back(verifier::footprints_of(part));
  const auto facts = verifier::group_set_facts(schedule);
  const verifier::PhaseSubject phases{subject, footprints, facts};
  verifier::Shortcut shortcut(phases, {});
  const verifier::Components components = verifier::components_of(schedule, facts);
  EXPECT_TRUE(components.is_split);
  for (const verifier::Component& component : components.all) {
    if (!component.elements[0].empty() || !component.elements[1].empty()) {
      if (!shortcut.proves(component)) return false;
    }
  }
  return true;
}

/// A row of five; the phases work on halves of its vector, one after another.
class Row {
 public:
  static constexpr NodeId kNodes = 5;
  static constexpr std::int64_t kHalf = 6;

  void phase(Contract contract, std::int64_t offset, Buffer input, Buffer output) {
    contract.count = kHalf;
    Phase phase{.part = b_.part(direct_part(kNodes, std::move(contract))),
                .groups = b_.groups({{.members = first_nodes(kNodes), .on = b_.span({0, kHalf})}}),
                .offset = offset,
                .input = input,
                .output = output,
                .after = {}};
    if (last_ >= 0) phase.after = {last_};
    last_ = b_.phase(std::move(phase));
  }

  Schedule finish(Contract contract) && {
    contract.ranks = first_nodes(kNodes);
    contract.count = 2 * kHalf;
    b_.contract(std::move(contract));
    Schedule schedule = std::move(b_).finish();
    schedule.extent[2] = 2 * kHalf;
    return schedule;
  }

 private:
  ScheduleBuilder b_{{.nodes = kNodes, .count = 2 * kHalf}};
  std::int32_t last_ = -1;
};

TEST(Shortcut, ProvesThatARootAddsGroupsToWhatItHasHalfByHalf) {
  Row row;
  for (const std::int64_t offset : {std::int64_t{0}, Row::kHalf}) {
    row.phase({.collective = Collective::reduce, .ranks = {2, 4, 3}, .root = 0}, offset, Buffer::input, Buffer::output);
    row.phase({.collective = Collective::reduce, .ranks = {0, 1, 2}, .root = 2, .root_in_place = true}, offset,
              Buffer::input, Buffer::output);
  }
  const Schedule schedule = std::move(row).finish({.collective = Collective::reduce, .root = 2});
  EXPECT_TRUE(is_verified(schedule, mesh(Row::kNodes, 1)));
  EXPECT_TRUE(is_proven(schedule, mesh(Row::kNodes, 1)));
}

TEST(Shortcut, ProvesThatBlocksAreReducedAndGatheredHalfByHalf) {
  const std::vector<Range> blocks = {{4, 1}, {0, 2}, {3, 1}, {5, 0}, {5, 1}};  // nobody has element 2
  const std::vector<NodeId> row = first_nodes(Row::kNodes);
  Row phases;
  for (const std::int64_t offset : {std::int64_t{0}, Row::kHalf}) {
    phases.phase({.collective = Collective::reduce, .ranks = {4, 2, 0, 3, 1}, .root = 1}, offset, Buffer::input,
                 Buffer::output);
    phases.phase({.collective = Collective::reduce_scatter, .ranks = row, .blocks = blocks}, offset, Buffer::input,
                 Buffer::scratch);
    phases.phase({.collective = Collective::gather, .ranks = row, .root = 2, .blocks = blocks}, offset, Buffer::scratch,
                 Buffer::output);
  }
  const Schedule schedule = std::move(phases).finish({.collective = Collective::reduce, .root = 2});
  EXPECT_TRUE(is_verified(schedule, mesh(Row::kNodes, 1)));
  EXPECT_TRUE(is_proven(schedule, mesh(Row::kNodes, 1)));
}

TEST(Shortcut, DoesNotProveAPartialSumThatIsCountedTwiceOrLeftOut) {
  for (const bool in_place : {false, true}) {
    Row row;
    for (const std::int64_t offset : {std::int64_t{0}, Row::kHalf}) {
      row.phase({.collective = Collective::reduce, .ranks = {2, 4, 3}, .root = 0}, offset, Buffer::input,
                Buffer::output);
      row.phase({.collective = Collective::reduce,
                 .ranks = {0, 1, in_place ? 3 : 4, 2},
                 .root = 3,
                 .root_in_place = in_place},
                offset, Buffer::input, Buffer::output);
    }
    const Schedule wrong = std::move(row).finish({.collective = Collective::reduce, .root = 2});
    const Counterexample counterexample = refusal(wrong, mesh(Row::kNodes, 1));
    EXPECT_EQ(counterexample.kind, in_place ? Kind::doubled : Kind::missing);
    EXPECT_TRUE(says(counterexample, "rank 3")) << counterexample.message;
    EXPECT_FALSE(is_proven(wrong, mesh(Row::kNodes, 1)));
  }
}

TEST(Shortcut, DoesNotTakeAnAllreduceForAnAllToAll) {
  Row row;
  for (const std::int64_t offset : {0, 4})
    row.phase({.collective = Collective::allreduce, .ranks = first_nodes(Row::kNodes)}, offset, Buffer::input,
              Buffer::output);
  Schedule schedule = std::move(row).finish({.collective = Collective::all_to_all});
  schedule.contracts[0].count = 10;
  EXPECT_FALSE(is_proven(schedule, mesh(Row::kNodes, 1)));
  EXPECT_EQ(refusal(schedule, mesh(Row::kNodes, 1)).kind, Kind::foreign);
}

}  // namespace
}  // namespace muster::examples
