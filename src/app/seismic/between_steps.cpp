#include "app/seismic/between_steps.h"

#include <array>

#include "app/seismic/checkpoint.h"
#include "app/seismic/field_values.h"
#include "app/seismic/outputs.h"
#include "base/error.h"

namespace muster::seismic {
namespace {

constexpr std::int64_t kStepsBetweenChecks = 100;
constexpr std::int64_t kStepsBetweenQuestions = 10;  ///< to other processes

/// Whether any process was.
bool is_interrupted(const RunOptions& options, Processes& processes, std::int64_t made) {
  if (processes.count() > 1 && made % kStepsBetweenQuestions != 0) return false;
  std::array<std::uint64_t, 1> count{options.is_interrupted && options.is_interrupted() ? 1U : 0U};
  processes.sum(count);
  return count[0] > 0;
}

/// If one is due, or the run is interrupted: then this throws.
template <class Real>
void leave_checkpoint(const ShotUnderWay<Real>& under_way, std::int64_t made) {
  const Shot& shot = under_way.shot;
  const RunOptions& options = under_way.options;
  const std::int64_t number = under_way.number;
  const bool is_last = made == shot.steps && number == shot.repetition.count;
  const bool is_due = shot.checkpoint.every > 0 && made % shot.checkpoint.every == 0;
  const bool has_to_end = is_interrupted(options, under_way.processes, made);
  if (is_last || !(is_due || has_to_end)) return;
  check_finite(under_way.fields, under_way.processes);  // or a good checkpoint would be replaced by a useless one
  const std::filesystem::path file = options.folder / shot.checkpoint.file;
  const std::filesystem::path of_this = checkpoint_of(file, under_way.processes);
  std::unique_ptr<AtomicFile> checkpoint;
  together(under_way.processes,
           [&] { checkpoint = write_checkpoint(of_this, shot, number, under_way.fields, under_way.gathers()); });
  // All processes have theirs: now they replace the former ones, so that the files are of one time.
  together(under_way.processes, [&] { checkpoint->commit(); });
  if (!has_to_end) return;
  const std::string of_shot = shot.repetition.count > 1 ? fmt::format(" of shot {}", number) : "";
  together(under_way.processes, [&] {
    answer_no("{}: interrupted after step {} of {}{}; go on with --resume {}", shot.name, made, shot.steps, of_shot,
              file.string());
  });
}

}  // namespace

template <class Real>
void look_after(const ShotUnderWay<Real>& under_way) {
  const Shot& shot = under_way.shot;
  const RunOptions& options = under_way.options;
  const std::int64_t number = under_way.number;
  const std::int64_t made = steps_made(shot, under_way.fields.steps());
  const bool has_snapshot = !snapshot_files(shot, options.folder, number, under_way.fields.steps()).empty();
  if (has_snapshot || made % kStepsBetweenChecks == 0) check_finite(under_way.fields, under_way.processes);
  write_snapshots(shot, options.folder, number, under_way.fields, under_way.processes);
  if (!under_way.shots.is_first(number)) return;
  leave_checkpoint(under_way, made);
  if (!options.progress) return;
  const auto all = static_cast<double>(shot.steps * shot.repetition.count);
  options.progress(static_cast<double>((number - 1) * shot.steps + made) / all);
}

template void look_after(const ShotUnderWay<float>&);
template void look_after(const ShotUnderWay<double>&);

}  // namespace muster::seismic
