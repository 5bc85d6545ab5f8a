// Clusters, as far as their speed was promised: the simulator alone, whole questions, and an MSCCL file that is written, read
// back and proven. Prints processor time as a ratio to the target, best and middle of several runs, and the peak memory. Fails
// if an answer is wrong: simulated and predicted times differ, more than all bandwidth is used, or a file with one wrong step
// is accepted.
#include <fmt/format.h>

#include <cstdlib>

#include "backend/cluster/cluster.h"
#include "base/source_dir.h"
#include "machine/cluster.h"
#include "machine/loader.h"
#include "measure.h"
#include "plan/files.h"

namespace muster {
namespace {

Cluster::Dimension dimension(Cluster::Kind kind, std::int32_t size, double gigabytes) {
  return {.kind = kind,
          .size = size,
          .link_bandwidth = BytesPerSecond(gigabytes * 1e9),
          .links = 1,
          .latency = Seconds(7e-7)};
}

Machine cluster_of(std::vector<Cluster::Dimension> dimensions) {
  Cluster cluster;
  cluster.dimensions = std::move(dimensions);
  cluster.buffer_chunks = 2;
  return {.name = "cluster", .summary = "", .network = cluster};
}

Job allreduce_on(const Machine& machine, std::int64_t count) {
  return {.machine = machine, .collective = Collective::allreduce, .count = count};
}

std::string wrong(const SimulationAnswer& answer) {
  if (!answer.verified) return "the schedule was not proven";
  if (answer.result.seconds != answer.predicted_seconds) return "simulated and predicted times differ";
  return answer.result.utilization <= 1 ? "" : fmt::format("utilization {}", answer.result.utilization);
}

/// The simulator, and the planner that predicts the same time by other code.
bool measure_parts(const Job& job, const Choice& choice) {
  const Request request = request_of(job);
  const auto program = cluster::lower(choice.algorithm->make(request, choice.parameters), job.machine, {});
  MUSTER_ASSERT(program.ok(), "a benchmark's schedule was not lowered: {}", program.reason());
  const Cycles predicted = choice.algorithm->cost(request, choice.parameters);
  constexpr int kRepeats = 50;
  const bool right = measure("1024 NPUs, 64 chunks, simulator", 1e-3, kRepeats, [&] {
    const Result result = cluster::simulate(*program.value(), {});
    if (result.cycles != predicted) return std::string("not the predicted time");
    return std::string(result.utilization <= 1 ? "" : "more than all bandwidth");
  });
  return measure(
             "1024 NPUs, 64 chunks, planner", 1e-3, kRepeats,
             [&] {
               return std::string(choice.algorithm->cost(request, choice.parameters) == predicted ? "" : "runs differ");
             }) &&
         right;
}

bool measure_msccl() {
  Job job = allreduce_on(cluster_of({dimension(Cluster::Kind::ring, 128, 25)}), 128);
  const Choice choice = choose(job, "hierarchical", {{"chunks", 1}});
  const EmitOptions options{.target = "msccl", .command = "cluster_bench"};
  const bool right = measure("ring of 128 GPUs, MSCCL", 0.1, 1, [&] {
    return std::string(emit(job, choice, options).files.size() == 1 ? "" : "no file");
  });
  EmittedFile file = emit(job, choice, options).files.front();
  const auto is_proven = [&] { return verify_files(read_files(reader_of("msccl"), {file}, nullptr, {}), 1).verified; };
  if (!is_proven()) return false;
  const std::size_t position = file.text.find("\"rrcs\"");  // one that is to combine keeps what it gets
  if (position == std::string::npos) return false;
  file.text.replace(position, 6, "\"rcs\"");
  const bool is_refused = !is_proven();
  fmt::print("  with one wrong step: {}\n", is_refused ? "refused" : "ACCEPTED");
  return right && is_refused;
}

}  // namespace

bool run_cluster_bench() {
  const Machine shipped = load_machine(source_dir() + "/machines/themis-3d-sw-sw-sw-homo.toml");
  const Machine large = cluster_of({dimension(Cluster::Kind::ring, 16, 100), dimension(Cluster::Kind::switched, 16, 50),
                                    dimension(Cluster::Kind::switched, 16, 25)});
  constexpr std::int64_t kWords = 250'000'000;
  bool right = true;
  for (const std::string name : {"themis", "balanced"}) {
    const Job small_job = allreduce_on(shipped, kWords), large_job = allreduce_on(large, kWords);
    const Choice small_choice = choose(small_job, name, {{"chunks", 64}});
    const Choice large_choice = choose(large_job, name, {{"chunks", 512}});
    fmt::print("{}\n", name);
    right &= measure_parts(small_job, small_choice);
    right &= measure("1024 NPUs, 64 chunks, question to answer", 0.05, 1,
                     [&] { return wrong(simulate(small_job, small_choice)); });
    right &= measure("4096 NPUs, 512 chunks, question to answer", 0.05, 1,
                     [&] { return wrong(simulate(large_job, large_choice)); });
  }
  return measure_msccl() && right;
}

}  // namespace muster

int main() { return muster::run_cluster_bench() ? EXIT_SUCCESS : EXIT_FAILURE; }
