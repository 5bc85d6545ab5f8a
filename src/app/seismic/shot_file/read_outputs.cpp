// What a shot file says about files that are written: gathers, snapshots, checkpoints.
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "app/seismic/shot_file/reader.h"
#include "base/counted.h"
#include "base/one_line.h"
#include "base/saturating.h"

namespace muster::seismic {
namespace {

const std::array<std::string, 4> kFormats{"raw", "segy", "su", "rsf"};
constexpr std::int64_t kMostFiles = 1'000'000;

/// A path in the run's folder or below: shot files come from others, and do not say where on this machine files are replaced.
std::string read_path(const TomlTable& table, std::string_view key) {
  std::string path = table.string(key);
  if (path.empty() || path.find('\0') != std::string::npos) {
    table.refuse(key, fmt::format("'{}' is not a path", one_line(path)));
  }
  const std::filesystem::path normal = std::filesystem::path(path).lexically_normal();
  if (normal.is_absolute() || *normal.begin() == "..") {
    table.refuse(key,
                 fmt::format("'{}' leads out of the folder of the run; use a path below it, and --out for the folder",
                             one_line(path)));
  }
  return path;
}

std::string read_format(const TomlTable& table, std::string_view key, const Shot& shot) {
  std::string format = table.choice(key, kFormats);
  if (shot.is_double && (format == "segy" || format == "su")) {
    table.refuse(key, fmt::format("'{}' holds f32 only; use 'rsf' or 'raw', or precision = \"f32\"", format));
  }
  return format;
}

std::vector<std::int64_t> steps_at(const TomlTable& table, const Shot& shot) {
  std::vector<std::int64_t> steps;
  for (const std::string& text : table.strings("times")) {
    const Outcome<Seconds> time = parse_seconds(text);
    if (!time) table.refuse("times", time.reason());
    const double step = std::round(time.value().value() / shot.grid.time_step);
    if (!(step <= static_cast<double>(shot.steps))) {
      table.refuse("times", fmt::format("'{}' is behind the last step, at {:.6g} s", one_line(text),
                                        static_cast<double>(shot.steps) * shot.grid.time_step));
    }
    steps.push_back(static_cast<std::int64_t>(step));
  }
  if (steps.empty()) table.refuse("times", "has none; use e.g. [\"0.3 s\"]");
  std::ranges::sort(steps);
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  return steps;
}

std::vector<std::int64_t> steps_every(const TomlTable& table, const Shot& shot) {
  const std::int64_t every = table.integer("every", {1, kMostSteps});
  if (every > shot.steps) {
    table.refuse("every", fmt::format("{} is more than the {} steps; there would be none", every, shot.steps));
  }
  if (shot.steps / every > kMostFiles) {
    table.refuse("every",
                 fmt::format("{} gives {} snapshots; at most {} are written", every, shot.steps / every, kMostFiles));
  }
  std::vector<std::int64_t> steps;
  for (std::int64_t step = every; step <= shot.steps; step += every) steps.push_back(step);
  return steps;
}

void read_snapshots(const TomlTable& root, Shot& shot) {
  for (const TomlTable& table : tables_of(root, "snapshot")) {
    Snapshots snapshots;
    snapshots.fields = read_fields(table, shot);
    const bool has_times = table.has("times");
    if (has_times == table.has("every")) {
      table.refuse("every", has_times ? "stands beside 'times'; keep one of the two"
                                      : "is missing; say every how many steps, or at which 'times'");
    }
    snapshots.steps = has_times ? steps_at(table, shot) : steps_every(table, shot);
    shot.snapshots.push_back(std::move(snapshots));
  }
}

/// Not that of the forward run of the same file, which may be wanted still.
std::string default_checkpoint(const Shot& shot) {
  return shot.name + (shot.mode == Mode::adjoint ? "-adjoint.checkpoint" : ".checkpoint");
}

void check_count(const TomlTable& root, const Shot& shot) {
  std::int64_t files = 0;
  for (const ReceiverSet& set : shot.receivers) files += static_cast<std::int64_t>(set.fields.size());
  for (const Snapshots& snapshots : shot.snapshots) {
    files += static_cast<std::int64_t>(snapshots.fields.size() * snapshots.steps.size());
  }
  if (files <= kMostFiles / shot.repetition.count) return;
  root.refuse(shot.repetition.count > 1 ? "shots" : "snapshot",
              fmt::format("{} files for {} are too many; at most {} are written in one run",
                          saturating_product(files, shot.repetition.count), counted(shot.repetition.count, "shot"),
                          kMostFiles));
}

}  // namespace

void read_outputs(const TomlTable& root, Shot& shot) {
  read_snapshots(root, shot);
  check_count(root, shot);
  const TomlTable output = root.table("output");
  if (output.has("folder")) shot.output.folder = read_path(output, "folder");
  if (output.has("gathers")) shot.output.gathers = read_format(output, "gathers", shot);
  if (output.has("snapshots")) shot.output.snapshots = read_format(output, "snapshots", shot);
  const TomlTable checkpoint = root.table("checkpoint");
  if (checkpoint.has("every")) shot.checkpoint.every = checkpoint.integer("every", {1, kMostSteps});
  shot.checkpoint.file = checkpoint.has("file") ? read_path(checkpoint, "file") : default_checkpoint(shot);
}

}  // namespace muster::seismic
