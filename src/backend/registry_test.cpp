// The tables of capabilities.
#include <gtest/gtest.h>

#include "backend/capabilities.h"
#include "base/rejection_test_support.h"
#include "machine/cluster.h"
#include "machine/mesh.h"
#include "machine/torus.h"

namespace muster {
namespace {

const Machine kWafer{.name = "w", .summary = "", .network = Mesh{}};
const Machine kTorus{.name = "t", .summary = "", .network = Torus{}};

TEST(Registry, HasAllCapabilitiesOfWafers) {
  EXPECT_TRUE(can_lower(kWafer));
  EXPECT_EQ(simulators_for(kWafer).size(), 2U);
  EXPECT_NE(checker_for(kWafer), nullptr);
  ASSERT_EQ(emitters_for(kWafer).size(), 1U);
  EXPECT_EQ(emitters_for(kWafer)[0]->target().name, "csl");
  EXPECT_EQ(&reader_for(kWafer, "csl"), &reader_of("csl"));
}

TEST(Registry, PicksTheFirstSimulatorThatTakesTheRequest) {
  const auto both = simulators_for(kWafer);
  EXPECT_EQ(&simulator_for(kWafer, {}), both[0]);
  EXPECT_EQ(&simulator_for(kWafer, {.engine = Engine::cycle}), both[1]);
  EXPECT_EQ(&simulator_for(kWafer, {.timeline = true}), both[1]);
  EXPECT_EQ(
      rejection([] { (void)simulator_for(kWafer, {.engine = Engine::stream, .timeline = true}); }),
      "engine: the stream engine cannot simulate this: it keeps no timeline, which --trace and --svg show; use auto "
      "or cycle");
}

TEST(Registry, SaysWhyNoSimulatorTakesARequest) {
  const Machine cluster{.name = "c", .summary = "", .network = Cluster{}};
  EXPECT_EQ(rejection([&] { (void)simulator_for(cluster, {.calls = 2}); }),
            "calls: a cluster does not support 2 back-to-back calls yet; use 1");
}

TEST(Registry, AnswersAMissingCapabilityInOneSentence) {
  EXPECT_EQ(rejection([] { (void)traffic_simulator_for(kWafer); }), "--traffic: w is a mesh; --traffic needs a torus");
  EXPECT_EQ(rejection([] { (void)reader_for(kTorus, "csl"); }), "--csl: t is a torus; --csl needs a mesh");
}

}  // namespace
}  // namespace muster
