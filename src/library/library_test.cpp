// The library as its users see it: nothing but its public headers. (examples/ is built against an installed one.)
#include <gtest/gtest.h>
#include <muster/muster.h>

#include <fstream>
#include <sstream>

#include "base/source_dir.h"

namespace {

muster::Question reduce_on_eight() {
  return {.machine = muster::load_machine("wse2").with_grid(8, 1), .collective = "reduce", .count = 16};
}

template <class Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const muster::Error& error) {
    return error.what();
  }
  return "accepted";
}

std::string contents(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(muster::source_dir() + "/" + file).rdbuf();
  return text.str();
}

/// The first block of a page that begins with ```LANGUAGE.
std::string block(const std::string& page, const std::string& language) {
  const std::string fence = "\n```" + language + "\n";
  const std::size_t begin = page.find(fence);
  if (begin == std::string::npos) return "";
  const std::size_t first = begin + fence.size();
  return page.substr(first, page.find("\n```", first) + 1 - first);
}

TEST(Library, FindsMachinesByName) {
  const muster::Machine machine = muster::load_machine("wse2", {{"ramp.latency", "7 cycles"}});
  EXPECT_EQ(machine.name(), "wse2");
  EXPECT_EQ(machine.family(), "mesh");
  EXPECT_EQ(machine.shape(), "750x994");
  EXPECT_EQ(machine.with_grid(4, 2).ranks(), 8);
  EXPECT_EQ(muster::load_machine("piuma").with_nodes(4).shape(), "2x2 nodes");
  EXPECT_EQ(muster::load_machine("piuma").with_shape({4, 2}).shape(), "4x2 nodes");
  EXPECT_FALSE(muster::machine_names().empty());
}

TEST(Library, ReadsMachinesFromTheFoldersOfTheEnvironment) {
  const std::string folder = ::testing::TempDir();
  std::ofstream(folder + "/library_test_machine.toml") << contents("machines/wse3.toml");
  ::setenv("MUSTER_PATH", folder.c_str(), 1);
  const std::string shape = muster::load_machine("library_test_machine").shape();
  ::unsetenv("MUSTER_PATH");
  EXPECT_EQ(shape, "755x1170");
}

TEST(Library, PlansAndTheWinnerCanBeAskedFor) {
  muster::Question question = reduce_on_eight();
  const muster::Plan plan = muster::plan(question);
  EXPECT_TRUE(plan.verified);
  EXPECT_TRUE(plan.result_correct);
  ASSERT_TRUE(plan.best().simulated && plan.best().simulated->cycles);
  ASSERT_FALSE(plan.bounds.empty());
  EXPECT_LE(*plan.bounds.front().time.cycles, *plan.best().simulated->cycles);
  question.algorithm = plan.best().algorithm;
  question.parameters = plan.best().parameters;
  const muster::Simulation simulation = muster::simulate(question);
  ASSERT_TRUE(simulation.simulated);
  EXPECT_EQ(simulation.simulated->cycles, plan.best().simulated->cycles);
  EXPECT_EQ(simulation.problem, "");
  EXPECT_TRUE(simulation.verified && simulation.result_correct);
}

TEST(Library, UsesOverridesOfTheMachine) {
  muster::Question question = reduce_on_eight();
  question.algorithm = "chain";
  const auto fast = *muster::simulate(question).simulated->cycles;
  question.machine = muster::load_machine("wse2", {{"ramp.latency", "7 cycles"}}).with_grid(8, 1);
  EXPECT_GT(*muster::simulate(question).simulated->cycles, fast);
}

TEST(Library, EmitsWhatItVerifies) {
  muster::Question question = reduce_on_eight();
  question.algorithm = "tree";
  const muster::Emission emission = muster::emit(question, "schedule");
  ASSERT_EQ(emission.files.size(), 1U);
  std::string text = emission.files[0].text;
  EXPECT_EQ(muster::to_text(muster::verify(question.machine, text)), "verified, exactly: 8 nodes, 7 streams, 11 steps");
  const std::string right = "\"own\": \"output\", \"push\"";
  text.replace(text.find(right), right.size(), "\"own\": \"input\", \"push\"");
  const muster::Verdict verdict = muster::verify(question.machine, text);
  EXPECT_FALSE(verdict.verified);
  EXPECT_NE(verdict.counterexample.find("lacks the contribution"), std::string::npos) << verdict.counterexample;
}

