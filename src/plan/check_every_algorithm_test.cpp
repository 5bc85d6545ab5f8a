// Every registered algorithm, with no further code: the static checks follow its program to the end, the one that is
// lowered and the one that is read back from its CSL, and find nothing; and a program that is wrong is found.
#include <gtest/gtest.h>

#include "collective/algorithm.h"
#include "machine/mesh.h"
#include "plan/job.h"
#include "plan/plan_test_support.h"
#include "plan/stages.h"

namespace muster {
namespace {

struct Written {
  std::unique_ptr<Program> program;
  std::vector<EmittedFile> files;
};

/// Nothing if the algorithm does not support the job or needs more than the machine has.
std::optional<Written> written(const Job& job, const Algorithm& algorithm) {
  if (algorithm.unsupported(request_of(job))) return {};
  const Choice choice = choose_with_defaults(job, algorithm.name, {});
  auto program = lower_for(job, make_schedule(job, algorithm, choice.parameters));
  if (!program) {
    EXPECT_TRUE(is_over_budget(job, algorithm)) << program.reason();
    return {};
  }
  auto files = emitters_for(job.machine)[0]->emit(*program.value(), {.target = "csl", .elements = job.count});
  if (!files) {
    ADD_FAILURE() << files.reason();
    return {};
  }
  return Written{std::move(program).value(), std::move(files).value()};
}

/// What the checks say: "" if they followed everything and found nothing.
std::string verdict(const Job& job, const Program& program) {
  const ProgramCheck check = checker_for(job.machine)->check(program);
  if (!check.unsupported.empty()) return "not checked: " + check.unsupported;
  const auto found = check.counterexample();
  return found ? fmt::format("{} at {}: {}", found->kind, found->location, found->message) : "";
}

std::string verdict(const Job& job, const std::vector<EmittedFile>& files) {
  return verdict(job, *reader_of("csl").read(files, &job.machine, {}).program);
}

Job grid_job(const std::string& machine, std::int32_t width, std::int32_t height, Collective collective) {
  return sized_for({.machine = with_grid(shipped_machine(machine), width, height), .count = 23}, collective);
}

TEST(EveryAlgorithm, IsCheckedWithoutSimulation) {
  for (const Algorithm& algorithm : algorithms_of("mesh")) {
    if (algorithm.family != "mesh") continue;
    int checked = 0;
    for (const std::string machine : {"wse2", "wse3"}) {
      for (const auto& [width, height] : {std::pair{9, 1}, {1, 7}, {3, 2}, {4, 4}, {7, 6}, {8, 3}, {9, 4}}) {
        const Job job = grid_job(machine, width, height, algorithm.collective);
        const auto both = written(job, algorithm);
        if (!both) continue;
        ++checked;
        const std::string where = fmt::format("{}, {} {} on {}x{}", machine, collective_name(algorithm.collective),
                                              algorithm.name, width, height);
        EXPECT_EQ(verdict(job, *both->program), "") << where;
        EXPECT_EQ(verdict(job, both->files), "") << where << ", as CSL";
      }
    }
    EXPECT_GE(checked, 4) << collective_name(algorithm.collective) << " " << algorithm.name;
  }
}

TEST(AllToAll, IsCheckedOnLargerGridsWhereItsMessagesAreTakenInParts) {
  for (const std::string machine : {"wse2", "wse3"}) {
    const Job job = grid_job(machine, 9, 8, Collective::all_to_all);
    const auto both = written(job, find_algorithm(Collective::all_to_all, "mesh", "pipeline"));
    ASSERT_TRUE(both);
    EXPECT_EQ(verdict(job, both->files), "") << machine;
  }
}

/// Replaces the first occurrence in any of the files.
std::vector<EmittedFile> changed(std::vector<EmittedFile> files, const std::string& from, const std::string& to) {
  for (EmittedFile& file : files) {
    const std::size_t where = file.text.find(from);
    if (where == std::string::npos) continue;
    file.text.replace(where, from.size(), to);
    return files;
  }
  ADD_FAILURE() << "the files have no " << from;
  return files;
}

TEST(AllToAll, WithARouterThatTakesFromAnotherSideIsRefusedWithTheRouter) {
  const Job job = grid_job("wse2", 4, 3, Collective::all_to_all);
  const auto both = written(job, find_algorithm(Collective::all_to_all, "mesh", "pipeline"));
  ASSERT_TRUE(both);
  const std::string input = ".rx = .{ WEST }, .tx = .{ RAMP } } };";  // of the last PE of each row
  const std::string said = verdict(job, changed(both->files, input, ".rx = .{ NORTH }, .tx = .{ RAMP } } };"));
  EXPECT_TRUE(said.starts_with("no route at PE (3,")) << said;
  EXPECT_NE(said.find("comes in from west; position 0 takes from north"), std::string::npos) << said;
}

}  // namespace
}  // namespace muster
