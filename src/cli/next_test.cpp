#include "cli/next.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "cli/question.h"
#include "study/plan.h"

namespace muster {
namespace {

std::vector<std::string> next_of(std::vector<const char*> words) {
  words.insert(words.begin(), {"muster", "plan", "--quiet", "--quick"});
  const auto parsed = parse_arguments(static_cast<int>(words.size()), words.data());
  const auto& arguments = std::get<Arguments>(parsed);
  const Job job = with_parameters(arguments, job_of(arguments));
  return next_commands(arguments, job, plan(job, {.quick = true}));
}

TEST(Next, RepeatsTheQuestionAndNamesTheWinner) {
  EXPECT_EQ(next_of({"--machine", "wse2", "--grid", "64x1", "--collective", "reduce", "--bytes", "1 KiB", "--type",
                     "f16", "--param", "ramp.latency=7 cycles"}),
            (std::vector<std::string>{
                "muster simulate --machine wse2 --param 'ramp.latency=7 cycles' --grid 64x1 --collective reduce "
                "--bytes '1 KiB' --type f16 --algorithm best-tree",
                "muster emit --machine wse2 --param 'ramp.latency=7 cycles' --grid 64x1 --collective reduce "
                "--bytes '1 KiB' --type f16 --algorithm best-tree --target csl --out out/best-tree"}));
}

TEST(Next, SetsWhatIsNotTheDefaultAndNamesTheChosenRoot) {
  const std::string allreduce =
      next_of({"--machine", "wse2", "--grid", "24x16", "--collective", "allreduce", "--count", "4"}).at(0);
  EXPECT_NE(allreduce.find(" --set root=204"), std::string::npos) << allreduce;
  const std::string reduce =
      next_of({"--machine", "wse2", "--grid", "16x1", "--collective", "reduce", "--count", "64", "--root", "any"})
          .at(0);
  EXPECT_EQ(reduce.find("any"), std::string::npos) << reduce;
  EXPECT_NE(reduce.find(" --root 2,0 "), std::string::npos) << reduce;
}

TEST(Next, KeepsFlagsOfClustersWhereTheCommandHasThem) {
  const std::vector<std::string> lines = next_of({"--machine", "themis-2d-sw-sw", "--collective", "allreduce",
                                                  "--bytes", "1MB", "--chunks", "8", "--accounting", "astra"});
  EXPECT_NE(lines.at(0).find(" --chunks 8 --accounting astra --algorithm "), std::string::npos) << lines[0];
  EXPECT_EQ(lines[0].find("--set chunks"), std::string::npos) << lines[0];
  EXPECT_NE(lines.at(1).find(" --chunks 8 --param accounting=astra --algorithm "), std::string::npos) << lines[1];
  EXPECT_NE(lines[1].find(" --target msccl --out out/"), std::string::npos) << lines[1];
}

TEST(Next, IsNothingWithoutAWinner) { EXPECT_TRUE(next_commands({}, {}, {}).empty()); }

}  // namespace
}  // namespace muster
