#include "paper/kinds.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "machine/test_hyperx.h"
#include "paper/claims.h"

namespace muster {
namespace {

/// A claim about a machine of reducing switches, with these lines.
ClaimAnswer check(const std::string& lines, const training::Workload* workload = nullptr) {
  const std::string head =
      "paper = 'A paper'\nmachine = 'piuma'\n[[claim]]\nid = 'a'\nsection = '1'\nstatement = 's'\n";
  const ClaimFile file =
      parse_claims(head + "source = 'ours'\nexplanation = ''\nholds = true\n" + lines, "claims/paper.toml");
  return check_claim(file.claims.at(0), file, {test_hyperx({2})}, {.workload = workload, .shot = ""});
}

/// What one element takes in the network of these nodes: twice the depth (embedding_test.cpp).
std::string part(const std::string& name, const std::string& nodes) {
  return "kind = 'time_part'\ncollective = 'allreduce'\nalgorithm = 'in-network'\ncounts = [1]\npart = '" + name +
         "'\nnodes = " + nodes + "\n";
}

TEST(Kinds, TimePartIsThatOfTheSimulationWithItsName) {
  EXPECT_TRUE(check(part("network", "[1]") + "expected = 0.11\ntolerance = 1e-6").holds);
  EXPECT_TRUE(check(part("memory", "[1]") + "expected = 0.005\ntolerance = 1e-6").holds);
  EXPECT_FALSE(check(part("memory", "[1]") + "expected = 0.11\ntolerance = 1e-6").holds);
}

TEST(Kinds, TimePartTakesTheLargestOrTheSmallest) {
  EXPECT_TRUE(check(part("network", "[1, 16]") + "expected = 0.48\ntolerance = 1e-6").holds);
  EXPECT_TRUE(check(part("network", "[1, 16]") + "take = 'smallest'\nexpected = 0.11\ntolerance = 1e-6").holds);
}

TEST(Kinds, TimePartSaysWhichPartsThereAre) {
  try {
    (void)check(part("networks", "[1]") + "expected = 1");
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("has no part 'networks'; did you mean 'network'"), std::string::npos)
        << error.what();
  }
}

/// Of one element, nearly all is latency: 0.115 us in one node, 0.485 us on 16.
TEST(Kinds, LossIsOfThroughputFromTheFirstShapeToTheLast) {
  const std::string lines = "kind = 'loss'\ncollective = 'allreduce'\nalgorithm = 'in-network'\ncounts = [1]\n";
  const ClaimAnswer answer =
      check(lines + "nodes = [1, 16]\nexpected = 76.29\ntolerance = 0.01");  // 100 (1 - 0.115 / 0.485)
  EXPECT_TRUE(answer.holds) << answer.measured;
  EXPECT_NE(answer.measured.find("(0.115 us and 0.485 us)"), std::string::npos) << answer.measured;
  EXPECT_TRUE(check(lines + "nodes = [16, 16]\nexpected = 0\ntolerance = 0.01").holds);
  EXPECT_FALSE(check(lines + "nodes = [16, 1]\nexpected = 76.29\ntolerance = 0.01").holds) << "that is a gain";
}

/// Memory takes 20 us to read and write 64,000 bytes, and 60 us are computed: the ideal waits for a quarter of its time.
TEST(Kinds, TrainingWaitIsAPartOfTheTime) {
  const training::Workload workload = training::read_toml(
      "summary = 'x'\nbatch = 8\n[[block]]\nname = 'b'\n[[block.layer]]\nname = 'l'\nforward = { time = '30 us' }\n"
      "weight_gradient = { time = '30 us', collective = 'allreduce', bytes = 64000, scope = 'all' }\n",
      "w.toml");
  const std::string lines = "kind = 'training_wait'\nworkload = 'w'\nalgorithm = 'ideal'\nmachines = ['piuma']\n";
  const ClaimAnswer answer = check(lines + "expected = 25\ntolerance = 0.01", &workload);
  EXPECT_TRUE(answer.holds) << answer.measured;
  EXPECT_NE(answer.measured.find("0.020 of 0.080 ms"), std::string::npos) << answer.measured;
  // Half of the samples are computed in half of the time.
  EXPECT_TRUE(check(lines + "batch = 4\nexpected = 40\ntolerance = 0.01", &workload).holds);
  EXPECT_FALSE(check(lines + "batch = 4\nexpected = 25\ntolerance = 0.01", &workload).holds);
}

}  // namespace
}  // namespace muster
