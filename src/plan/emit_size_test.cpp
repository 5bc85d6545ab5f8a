// However many PEs there are, the whole program stays under 100 KB.
#include <gtest/gtest.h>

#include "machine/mesh.h"
#include "plan/plan_test_support.h"

namespace muster {
namespace {

std::size_t size_of_program(const std::string& machine, Collective collective, const std::string& algorithm,
                            std::int32_t width, std::int32_t height) {
  Job job{.machine = with_grid(shipped_machine(machine), width, height), .count = 96};
  job = sized_for(job, collective);
  const Emission emission = emit(job, choose_with_defaults(job, algorithm, {}),
                                 {.target = "csl", .command = "muster", .elements = job.count});
  std::size_t bytes = 0;
  for (const EmittedFile& file : emission.files) bytes += file.text.size();
  return bytes;
}

constexpr std::size_t kLimit = 100'000;

TEST(EmittedSize, OfRowsStaysUnderTheLimit) {
  for (const std::string machine : {"wse2", "wse3"}) {
    for (const std::string algorithm : {"ring", "ring-folded", "best-tree-flood"}) {
      EXPECT_LT(size_of_program(machine, Collective::allreduce, algorithm, 128, 1), kLimit) << machine << algorithm;
    }
    EXPECT_LT(size_of_program(machine, Collective::allgather, "halves", 96, 1), kLimit) << machine;
    EXPECT_LT(size_of_program(machine, Collective::reduce_scatter, "pipeline", 96, 1), kLimit) << machine;
    EXPECT_LT(size_of_program(machine, Collective::gather, "direct", 128, 1), kLimit) << machine;
  }
}

TEST(EmittedSize, OfGridsStaysUnderTheLimitAndHardlyGrows) {
  for (const std::string algorithm : {"x-then-y-chain", "x-then-y-tree", "x-then-y-best-tree"}) {
    const std::size_t small = size_of_program("wse2", Collective::allreduce, algorithm, 32, 32);
    const std::size_t large = size_of_program("wse2", Collective::allreduce, algorithm, 96, 96);
    EXPECT_LT(large, kLimit) << algorithm;
    EXPECT_LT(large, small + small / 3) << algorithm;
  }
  EXPECT_LT(size_of_program("wse2", Collective::reduce, "split-chain", 48, 48), kLimit);
}

// Few PEs that all do something else, with long lists.
TEST(EmittedSize, OfAllToAllStaysUnderTheLimit) {
  for (const std::string machine : {"wse2", "wse3"}) {
    EXPECT_LT(size_of_program(machine, Collective::all_to_all, "pipeline", 33, 1), kLimit / 2) << machine;
    EXPECT_LT(size_of_program(machine, Collective::all_to_all, "pipeline", 64, 1), kLimit) << machine;
    EXPECT_LT(size_of_program(machine, Collective::all_to_all, "pipeline", 9, 8), kLimit / 2) << machine;
    EXPECT_LT(size_of_program(machine, Collective::all_to_all, "pipeline", 13, 17), kLimit) << machine;
  }
}

TEST(EmittedSize, OfSplitReducesWithManyColorsStaysUnderTheLimit) {
  for (const std::string pattern : {"split-chain", "split-two-phase", "split-auto-gen", "split-best-tree"}) {
    EXPECT_LT(size_of_program("wse3", Collective::reduce, pattern, 9, 8), kLimit) << pattern;
    EXPECT_LT(size_of_program("wse3", Collective::allreduce, pattern + "-flood", 9, 8), kLimit) << pattern;
  }
  EXPECT_LT(size_of_program("wse2", Collective::allreduce, "split-chain-flood", 9, 8), kLimit);
}

}  // namespace
}  // namespace muster
