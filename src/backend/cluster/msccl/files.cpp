// No one checks an MSCCL file before it runs; so what is written is read again and proven.
#include "backend/cluster/msccl/files.h"

#include "backend/cluster/msccl/from_schedule.h"
#include "backend/cluster/msccl/lift.h"
#include "backend/cluster/msccl/text.h"
#include "machine/cluster.h"
#include "schedule/flat_counts.h"
#include "schedule/phase.h"
#include "schedule/verify.h"

namespace muster::msccl {
namespace {

constexpr std::int64_t kMostStepsInAll =
    4'000'000;  ///< of a schedule that is expanded: a few seconds, a few hundred MB

/// GPUs that all reach each other: what the format assumes.
Machine all_linked(std::size_t gpus) {
  Cluster cluster;
  cluster.dimensions.push_back({.kind = Cluster::Kind::fully_connected,
                                .size = static_cast<std::int32_t>(gpus),
                                .link_bandwidth = BytesPerSecond(1),
                                .links = 1,
                                .latency = Seconds(0)});
  cluster.buffer_chunks = 1;
  return {.name = "msccl", .summary = "GPUs that all reach each other", .network = cluster};
}

constexpr std::int64_t kUsualSlots = 8;  ///< messages that a connection of NCCL holds (NCCL_STEPS)

LiftedFiles lifted(const Algo& algo, const Slots& slots, const std::string& file) {
  LiftedFiles lifted{.schedule = lift(algo, file), .machine = all_linked(algo.gpus.size()), .stuck = {}};
  if (!slots.least) lifted.stuck = slots.stuck;
  std::size_t blocks = 0, steps = 0;
  for (const Gpu& gpu : algo.gpus) {
    blocks = std::max(blocks, gpu.blocks.size());
    for (const ThreadBlock& block : gpu.blocks) steps = std::max(steps, block.steps.size());
  }
  lifted.facts.push_back(
      fmt::format("{} GPUs, {} chunks, {} channel{}; at most {} thread blocks per GPU, {} steps each", algo.gpus.size(),
                  algo.chunks_per_loop, algo.channels, algo.channels == 1 ? "" : "s", blocks, steps));
  if (slots.least && *slots.least == 0) {
    lifted.facts.emplace_back("terminates even if connections buffer no message");
  } else if (slots.least) {
    lifted.facts.push_back(
        fmt::format("terminates if every connection buffers {} message{}", *slots.least, *slots.least == 1 ? "" : "s"));
  }
  return lifted;
}

}  // namespace

Outcome<std::vector<EmittedFile>> emit(const Schedule& schedule, ElementType type, const std::string& command) {
  const std::int64_t steps = flat_counts(schedule).steps;
  if (steps > kMostStepsInAll) {
    return Refusal{fmt::format("the schedule has {} steps in all; MSCCL files are written up to {}; use fewer chunks",
                               steps, kMostStepsInAll)};
  }
  const Schedule flat = expand(schedule);
  const std::string_view collective = collective_name(flat.contracts.front().collective);
  Outcome<Algo> algo =
      from_schedule(flat, fmt::format("muster {} on {} GPUs", collective, flat.node_count), elements_per_word(type));
  if (!algo) return Refusal{algo.reason()};
  const Algo written = std::move(algo).value();
  EmittedFile file{.name = "algorithm.xml", .text = write_xml(written, "Muster: " + command)};
  const Algo read = read_xml(file.text, file.name);
  MUSTER_ASSERT(read == written, "an MSCCL file reads as another algorithm than was written");
  const Slots slots = least_slots(read);
  const LiftedFiles again = lifted(read, slots, file.name);
  MUSTER_ASSERT(again.stuck.empty(), "an MSCCL file cannot end: {}", again.stuck);
  const Verdict verdict = verify(again.schedule, again.machine);
  MUSTER_ASSERT(verdict.verified(), "an MSCCL file is wrong: {}", verdict.counterexample->message);
  if (slots.least && *slots.least > kUsualSlots) {
    file.remark = fmt::format("Every connection must buffer {} messages; with fewer (NCCL: {}), the program deadlocks.",
                              *slots.least, kUsualSlots);
  }
  return std::vector<EmittedFile>{std::move(file)};
}

LiftedFiles lift_file(const EmittedFile& file) {
  Algo algo = read_xml(file.text, file.name);
  LiftedFiles found = lifted(algo, least_slots(algo), file.name);
  found.step_name = [algo = std::move(algo), name = file.name](StepId id) { return step_text(algo, name, id); };
  return found;
}

}  // namespace muster::msccl
