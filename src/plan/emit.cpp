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
constexpr std::size_t kMostSteps = 1'000'000;  ///< that remarks_on_targets() looks at: less than a second

void check_target(const Backend& backend, const std::string& target) {
  std::vector<std::string> known{kScheduleTarget};
  for (const Target& one : backend.targets()) known.push_back(one.name);
  for (const std::string& name : known) {
    if (name == target) return;
  }
  reject("no target '{}'; {}", target, suggest(target, known));
}

Emission emit_schedule(const Schedule& schedule) {
  const FlatCounts counts = flat_counts(schedule);
  return {.files = {{.name = "schedule.json", .text = to_text(schedule)}},
          .summary = fmt::format("{}, {}, {}", counted(schedule.node_count, "node"), counted(counts.streams, "stream"),
                                 counted(counts.steps, "step"))};
}

/// Writes a schedule that verify() has accepted.
Emission emit_verified(const Job& job, const Backend& backend, const Schedule& schedule, const EmitOptions& options) {
  if (options.target == kScheduleTarget) return emit_schedule(schedule);
  const auto program = lower_for(job, backend, backend.takes_phases() ? schedule : expand(schedule));
  if (!program) reject("{}", program.reason());
  auto files = backend.emit(*program.value(), options);
  if (!files) reject("{}", files.reason());
  std::vector<std::string> notes = backend.emit_remarks(*program.value(), options);
  for (const EmittedFile& file : files.value()) {
    if (!file.remark.empty()) notes.push_back(file.remark);
  }
  return {.files = std::move(files).value(),
          .summary = program.value()->summary(),
          .refusal = "",
          .notes = std::move(notes)};
}

}  // namespace

std::vector<std::string> remarks_on_targets(const Job& job, const Choice& choice) {
  const auto backend = require_backend(job.machine);
  if (backend->targets().empty() || backend->takes_phases()) return {};
  const Schedule flat = expand(make_schedule(job, *choice.algorithm, choice.parameters));
  if (flat.steps.size() > kMostSteps) return {};
  const auto program = lower_for(job, *backend, flat);
  if (!program) return {"cannot be emitted: " + program.reason()};
  std::vector<std::string> remarks;
  for (const Target& target : backend->targets()) {
    const EmitOptions options{.target = target.name, .command = "", .elements = job.count};
    const auto files = backend->emit(*program.value(), options);
    if (!files) {
      remarks.push_back("cannot be emitted: " + files.reason());
      continue;
    }
    const std::vector<std::string> sentences = backend->emit_remarks(*program.value(), options);
    if (!sentences.empty()) remarks.push_back(fmt::format("as {}: {}", target.name, fmt::join(sentences, " ")));
  }
  return remarks;
}

Emission emit(const Job& job, const Choice& choice, const EmitOptions& options) {
  check_job(job);
  const auto backend = require_backend(job.machine);
  check_target(*backend, options.target);

  const Schedule schedule = make_schedule(job, *choice.algorithm, choice.parameters);
  require_verified(verify(schedule, job.machine, {.seed = job.seed}), choice);
  return emit_verified(job, *backend, schedule, options);
}

Emission emit(const Job& job, const Schedule& schedule, const EmitOptions& options) {
  check_job(job);
  const auto backend = require_backend(job.machine);
  check_target(*backend, options.target);
  const Verdict verdict = verify(schedule, job.machine, {.seed = job.seed});
  if (!verdict.verified()) return {.files = {}, .summary = "", .refusal = verdict.counterexample->message};
  return emit_verified(job, *backend, schedule, options);
}

}  // namespace muster