TEST(Library, EmitsCodeThatNamesItsOrigin) {
  muster::Question question = reduce_on_eight();
  question.algorithm = "two-phase";
  question.parameters = {{"group", "4"}};
  const muster::Emission emission = muster::emit(question, "csl");
  ASSERT_FALSE(emission.files.empty());
  const std::string origin = "muster::emit: reduce of 16 f32 on wse2, 8x1, by two-phase group=4";
  EXPECT_NE(emission.files[0].text.find(origin), std::string::npos) << emission.files[0].text.substr(0, 300);
}

TEST(Library, TakesClustersAndNamesOfParameters) {
  muster::Question question{.machine = muster::load_machine("themis-2d-sw-sw", {{"dimension.2.size", "8"}}),
                            .collective = "allreduce",
                            .count = 1'000'000,
                            .algorithm = "themis",
                            .parameters = {{"chunks", "4"}, {"order", "scf"}}};
  const muster::Simulation simulation = muster::simulate(question);
  EXPECT_EQ(simulation.parameters.at("order"), "scf");
  ASSERT_TRUE(simulation.simulated);
  EXPECT_FALSE(simulation.simulated->cycles) << "it has no clock";
  EXPECT_GT(simulation.simulated->seconds, 0);
}

TEST(Library, GivesABarrierNoVector) {
  muster::Question question = reduce_on_eight();
  question.collective = "barrier";
  EXPECT_EQ(message_of([&] { (void)muster::plan(question); }), "count: a barrier carries no vector; leave it out");
  question.count = 0;
  EXPECT_TRUE(muster::plan(question).verified);
}

TEST(Library, PrintsItsAnswers) {
  muster::Question question = reduce_on_eight();
  std::ostringstream plan;
  plan << muster::plan(question);
  EXPECT_EQ(plan.str().substr(0, 9), "algorithm");
  EXPECT_NE(plan.str().find("\nproven: yes"), std::string::npos) << plan.str();
  question.algorithm = "chain";
  std::ostringstream simulation;
  simulation << muster::simulate(question);
  EXPECT_EQ(simulation.str().substr(0, 17), "chain: simulated ");
  EXPECT_NE(simulation.str().find("\nproven: yes; result correct: yes"), std::string::npos) << simulation.str();
  EXPECT_EQ(muster::to_text(muster::Time{.cycles = 1234, .seconds = 2e-6}), "1,234 cycles (2 us)");
  EXPECT_EQ(muster::to_text(muster::Time{.cycles = {}, .seconds = 2e-6}), "2 us");
}

TEST(Library, RefusesWithOneLine) {
  const auto asked = [](auto change) {
    return message_of([&] {
      muster::Question question = reduce_on_eight();
      change(question);
      (void)muster::simulate(question);
    });
  };
  EXPECT_EQ(message_of([] { (void)muster::load_machine("wse9"); }).substr(0, 23), "unknown machine 'wse9';");
  EXPECT_EQ(message_of([] {
              (void)muster::load_machine("wse2", {{"ramp.latncy", "1 ns"}});
            }),
            "--param ramp.latncy=1 ns: unknown key; allowed here: latency, queue");
  EXPECT_EQ(asked([](auto& q) { q.collective = "redcue"; }),
            "collective: unknown name 'redcue'; did you mean 'reduce'?");
  EXPECT_EQ(asked([](auto& q) { q.count = 0; }), "count: 0 is out of range; use 1 to 1,000,000,000,000");
  EXPECT_EQ(asked([](auto& q) { q.root = 8; }), "root: 8 is no rank; use 0 to 7");
  EXPECT_EQ(asked([](auto& q) {
              q.parameters = {{"group", "4"}};
            }),
            "parameters: they need an algorithm; name it, or leave them out");
  EXPECT_EQ(asked([](auto& q) {
              q.algorithm = "two-phase";
              q.parameters = {{"group", "four"}};
            }),
            "parameters: group: 'four' is not a whole number; use e.g. '16'");
  EXPECT_EQ(message_of([] {
              muster::Question question = reduce_on_eight();
              question.algorithm = "chain";
              (void)muster::plan(question);
            }),
            "algorithm: a plan compares all of them; leave 'chain' out, or ask simulate()");
}

TEST(Library, HasAPageThatShowsItsExample) {
  const std::string page = contents("docs/library.md");
  EXPECT_EQ(block(page, "cpp"), contents("examples/best_reduce.cpp"));
  EXPECT_EQ(block(page, "cmake"), contents("examples/CMakeLists.txt"));
}

}  // namespace
