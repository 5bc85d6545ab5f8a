// `muster emit`: make → verify → lower → write. The target `schedule` is the text form that `muster verify` reads.
#include <utility>

#include "base/counted.h"
#include "base/error.h"
#include "plan/job.h"
#include "plan/stages.h"
#include "schedule/flat_counts.h"
#include "schedule/phase.h"
#include "schedule/text.h"

namespace muster {

namespace {

constexpr const char* kScheduleTarget = "schedule";
// Steps of a schedule that on_targets() writes: less than a second. Files of phases are read back and proven, too.
constexpr std::int64_t kMostSteps = 1'000'000;
constexpr std::int64_t kMostPhaseSteps = 50'000;

/// Who writes for a target of the machine; null for the schedule itself. Throws InputError for other targets.
const Emitter* find_emitter(const Machine& machine, const std::string& target) {
  if (target == kScheduleTarget) return nullptr;
  std::vector<std::string> known{kScheduleTarget};
  for (const Emitter* const emitter : emitters_for(machine)) known.push_back(emitter->target().name);
  for (const Target& known_target : all_targets()) {
    if (known_target.name == target) return &emitter_for(machine, target);
  }
  reject("unknown target '{}'; {}", target, suggest(target, known));
}

Emission emit_schedule(const Schedule& schedule) {
  const FlatCounts counts = flat_counts(schedule);
  return {.files = {{.name = "schedule.json", .text = to_text(schedule)}},
          .summary = fmt::format("{}, {}, {}", counted(schedule.node_count, "node"), counted(counts.streams, "stream"),
                                 counted(counts.steps, "step"))};
}

/// Writes a schedule that verify() has accepted.
Emission emit_verified(const Job& job, const Emitter* emitter, const Schedule& schedule, const EmitOptions& options) {
  if (emitter == nullptr) return emit_schedule(schedule);
  const auto program = lower_for(job, runs_phases(job) ? schedule : expand(schedule));
  if (!program) reject("{}", program.reason());
  auto files = emitter->emit(*program.value(), options);
  if (!files) reject("{}", files.reason());
  std::vector<std::string> notes = emitter->remarks(*program.value(), options);
  for (const EmittedFile& file : files.value()) {
    if (!file.remark.empty()) notes.push_back(file.remark);
  }
  return {.files = std::move(files).value(),
          .summary = program.value()->summary(),
          .refusal = "",
          .notes = std::move(notes)};
}

}  // namespace

OnTargets on_targets(const Job& job, const Choice& choice) {
  const std::vector<const Emitter*> emitters = emitters_for(job.machine);
  if (emitters.empty()) return {};
  const Schedule schedule = make_schedule(job, *choice.algorithm, choice.parameters);
  const bool phases = runs_phases(job);
  if (flat_counts(schedule).steps > (phases ? kMostPhaseSteps : kMostSteps)) return {.emittable = !phases};
  const auto program = lower_for(job, phases ? schedule : expand(schedule));
  if (!program) return {.remarks = {"cannot be emitted: " + program.reason()}, .emittable = false};
  OnTargets found;
  for (const Emitter* const emitter : emitters) {
    const EmitOptions options{.target = emitter->target().name, .command = "", .elements = job.count};
    const auto files = emitter->emit(*program.value(), options);
    if (!files) {
      found.remarks.push_back("cannot be emitted: " + files.reason());
      found.emittable = false;
      continue;
    }
    const std::vector<std::string> sentences = emitter->remarks(*program.value(), options);
    if (!sentences.empty()) {
      found.remarks.push_back(fmt::format("as {}: {}", options.target, fmt::join(sentences, " ")));
    }
  }
  return found;
}

Emission emit(const Job& job, const Choice& choice, const EmitOptions& options) {
  check_job(job);
  const Emitter* const emitter = find_emitter(job.machine, options.target);

  const Schedule schedule = make_schedule(job, *choice.algorithm, choice.parameters);
  require_verified(verify(schedule, job.machine, {.seed = job.seed}), choice);
  return emit_verified(job, emitter, schedule, options);
}

Emission emit(const Job& job, const Schedule& schedule, const EmitOptions& options) {
  check_job(job);
  const Emitter* const emitter = find_emitter(job.machine, options.target);
  const Verdict verdict = verify(schedule, job.machine, {.seed = job.seed});
  if (!verdict.verified()) return {.files = {}, .summary = "", .refusal = verdict.counterexample->message};
  return emit_verified(job, emitter, schedule, options);
}

}  // namespace muster
