#include "app/training/train.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "app/training/cluster/groups.h"
#include "base/error.h"
#include "base/file.h"
#include "base/source_dir.h"
#include "machine/cluster.h"
#include "machine/test_clusters.h"
#include "machine/test_hyperx.h"

namespace muster::training {
namespace {

constexpr double kMicro = 1e-6;

/// Two NPUs at a switch, 4 GB/s, no latency: an allreduce of 4000 bytes sends 2000 bytes to be reduced and 2000 back: 1 us.
Machine pair() {
  Cluster cluster;
  cluster.dimensions = {{.kind = Cluster::Kind::switched,
                         .size = 2,
                         .link_bandwidth = BytesPerSecond(4e9),
                         .links = 1,
                         .latency = Seconds(0)}};
  cluster.buffer_chunks = 2;
  return {.name = "pair", .summary = "two", .network = cluster};
}

Communication allreduce(std::int64_t bytes, Scope scope = Scope::all) {
  return {.collective = Collective::allreduce, .bytes = Bytes(bytes), .scope = scope};
}

Pass pass(double microseconds, std::optional<Communication> communication = {}) {
  return {.compute = Seconds(microseconds * kMicro), .communication = std::move(communication)};
}

Workload of(std::vector<Layer> layers) { return {.name = "w", .file = "w.toml", .layers = std::move(layers)}; }

TrainingAnswer answer(const Workload& workload, std::int64_t chunks = 1, const Machine& machine = pair()) {
  return train({.machine = machine, .workload = workload, .chunks = chunks});
}

IterationAnswer baseline(const Workload& workload) { return answer(workload).iterations.front(); }

std::string refusal(const Workload& workload, const Machine& machine) {
  try {
    (void)answer(workload, 1, machine);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Train, OverlapsWeightGradientsWithTheRestOfTheBackwardPass) {
  // Forward 3 us. Back: b's weights until 5, sent from 5 to 7; b's inputs until 7; a's weights until 10, sent from 10 to 11.
  const IterationAnswer iteration = baseline(
      of({{.name = "a", .forward = pass(2), .weight_gradient = pass(3, allreduce(4000))},
          {.name = "b", .forward = pass(1), .input_gradient = pass(2), .weight_gradient = pass(2, allreduce(8000))}}));
  EXPECT_DOUBLE_EQ(iteration.forward.value(), 3 * kMicro);
  EXPECT_DOUBLE_EQ(iteration.input_gradient.value(), 2 * kMicro);
  EXPECT_DOUBLE_EQ(iteration.weight_gradient.value(), 5 * kMicro);
  EXPECT_DOUBLE_EQ(iteration.exposed_data.value(), 1 * kMicro);
  EXPECT_DOUBLE_EQ(iteration.exposed_model.value(), 0);
  EXPECT_DOUBLE_EQ(iteration.total.value(), 11 * kMicro);
  // 12,000 bytes in the 3 us in which something was sent.
  EXPECT_DOUBLE_EQ(iteration.utilization, 1);
}

TEST(Train, WaitsForActivationsAndTheirGradientsLayerByLayer) {
  // Forward 1 us and 1 us for activations; back: inputs 1 us, then 2 us for their gradients, half a us of which is hidden
  // behind the weights.
  const IterationAnswer iteration = baseline(of({{.name = "a",
                                                  .forward = pass(1, allreduce(4000)),
                                                  .input_gradient = pass(1, allreduce(8000)),
                                                  .weight_gradient = pass(0.5)}}));
  EXPECT_DOUBLE_EQ(iteration.exposed_model.value(), 2.5 * kMicro);
  EXPECT_DOUBLE_EQ(iteration.exposed_data.value(), 0);
  EXPECT_DOUBLE_EQ(iteration.total.value(), 5 * kMicro);
}

TEST(Train, ReducesGradientsThenUpdatesThenGathersParameters) {
  // ZeRO: 8000 bytes to be reduced and scattered take 1 us, the update 3 us, the allgather 1 us.
  const Communication scatter{.collective = Collective::reduce_scatter, .bytes = Bytes(8000), .scope = Scope::data};
  const Communication gather{.collective = Collective::allgather, .bytes = Bytes(8000), .scope = Scope::data};
  const IterationAnswer iteration =
      baseline(of({{.name = "a", .weight_gradient = pass(1, scatter), .update = pass(3, gather)}}));
  EXPECT_DOUBLE_EQ(iteration.update.value(), 3 * kMicro);
  EXPECT_DOUBLE_EQ(iteration.exposed_data.value(), 2 * kMicro);
  EXPECT_DOUBLE_EQ(iteration.total.value(), 6 * kMicro);
}

TEST(Train, ComputesTheForwardPassOnceMoreWhereItsResultsWereNotKept) {
  const IterationAnswer iteration = baseline(
      of({{.name = "a", .forward = pass(2, allreduce(4000)), .weight_gradient = pass(1), .recomputes = true}}));
  EXPECT_DOUBLE_EQ(iteration.forward.value(), 4 * kMicro);
  EXPECT_DOUBLE_EQ(iteration.exposed_model.value(), 2 * kMicro);
  EXPECT_DOUBLE_EQ(iteration.total.value(), 7 * kMicro);
}

TEST(Train, LetsEmbeddingsJoinLater) {
  // 8000 bytes to two NPUs: 4000 of them leave, 1 us. Forward: the embeddings leave from 0 to 1, the bottom takes until 0.75, so that
  // the top waits for 0.25 us and ends at 2. Back: the top's weights until 3, then the embeddings' gradients, to be waited for behind
  // the bottom: from 3.25 to 4.
  const Communication exchange{.collective = Collective::all_to_all, .bytes = Bytes(8000)};
  Workload workload = of({{.name = "embedding", .forward = pass(0, exchange), .input_gradient = pass(0, exchange)},
                          {.name = "bottom", .forward = pass(0.75), .weight_gradient = pass(0.25)},
                          {.name = "top", .forward = pass(1), .weight_gradient = pass(1)}});
  workload.joins_at = 2;
  const IterationAnswer iteration = baseline(workload);
  EXPECT_DOUBLE_EQ(iteration.exposed_model.value(), 1 * kMicro);
  EXPECT_DOUBLE_EQ(iteration.total.value(), 4 * kMicro);
}

TEST(Train, WaitsForMessagesAroundARing) {
  // All-to-all around a ring of 4: blocks of 1000 bytes pass 1, 2 and 1 links: 4000 bytes at 4 GB/s, and two links' latency.
  Machine ring = pair();
  Cluster cluster = *as<Cluster>(ring);
  cluster.dimensions[0].kind = Cluster::Kind::ring;
  cluster.dimensions[0].size = 4;
  cluster.dimensions[0].links = 2;
  cluster.dimensions[0].link_bandwidth = BytesPerSecond(2e9);
  cluster.dimensions[0].latency = Seconds(kMicro);
  ring.network = cluster;
  const Communication exchange{.collective = Collective::all_to_all, .bytes = Bytes(4000)};
  const TrainingAnswer found = answer(of({{.name = "a", .forward = pass(0, exchange)}}), 1, ring);
  EXPECT_DOUBLE_EQ(found.iterations.front().total.value(), 3 * kMicro);
  EXPECT_DOUBLE_EQ(found.iterations.back().total.value(), 1 * kMicro);
}

TEST(Train, NeedsNoTimeToCommunicateAlone) {
  const IterationAnswer iteration = baseline(of({{.name = "a", .forward = pass(1, allreduce(4000, Scope::model))}}));
  EXPECT_DOUBLE_EQ(iteration.total.value(), 1 * kMicro);
}

Workload of_repository(const std::string& name) {
  const std::string file = source_dir() + "/workloads/" + name + ".toml";
  return read_workload(read_file(file), file);
}

/// At 312 TFLOP/s, in units of 10^12 operations.
double operations(const Workload& workload, Pass Layer::*pass) {
  double seconds = 0;
  for (const Layer& layer : workload.layers) seconds += (layer.*pass).compute.value();
  return seconds * 312;
}

TEST(Workloads, HaveTheOperationsAndGradientsOfTheirNetworks) {
  // Multiply-adds per image, as the sum over the layers of its paper's Table 1; the parameters that torchvision counts.
  const Workload resnet = of_repository("resnet-152");
  EXPECT_NEAR(operations(resnet, &Layer::forward), 2 * 32 * 11'282'415'616e-12, 1e-9);
  EXPECT_EQ(resnet.layers.front().weight_gradient.communication->bytes, Bytes(2 * 60'192'808));
  // Twice as many operations as weights that are multiplied (all but 2 embeddings, biases and the attention's vector), per token.
  const Workload gnmt = of_repository("gnmt");
  const double weights = 280'858'880 - 2 * 32'768'000 - 17 * 4096 - 1024 - 32'000;
  EXPECT_NEAR(operations(gnmt, &Layer::forward), 2 * 4096 * weights * 1e-12, 1e-9);
  const Workload dlrm = of_repository("dlrm");
  EXPECT_NEAR(operations(dlrm, &Layer::weight_gradient), 2 * 512 * 57'411'584e-12, 1e-9);
  // Narayanan et al., §5.1: 24 b s h^2 (1 + s / (6 h)) per layer forward, and 2 b s h V for the logits; a 128th of it.
  const Workload transformer = of_repository("transformer-1t");
  const double b = 16, s = 2048, h = 25600;
  const double layer = 24 * b * s * h * h * (1 + s / (6 * h));
  EXPECT_NEAR(operations(transformer, &Layer::forward), (128 * layer + 2 * b * s * h * 51200) / 128 * 1e-12, 1e-3);
}

Machine two_dimensions(Cluster::Kind second) {
  Cluster cluster = *as<Cluster>(pair());
  cluster.dimensions[0].size = 4;
  cluster.dimensions.push_back(cluster.dimensions[0]);
  cluster.dimensions[1].size = 8;
  cluster.dimensions[1].kind = second;
  return {.name = "two", .summary = "4 x 8", .network = cluster};
}

TEST(Groups, CutASwitchWhereTheModelEnds) {
  Workload workload = of({});
  workload.model_npus = 8;
  const Machine machine = two_dimensions(Cluster::Kind::switched);
  const Group of_model = group_on_cluster(allreduce(4, Scope::model), workload, machine);
  const ClusterGroup& model = opened(of_model);
  ASSERT_EQ(model.dimensions, (std::vector<std::int32_t>{0, 1}));
  EXPECT_EQ(model.cluster.dimensions[0].size, 4);
  EXPECT_EQ(model.cluster.dimensions[1].size, 2);
  const Group of_data = group_on_cluster(allreduce(4, Scope::data), workload, machine);
  const ClusterGroup& data = opened(of_data);
  ASSERT_EQ(data.dimensions, (std::vector<std::int32_t>{1}));
  EXPECT_EQ(data.cluster.dimensions[0].size, 4);
  EXPECT_EQ(group_on_cluster(allreduce(4), workload, machine).members, 32);
}

TEST(Groups, AreRefusedWhereTheMachineHasNoSuch) {
  Workload workload = of({{.name = "a", .forward = pass(1, allreduce(4, Scope::model))}});
  workload.model_npus_line = 3;
  workload.model_npus = 8;
  EXPECT_EQ(refusal(workload, two_dimensions(Cluster::Kind::ring)),
            "w.toml:3: 8 NPUs share a model, which cuts a dimension of 8 that has no switch; two has 4x8, so e.g. 4, "
            "32 fit");
  workload.model_npus = 6;
  EXPECT_EQ(
      refusal(workload, two_dimensions(Cluster::Kind::switched)),
      "w.toml:3: 6 NPUs share a model, which is not a product of the first dimensions; two has 4x8, so e.g. 4, 32 fit");
  workload.model_npus = 64;
  EXPECT_EQ(refusal(workload, two_dimensions(Cluster::Kind::switched)),
            "w.toml:3: 64 NPUs share a model, more than there are NPUs; two has 4x8, so e.g. 4, 32 fit");
  Communication named = allreduce(4, Scope::dimensions);
  named.dimensions = {1, 2};
  named.line = 7;
  EXPECT_EQ(refusal(of({{.name = "a", .forward = pass(1, named)}}), two_dimensions(Cluster::Kind::ring)),
            "w.toml:7: dimension 3 does not exist; two has 2");
}

TEST(Train, RefusesWhatItWouldNotEnd) {
  EXPECT_EQ(refusal(of({{.name = "a", .forward = pass(1, allreduce(kMostBytes))}}), pair()).substr(0, 36),
            "w.toml: an iteration may take 2.81e+");
  Machine astra = pair();
  Cluster cluster = *as<Cluster>(astra);
  cluster.accounting = Cluster::Accounting::astra;
  astra.network = cluster;
  EXPECT_EQ(refusal(of({{.name = "a", .forward = pass(1)}}), astra),
            "train supports accounting = \"paper\" only; \"astra\" is for single collectives");
}

TEST(Train, RunsATableOfEveryPolicyOfAstra) {
  const std::string layers =
      "2\n"
      "first -1 1000 ALLTOALL 4096 900 ALLTOALL 4096 1100 ALLREDUCE 40000 10\n"
      "second -1 500 ALLGATHER 512 400 REDUCESCATTER 2048 600 ALLREDUCE 10000 10\n";
  for (const std::string policy : {"DATA", "MODEL", "HYBRID_DATA_MODEL npus: 4", "HYBRID_MODEL_DATA npus: 8",
                                   "HYBRID_TRANSFORMER npus: 32", "HYBRID_DLRM 1", "MICRO"}) {
    const Workload workload = read_astra(policy + "\n" + layers, "table.txt");
    const TrainingAnswer found = answer(workload, 8, two_dimensions(Cluster::Kind::switched));
    for (const IterationAnswer& iteration : found.iterations) {
      EXPECT_DOUBLE_EQ(iteration.forward.value(), 1.5e-6) << policy;
      EXPECT_GT(iteration.total.value(), 4.5e-6) << policy;
      EXPECT_GE(iteration.total.value(), found.iterations.back().total.value()) << policy;
    }
  }
}

TEST(Train, ComputesAsManyTimesAsFastAsIsAskedFor) {
  const Workload workload = of({{.name = "a", .forward = pass(3, allreduce(4000))}});
  const TrainingAnswer found = train({.machine = pair(), .workload = workload, .chunks = 1, .faster = 2});
  EXPECT_DOUBLE_EQ(found.iterations[0].forward.value(), 1.5 * kMicro);
  EXPECT_DOUBLE_EQ(found.iterations[0].exposed_model.value(), 1 * kMicro);
}

TEST(Train, GradientsOfNodesTakeAThirdOnThreeTrees) {
  const Workload workload =
      of({{.name = "a", .forward = pass(100), .weight_gradient = pass(100, allreduce(12'000'000))}});
  const TrainingAnswer found =
      train({.machine = test_hyperx({4, 4}), .workload = workload, .options = HyperXOptions{.vector_per_node = true}});
  EXPECT_EQ(found.vectors, "node");
  ASSERT_EQ(found.iterations.size(), 4U);
  EXPECT_EQ(found.iterations[0].name(), "in-network-trees trees=1");
  EXPECT_EQ(found.iterations[1].name(), "in-network-trees trees=3");
  EXPECT_EQ(found.iterations[2].name(), "in-network-trees trees=3 overlapped");
  const double single_tree = found.iterations[0].exposed_data.value();
  EXPECT_NEAR(single_tree, 12e6 / 3.2e9, 1e-5);  // the memory of a core, each way
  EXPECT_NEAR(single_tree / found.iterations[1].exposed_data.value(), 3, 0.01);
  for (const IterationAnswer& each : found.iterations) EXPECT_GE(each.total, found.iterations.back().total);
}

TEST(Train, GradientsOfNodesTakeOneTreeAtLeast) {
  const Workload workload = of({{.name = "a", .weight_gradient = pass(1, allreduce(4000))}});
  const auto found = [&](const Machine& machine) {
    return train({.machine = machine, .workload = workload, .options = HyperXOptions{.vector_per_node = true}})
        .iterations;
  };
  EXPECT_EQ(found(test_hyperx({3})).size(), 3U);        // there is one tree
  EXPECT_EQ(found(test_hyperx({4, 4}, 5)).size(), 3U);  // there is a socket too little for more
  EXPECT_EQ(found(test_hyperx({4, 4})).size(), 4U);
}

Pass any_pass() {
  Pass pass{.compute = Seconds(static_cast<double>(*rc::gen::inRange(0, 20'000)) * 1e-9)};
  if (*rc::gen::inRange(0, 3) == 0) return pass;
  pass.communication = Communication{.collective = *rc::gen::element(Collective::allreduce, Collective::reduce_scatter,
                                                                     Collective::allgather, Collective::all_to_all),
                                     .bytes = Bytes(*rc::gen::inRange<std::int64_t>(1, 1'000'000)),
                                     .scope = *rc::gen::element(Scope::all, Scope::model, Scope::data)};
  return pass;
}

Workload any_workload(const Cluster& cluster) {
  Workload workload = of({});
  const auto layers = *rc::gen::inRange<std::size_t>(1, 6);
  for (std::size_t i = 0; i < layers; ++i) {
    workload.layers.push_back({.name = "layer",
                               .forward = any_pass(),
                               .input_gradient = any_pass(),
                               .weight_gradient = any_pass(),
                               .update = any_pass(),
                               .recomputes = *rc::gen::arbitrary<bool>()});
  }
  const auto models = *rc::gen::inRange<std::size_t>(0, cluster.dimensions.size() + 1);
  for (std::size_t d = 0; d < models; ++d) workload.model_npus *= cluster.dimensions[d].size;
  if (layers > 1 && *rc::gen::arbitrary<bool>()) workload.joins_at = *rc::gen::inRange<std::size_t>(1, layers + 1);
  return workload;
}

RC_GTEST_PROP(Train, SplitsTheWholeTimeAndIsNeverFasterThanTheIdeal, ()) {
  const Cluster cluster = any_reducing_cluster(4, 6);
  const Workload workload = any_workload(cluster);
  const TrainingAnswer found = train({.machine = {.name = "any", .summary = "", .network = cluster},
                                      .workload = workload,
                                      .chunks = *rc::gen::inRange<std::int64_t>(1, 20)});
  RC_ASSERT(found.iterations.size() == 5U);
  constexpr double kRounding = 1e-9;
  const IterationAnswer& ideal = found.iterations[4];
  const IterationAnswer& balanced = found.iterations[3];
  for (const IterationAnswer& iteration : found.iterations) {
    const double sum = iteration.forward.value() + iteration.input_gradient.value() +
                       iteration.weight_gradient.value() + iteration.update.value() + iteration.exposed_model.value() +
                       iteration.exposed_data.value();
    RC_ASSERT(std::abs(sum - iteration.total.value()) < kRounding);
    RC_ASSERT(iteration.total.value() > ideal.total.value() - kRounding);
    RC_ASSERT(iteration.forward == ideal.forward);
    RC_ASSERT(iteration.utilization < 1 + 1e-6 || &iteration == &ideal);
    if (&iteration != &ideal) RC_ASSERT(balanced.total <= iteration.total);
  }
}

}  // namespace
}  // namespace muster::training
