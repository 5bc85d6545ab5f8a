#include "app/training/hyperx/iterations.h"

#include <gtest/gtest.h>

#include "app/training/train.h"
#include "base/error.h"
#include "collective/algorithm.h"
#include "machine/hyperx.h"
#include "machine/test_hyperx.h"

namespace muster::training {
namespace {

constexpr double kMicro = 1e-6;
constexpr std::int64_t kBytes = 64'000;  // read and written by the memory of a core in 20 us

Layer layer(double weight_gradient) {
  const Communication gradients{.collective = Collective::allreduce, .bytes = Bytes(kBytes)};
  return {.name = "l",
          .forward = {.compute = Seconds(10 * kMicro)},
          .weight_gradient = {.compute = Seconds(weight_gradient * kMicro), .communication = gradients}};
}

/// Two layers: the last one's gradients are computed first.
std::vector<IterationAnswer> iterations(double first, double last) {
  const Workload workload{.name = "w", .file = "w.toml", .layers = {layer(first), layer(last)}};
  return train({.machine = test_hyperx({2}, 2, 2, 1), .workload = workload}).iterations;
}

double seconds_of(const std::string& name) {
  const Request request{.machine = test_hyperx({2}, 2, 2, 1), .collective = Collective::allreduce, .count = kBytes / 4};
  const Algorithm& algorithm = find_algorithm(Collective::allreduce, "hyperx", name);
  return static_cast<double>(algorithm.cost(request, complete_parameters(algorithm, request, {})).value()) * 1e-12;
}

const IterationAnswer& named(const std::vector<IterationAnswer>& all, const std::string& name) {
  for (const IterationAnswer& iteration : all) {
    if (iteration.name() == name) return iteration;
  }
  reject("there is no {}", name);
}

TEST(IterationsOnSwitches, CompareHostsTheNetworkAndTheIdeal) {
  const std::vector<IterationAnswer> all = iterations(100, 100);
  EXPECT_EQ(all.front().name(), "rabenseifner") << "the baseline";
  EXPECT_EQ(all.back().name(), "ideal");
  EXPECT_EQ(named(all, "in-network").order, "");
  EXPECT_EQ(named(all, "in-network overlapped").order, "overlapped");
}

TEST(IterationsOnSwitches, WaitForBothLayersWhereNothingOverlaps) {
  const std::vector<IterationAnswer> all = iterations(100, 100);
  for (const char* name : {"rabenseifner", "in-network"}) {
    const IterationAnswer& iteration = named(all, name);
    EXPECT_NEAR(iteration.exposed_data.value(), 2 * seconds_of(name), 1e-12) << name;
    EXPECT_NEAR(iteration.total.value(), 220 * kMicro + 2 * seconds_of(name), 1e-12) << name;
  }
}

/// The gradients of the last layer are combined while those of the first one are computed, as far as that takes.
TEST(IterationsOnSwitches, HideWhatTheNetworkDoesBesideTheComputation) {
  const double once = seconds_of("in-network");
  EXPECT_NEAR(named(iterations(100, 100), "in-network overlapped").exposed_data.value(), once, 1e-12);
  EXPECT_NEAR(named(iterations(5, 100), "in-network overlapped").exposed_data.value(), 2 * once - 5 * kMicro, 1e-12);
}

TEST(IterationsOnSwitches, TakeAtLeastTheTimeOfMemory) {
  const std::vector<IterationAnswer> all = iterations(100, 100);
  EXPECT_NEAR(named(all, "ideal").exposed_data.value(), 20 * kMicro, 1e-12) << "the first layer's; the last is hidden";
  EXPECT_NEAR(named(all, "ideal").utilization, 1, 1e-9);
  for (const IterationAnswer& iteration : all) {
    EXPECT_LE(named(all, "ideal").total, iteration.total) << iteration.name();
    EXPECT_LE(iteration.utilization, 1 + 1e-9) << iteration.name();
  }
}

/// What is said about an iteration with a layer's gradients of so many bytes.
std::string refusal(const HyperX& network, Bytes bytes = Bytes(kBytes), bool vector_per_node = false) {
  Workload workload{.name = "w", .file = "w.toml", .layers = {layer(100)}};
  workload.layers[0].weight_gradient.communication->bytes = bytes;
  try {
    train({.machine = {.name = "switches", .summary = "", .network = network},
           .workload = workload,
           .options = HyperXOptions{.vector_per_node = vector_per_node}});
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(IterationsOnSwitches, RefuseABaselineThatCoresCannotRun) {
  HyperX network = *as<HyperX>(test_hyperx({3}, 2, 2, 1));
  EXPECT_EQ(refusal(network), "accepted");
  network.failed_links = {{0, 1}};
  EXPECT_EQ(refusal(network),
            "switches: the baseline 'rabenseifner' uses default routes, which may cross failed nodes or links; use "
            "--vectors node, which does not need it");
  EXPECT_EQ(refusal(network, Bytes(kBytes), true), "accepted");
  network.failed_links = {};
  network.host.reset();
  EXPECT_EQ(refusal(network),
            "switches: the baseline 'rabenseifner' needs a [host] table with the cost of a round; add it, or use "
            "--vectors node, which does not need it");
  EXPECT_EQ(refusal(network, Bytes(kBytes), true), "accepted");
}

TEST(IterationsOnSwitches, RefuseAMachineThatFailuresCutApart) {
  HyperX network = *as<HyperX>(test_hyperx({2}, 2, 2, 1));
  network.failed_links = {{0, 1}};
  EXPECT_EQ(refusal(network), "algorithm 'in-network' cannot reach node 1 from node 0 because of failures");
}

/// Rabenseifner's algorithm is written out for 4096 cores at most, but timed for more.
TEST(IterationsOnSwitches, AreTimedForMoreCoresThanAreWrittenOut) {
  EXPECT_EQ(refusal(*as<HyperX>(test_hyperx({8, 8}))), "accepted");
}

TEST(IterationsOnSwitches, TakeADayAtMost) {
  HyperX network = *as<HyperX>(test_hyperx({3}, 2, 2, 1));
  for (const bool per_node : {false, true}) {
    EXPECT_EQ(refusal(network, Bytes(1'000'000'000'000), per_node), "accepted") << per_node;
    const std::string said = refusal(network, Bytes(kMostBytes), per_node);
    EXPECT_EQ(said.rfind("w.toml: an iteration may take ", 0), 0U) << said;
  }
  network.core_latency = Seconds(1e5);
  EXPECT_EQ(refusal(network).rfind("w.toml: an iteration may take ", 0), 0U) << "with delays";
}

}  // namespace
}  // namespace muster::training
