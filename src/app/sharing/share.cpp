// Jobs are cut into chunks, proven one by one, and sent through one network. What a chunk computes depends on its own order of
// dimensions alone, so the proof of a job holds whatever else is sent between its chunks; and all NPUs enforce the order of
// this run, so that no two can wait for each other.
#include "app/sharing/share.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "app/sharing/cluster.h"
#include "base/error.h"
#include "base/index.h"
#include "collective/algorithm.h"
#include "collective/dimensions/chunked_schedule.h"
#include "collective/dimensions/pre_simulation.h"
#include "collective/dimensions/scheduler.h"
#include "machine/family.h"
#include "result/time_base.h"
#include "schedule/arithmetic.h"
#include "schedule/verify.h"

namespace muster::sharing {
namespace {

/// A job, ready to be sent.
struct Prepared {
  std::int64_t chunks = 0;
  ChunkPlan plan = {};  ///< alone
  ChunkOperations operations = {};
  Ticks begins;
  Ticks ends;
  double error_probability = 0;
};

/// Throws where the algorithm does not support the job; returns into how many chunks it is cut.
std::int64_t checked_chunks(const Machine& machine, const Job& job) {
  const Algorithm& algorithm = find_algorithm(job.collective, family_name(machine), job.algorithm);
  constexpr std::int64_t kWord = sizeof(Word);
  const muster::Request asked{
      .machine = machine,
      .collective = job.collective,
      .count = job.words,
      .user_count = UserCount{.count = job.words * kWord, .block_unit = kWord, .unit = "bytes"}};
  if (const auto reason = algorithm.unsupported(asked)) reject("{} {}", job.algorithm, *reason);
  const auto chunks = std::find_if(algorithm.parameters.begin(), algorithm.parameters.end(),
                                   [](const ParameterSpec& spec) { return spec.name == "chunks"; });
  const std::int64_t most = chunks->most(asked);
  if (job.chunks_given && job.chunks > most) {
    reject("chunks: {} is out of range; use 1 to {}", job.chunks, most);
  }
  return std::min(job.chunks, most);
}

Prepared prepare(const Request& request, const Job& job, OperationTimes& times) {
  Prepared prepared{.chunks = checked_chunks(request.machine, job)};
  const ChunkedCollective collective{
      .times = times,
      .collective = job.collective,
      .chunks = chunk_words(times.cluster(), job.collective, job.words, prepared.chunks)};
  prepared.plan = plan_by(job.algorithm, collective, request.first);
  const Verdict verdict = verify(chunked_schedule(collective, prepared.plan), request.machine);
  MUSTER_ASSERT(verdict.verified(), "the schedule of '{}' is wrong: {}", job.algorithm,
                verdict.counterexample->message);
  prepared.error_probability = verdict.error_probability;
  prepared.operations = operations_of(collective, prepared.plan.chunks);
  prepared.begins = picoseconds(job.begins.value());
  return prepared;
}

Seconds seconds(Ticks picoseconds) { return to_seconds(picoseconds, kPicoseconds); }

/// Sends every job from its time on; those of one time in the order in which they were given.
void send(std::vector<Prepared>& jobs, DimensionNetwork& network) {
  std::vector<std::size_t> sequence(jobs.size());
  std::iota(sequence.begin(), sequence.end(), std::size_t{0});
  std::stable_sort(sequence.begin(), sequence.end(),
                   [&](std::size_t a, std::size_t b) { return jobs[a].begins < jobs[b].begins; });
  const auto run_until = [&](Ticks limit) {
    while (const auto ended = network.next_end(limit)) jobs[sequence[at(*ended)]].ends = network.now();
  };
  for (const std::size_t job : sequence) {
    run_until(jobs[job].begins);
    network.begin(jobs[job].operations, jobs[job].plan.table.begins);
  }
  while (const auto ended = network.next_end()) jobs[sequence[at(*ended)]].ends = network.now();
}

/// If every job waited for the job before it.
Ticks end_in_turn(const std::vector<Prepared>& jobs) {
  std::vector<const Prepared*> sequence;
  for (const Prepared& job : jobs) sequence.push_back(&job);
  std::stable_sort(sequence.begin(), sequence.end(),
                   [](const Prepared* a, const Prepared* b) { return a->begins < b->begins; });
  Ticks now;
  for (const Prepared* job : sequence) now = std::max(now, job->begins) + job->plan.table.end;
  return now;
}

}  // namespace

SharingAnswer share(const Request& request) {
  OperationTimes times(shared_cluster(request.machine));
  std::vector<Prepared> jobs;
  for (std::size_t i = 0; i < request.jobs.size(); ++i) {
    try {
      jobs.push_back(prepare(request, request.jobs[i], times));
    } catch (const InputError& error) {
      reject("job {}: {}", i + 1, error.what());
    }
  }
  SharingAnswer answer{.machine = request.machine.name,
                       .shape = request.machine.family().shape(request.machine.network),
                       .order = request.first == SendFirst::arrived ? "fifo" : "scf",
                       .jobs = {}};
  DimensionNetwork network(static_cast<std::int32_t>(answer.shape.size()), request.first);
  send(jobs, network);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const Job& job = request.jobs[i];
    answer.jobs.push_back({.collective = std::string(collective_name(job.collective)),
                           .algorithm = job.algorithm,
                           .bytes = Bytes(job.words * std::int64_t{sizeof(Word)}),
                           .chunks = jobs[i].chunks,
                           .begins = seconds(jobs[i].begins),
                           .ends = seconds(jobs[i].ends),
                           .alone = seconds(jobs[i].plan.table.end),
                           .error_probability = jobs[i].error_probability});
    answer.total = std::max(answer.total, answer.jobs.back().ends);
  }
  answer.in_turn = seconds(end_in_turn(jobs));
  add_dimensions(times.cluster(), network, answer);
  return answer;
}

}  // namespace muster::sharing
