// Every algorithm's prediction against the simulator, within the tolerance of its registry entry.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <tuple>

#include "machine/hyperx.h"
#include "machine/mesh.h"
#include "machine/test_clusters.h"
#include "plan/plan_test_support.h"

namespace muster {
namespace {

void check_prediction(const Algorithm& algorithm, const Job& asked) {
  const Job job = sized_for(asked, algorithm.collective);
  if (algorithm.family != family_name(job.machine) || algorithm.unsupported(request_of(job)) ||
      is_over_budget(job, algorithm))
    return;
  const SimulationAnswer answer = simulate(job, choose_with_defaults(job, algorithm.name, {}));
  ASSERT_TRUE(answer.result.cycles && answer.result_correct) << algorithm.name;
  const std::int64_t simulated = answer.result.cycles->value();
  const std::int64_t difference = std::abs(answer.predicted_cycles->value() - simulated);
  const double allowed = static_cast<double>(algorithm.cost_tolerance.cycles.value()) +
                         algorithm.cost_tolerance.fraction * static_cast<double>(simulated);
  EXPECT_LE(static_cast<double>(difference), allowed)
      << algorithm.name << " on " << shape_text(job.machine) << ", root " << job.root << ", " << job.count
      << " words: predicted " << answer.predicted_cycles->value() << ", simulated " << simulated;
}

TEST(EveryPrediction, IsWithinItsTolerance) {
  for (const Algorithm& algorithm : algorithms_of("mesh")) {
    for (const std::int32_t length : {1, 2, 3, 4, 5, 9, 16, 40}) {
      for (const std::int64_t count : {1, 2, 7, 100}) {
        for (const NodeId root : {0, length / 4, length / 2, length - 1}) {
          if (root > 0 && !has_root(algorithm.collective)) break;
          check_prediction(algorithm, wafer_job(algorithm.collective, length, 1, count, root));
        }
      }
    }
    check_prediction(algorithm, wafer_job(algorithm.collective, 1, 13, 50, 4));
    for (const auto& [width, height] : {std::pair{2, 2}, {7, 5}, {3, 11}, {12, 3}}) {
      for (const std::int64_t count : {1, 2, 7, 50}) {
        for (const NodeId root : {0, width * height / 2, width * height - 1}) {
          if (root > 0 && !has_root(algorithm.collective)) break;
          check_prediction(algorithm, wafer_job(algorithm.collective, width, height, count, root));
        }
      }
    }
  }
}

/// On a machine without a clock.
void check_prediction_in_seconds(const Algorithm& algorithm, const Job& asked) {
  const Job job = sized_for(asked, algorithm.collective);
  if (algorithm.unsupported(request_of(job))) return;
  const SimulationAnswer answer = simulate(job, choose_with_defaults(job, algorithm.name, {}));
  ASSERT_TRUE(answer.result_correct) << algorithm.name;
  const double simulated = answer.result.seconds.value();
  const double difference = std::abs(answer.predicted_seconds->value() - simulated);
  constexpr double kRounding = 2e-12;
  EXPECT_LE(difference, kRounding + algorithm.cost_tolerance.fraction * simulated)
      << algorithm.name << " of " << collective_name(algorithm.collective) << " on " << shape_text(job.machine) << ", "
      << job.count << " words: simulated " << simulated;
}

TEST(EveryPrediction, IsWithinItsToleranceOnSwitchesThatReduce) {
  int checked = 0;
  for (const Algorithm& algorithm : algorithms_of("hyperx")) {
    for (const std::int32_t nodes : {1, 2, 3, 5, 16}) {
      for (const std::int64_t count : {1, 3, 700}) {
        Job job{
            .machine = with_nodes(shipped_machine("piuma"), nodes), .collective = algorithm.collective, .count = count};
        job.options.of<HyperXOptions>().vector_per_node = algorithm.name == "in-network-trees";
        check_prediction_in_seconds(algorithm, job);
        ++checked;
      }
    }
    Job some{.machine = with_nodes(shipped_machine("piuma"), 16), .collective = algorithm.collective, .count = 9};
    some.options.of<HyperXOptions>().groups = {{0, 5, 10, 15}};
    check_prediction_in_seconds(algorithm, some);
  }
  EXPECT_GT(checked, 100);
}

TEST(EveryPrediction, IsWithinItsToleranceOnClusters) {
  int checked = 0;
  for (const Algorithm& algorithm : algorithms_of("cluster")) {
    for (const Machine& machine : small_clusters()) {
      for (const std::int64_t blocks : {1, 5, 100}) {
        check_prediction_in_seconds(
            algorithm,
            {.machine = machine, .collective = algorithm.collective, .count = 2 * blocks * rank_count(machine)});
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 100);
}

/// No formula speaks of these machines: the steps are followed. What is left out are messages that meet on a link.
TEST(EveryPrediction, KnowsStartUpGapIntervalAndSingleBuffers) {
  constexpr double kFraction = 0.25;
  for (const Algorithm& algorithm : algorithms_of("mesh")) {
    for (const auto& [width, height] : {std::pair{9, 1}, {1, 30}, {7, 5}, {4, 10}}) {
      for (const auto& [start, gap, buffer, interval] : {std::tuple{40, 0, 2, 1},
                                                         {0, 25, 2, 1},
                                                         {54, 33, 1, 1},
                                                         {0, 0, 1, 1},
                                                         {0, 0, 2, 3},
                                                         {0, 0, 2, 13},
                                                         {40, 0, 2, 13}}) {
        Job job = sized_for(wafer_job(algorithm.collective, width, height, 20), algorithm.collective);
        Mesh& mesh = *as<Mesh>(job.machine);
        mesh.operation_start = Cycles(start);
        mesh.receive_gap = Cycles(gap);
        mesh.router_buffer = buffer;
        mesh.receive_interval = Cycles(interval);
        if (algorithm.family != family_name(job.machine) || algorithm.unsupported(request_of(job)) ||
            is_over_budget(job, algorithm)) {
          continue;
        }
        const SimulationAnswer answer = simulate(job, choose_with_defaults(job, algorithm.name, {}));
        const auto simulated = static_cast<double>(answer.result.cycles.value().value());
        EXPECT_NEAR(static_cast<double>(answer.predicted_cycles->value()), simulated, kFraction * simulated)
            << algorithm.name << " on " << shape_text(job.machine) << ", S " << start << ", G " << gap << ", buffer "
            << buffer << ", interval " << interval;
      }
    }
  }
}

std::int64_t difference_from_simulation(const Job& job, const std::string& algorithm) {
  const SimulationAnswer answer = simulate(job, choose_with_defaults(job, algorithm, {}));
  EXPECT_TRUE(answer.result.cycles && answer.result_correct);
  return answer.predicted_cycles->value() - answer.result.cycles->value();
}

TEST(BestTree, TakesExactlyWhatTheRecursionSaysWithItsRootAtAnEnd) {
  for (const std::int32_t length : {2, 3, 5, 8, 13, 40, 64, 101}) {
    for (const std::int64_t count : {1, 2, 3, 7, 33, 100}) {
      for (const NodeId root : {0, length - 1}) {
        const Job job = wafer_job(Collective::reduce, length, 1, count, root);
        EXPECT_EQ(difference_from_simulation(job, "best-tree"), 0) << length << " PEs, " << count << " words";
      }
    }
  }
}

TEST(BestTree, KnowsTheStartOfOperationsAndTheGapBetweenMessages) {
  for (const std::int32_t length : {2, 5, 13, 40}) {
    for (const std::int64_t count : {1, 3, 33}) {
      Job job = wafer_job(Collective::reduce, length, 1, count);
      Mesh& mesh = *as<Mesh>(job.machine);
      mesh.operation_start = Cycles(3);
      mesh.receive_gap = Cycles(5);
      EXPECT_EQ(difference_from_simulation(job, "best-tree"), 0) << length << " PEs, " << count << " words";
    }
  }
}

/// One cycle more where the column's messages use a color of the rows' and follow the control wavelet after those.
TEST(BestTree, TakesTheSumOfItsRowAndColumnOnAGrid) {
  for (const auto& [width, height] : {std::pair{2, 2}, {3, 4}, {16, 5}, {7, 20}}) {
    for (const std::int64_t count : {1, 6, 50}) {
      for (const NodeId root : {0, width - 1, width * height - 1}) {
        const Job job = wafer_job(Collective::reduce, width, height, count, root);
        const std::int64_t difference = difference_from_simulation(job, "xy-best-tree");
        EXPECT_TRUE(difference == 0 || difference == -1) << width << "x" << height << ", " << count;
      }
    }
  }
}

TEST(BestTree, IsNeverSlowerThanTheOthers) {
  const auto cycles = [](const Job& job, const std::string& name) {
    return simulate(job, choose_with_defaults(job, name, {})).result.cycles.value();
  };
  for (const std::int32_t length : {2, 6, 17, 48}) {
    for (const std::int64_t count : {1, 4, 40, 200}) {
      for (const NodeId root : {0, length / 3}) {
        const Job job = wafer_job(Collective::reduce, length, 1, count, root);
        const Cycles best = cycles(job, "best-tree");
        for (const std::string other : {"star", "chain", "tree", "two-phase", "auto-gen"}) {
          EXPECT_LE(best, cycles(job, other)) << other << ", " << length << " PEs, root " << root;
        }
      }
    }
  }
}

}  // namespace
}  // namespace muster
