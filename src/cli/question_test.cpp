#include "cli/question.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "plan/job.h"

namespace muster {
namespace {

Arguments on_a_row(const std::string& collective) {
  Arguments arguments;
  arguments.subcommand = "plan";
  arguments.set("--machine", {"wse2"});
  arguments.set("--grid", {"8x1"});
  arguments.set("--collective", {collective});
  if (collective != "barrier") arguments.set("--count", {"16"});
  return arguments;
}

Question question(const Arguments& arguments) { return question_of(job_of(arguments)); }

std::string refusal(const Arguments& arguments) {
  try {
    job_of(arguments);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Question, OfAReduceHasOperatorAndRoot) {
  Arguments arguments = on_a_row("reduce");
  arguments.set("--root", {"5,0"});
  arguments.set("--op", {"max"});
  EXPECT_EQ(question(arguments).op, "max");
  EXPECT_EQ(question(arguments).root, 5);
  EXPECT_EQ(question(arguments).type, "f32");
}

TEST(Question, LeavesOutWhatHasNoMeaning) {
  for (const char* collective :
       {"broadcast", "allgather", "scatter", "gather", "all-to-all", "neighbours", "barrier"}) {
    EXPECT_EQ(question(on_a_row(collective)).op, "") << collective;
  }
  for (const char* collective : {"allreduce", "reduce-scatter", "allgather", "all-to-all", "neighbours", "barrier"}) {
    EXPECT_EQ(question(on_a_row(collective)).root, std::nullopt) << collective;
  }
  for (const char* collective : {"reduce", "broadcast", "scatter", "gather"}) {
    EXPECT_EQ(question(on_a_row(collective)).root, 0) << collective;
  }
  EXPECT_EQ(question(on_a_row("allreduce")).op, "sum");
  EXPECT_EQ(question(on_a_row("barrier")).type, "");
}

TEST(Question, RefusesFlagsThatWouldChangeNothing) {
  Arguments arguments = on_a_row("broadcast");
  arguments.set("--op", {"max"});
  EXPECT_EQ(refusal(arguments), "--op: broadcast combines nothing; leave it out");
  arguments = on_a_row("allreduce");
  arguments.set("--root", {"1"});
  EXPECT_EQ(refusal(arguments), "--root: allreduce has no root; leave it out");
  arguments = on_a_row("barrier");
  arguments.set("--type", {"f16"});
  EXPECT_EQ(refusal(arguments), "--type: a barrier carries no vector; leave it out");
}

TEST(Parameters, TakeNamesWhereValuesHaveSome) {
  Arguments arguments;
  arguments.set("--set", {"order=scf", "chunks=4"});
  EXPECT_EQ(parameters_of(arguments, nullptr), (Parameters{{"order", 1}, {"chunks", 4}}));
  arguments.set("--set", {"order=0"});
  EXPECT_EQ(parameters_of(arguments, nullptr), (Parameters{{"order", 0}}));
  arguments.set("--set", {"chunks=scf"});
  EXPECT_THROW(parameters_of(arguments, nullptr), InputError);
}

TEST(Parameters, TakeARankAsRootDoes) {
  Arguments arguments = on_a_row("allreduce");
  arguments.set("--set", {"root=5,0", "group=4"});
  const Job job = job_of(arguments);
  EXPECT_EQ(parameters_of(arguments, &job.machine), (Parameters{{"root", 5}, {"group", 4}}));
  EXPECT_EQ(settings_text(arguments), "with root=5,0, group=4");
  EXPECT_EQ(settings_text(on_a_row("allreduce")), "");
}

}  // namespace
}  // namespace muster
