#include "app/training/switches.h"

#include <gtest/gtest.h>

#include "app/training/train.h"
#include "base/error.h"
#include "collective/algorithm.h"
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
  for (const IterationAnswer& one : all) {
    if (one.name() == name) return one;
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
    const IterationAnswer& one = named(all, name);
    EXPECT_NEAR(one.exposed_data.value(), 2 * seconds_of(name), 1e-12) << name;
    EXPECT_NEAR(one.total.value(), 220 * kMicro + 2 * seconds_of(name), 1e-12) << name;
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
  for (const IterationAnswer& one : all) {
    EXPECT_LE(named(all, "ideal").total, one.total) << one.name();
    EXPECT_LE(one.utilization, 1 + 1e-9) << one.name();
  }
}

}  // namespace
}  // namespace muster::training
