// `muster emit`: make → verify → lower → write. The target `schedule` is the text form that `muster verify` reads.
#include <utility>

#include "base/counted.h"
#include "base/error.h"
#include "machine/routing.h"
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
// Of all that is tried to find a remedy: a few seconds.
constexpr std::int64_t kMostTriedSteps = 1'200'000;

/// Who writes for a target of the machine; null for the schedule itself. Throws InputError for other targets.
const Emitter* find_emitter(const Machine& machine, const std::string& target) {
  if (target == kScheduleTarget) return nullptr;
  std::vector<std::string> known{kScheduleTarget};
  for (const Emitter* const emitter : emitters_for(machine)) known.push_back(emitter->target().name);
  for (const Target& known_target : all_targets()) {
    if (known_target.name == target) return &emitter_for(machine, target);
  }
  reject("target: unknown target '{}'; {}", target, suggest(target, known));
}

Emission emit_schedule(const Schedule& schedule) {
  const FlatCounts counts = flat_counts(schedule);
  return {.files = {{.name = "schedule.json", .text = to_text(schedule)}},
          .summary = fmt::format("{}, {}, {}", counted(schedule.node_count, "node"), counted(counts.streams, "stream"),
                                 counted(counts.steps, "step"))};
}

/// Looks for a request like the refused one that can be written, so that a message recommends only what works. Each try makes and
/// reads back a program; together they have a budget of steps.
class Remedy {
 public:
  Remedy(const Job& job, const Choice& choice, const Emitter& emitter, const EmitOptions& options)
      : job_(job), choice_(choice), emitter_(emitter), options_(options) {}

  /// "--count 96 or 108", "--chunks 32", "--chunks 1 --count 96 or 108": the nearest counts, or else the most chunks; empty if
  /// none is found.
  [[nodiscard]] std::string text() {
    const auto given = choice_.parameters.find("chunks");
    if (given == choice_.parameters.end()) return "";
    if (std::string counts = with_other_count(given->second); !counts.empty()) return counts;
    for (std::int64_t chunks = given->second / 2; chunks >= 1; chunks /= 2) {
      std::string flag = fmt::format("--chunks {}", chunks);
      if (works(job_.count, chunks)) return flag;
      if (const std::string counts = with_other_count(chunks); !counts.empty())
        return fmt::format("{} {}", flag, counts);
    }
    return "";
  }

 private:
  /// Of counts that every rank and chunk divides, the nearest two.
  std::string with_other_count(std::int64_t chunks) {
    const std::int64_t step = rank_count(job_.machine) * chunks * elements_per_word(job_.arithmetic.type);
    if (job_.count % step == 0) return "";  // the count is not what is wrong
    std::vector<std::int64_t> found;
    for (const std::int64_t count : {job_.count / step * step, (job_.count / step + 1) * step}) {
      if (works(count, chunks)) found.push_back(count);
    }
    return found.empty() ? "" : fmt::format("--count {}", fmt::join(found, " or "));
  }

  bool works(std::int64_t count, std::int64_t chunks) {
    Job job = job_;
    job.count = count;
    Choice choice = choice_;
    choice.parameters["chunks"] = chunks;
    if (count < chunks || choice.algorithm->unsupported(request_of(job))) return false;
    const Schedule schedule = make_schedule(job, *choice.algorithm, choice.parameters);
    const std::int64_t steps = flat_counts(schedule).steps;
    if (tried_steps_ + steps > kMostTriedSteps) return false;
    tried_steps_ += steps;
    const auto program = lower_for(job, schedule);
    return program && emitter_.emit(*program.value(), options_);
  }

  const Job& job_;
  const Choice& choice_;
  const Emitter& emitter_;
  const EmitOptions& options_;
  std::int64_t tried_steps_ = 0;
};

/// Writes a schedule that verify() has accepted; `choice` has made it, if not null.
Emission emit_verified(const Job& job, const Emitter* emitter, const Schedule& schedule, const EmitOptions& options,
                       const Choice* choice) {
  if (emitter == nullptr) return emit_schedule(schedule);
  const auto program = lower_for(job, schedule);
  if (!program) reject("{}", program.reason());
  auto files = emitter->emit(*program.value(), options);
  if (!files) {
    const std::string remedy = choice == nullptr ? "" : Remedy(job, *choice, *emitter, options).text();
    reject("{}{}{}", files.reason(), remedy.empty() ? "" : ", e.g. ", remedy);
  }
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
  const bool phases = overlaps_phases(job);
  if (flat_counts(schedule).steps > (phases ? kMostPhaseSteps : kMostSteps)) return {.emittable = !phases};
  const auto program = lower_for(job, schedule);
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
  return emit_verified(job, emitter, schedule, options, &choice);
}

Emission emit(const Job& job, const Schedule& schedule, const EmitOptions& options) {
  if (job.collective != Collective::stencil) check_job(job);  // a stencil's vectors are the schedule's own
  const Emitter* const emitter = find_emitter(job.machine, options.target);
  const Verdict verdict = verify(schedule, job.machine, {.seed = job.seed});
  if (!verdict.verified()) return {.files = {}, .summary = "", .refusal = verdict.counterexample->message};
  return emit_verified(job, emitter, schedule, options, nullptr);
}

}  // namespace muster
