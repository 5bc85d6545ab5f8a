#include "app/seismic/resources.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <utility>

#include "app/seismic/checkpoint.h"
#include "app/seismic/injections.h"
#include "app/seismic/outputs.h"
#include "app/seismic/propagators.h"
#include "app/seismic/recorder.h"
#include "base/error.h"
#include "base/saturating.h"

namespace muster::seismic {
namespace {

namespace fs = std::filesystem;

std::optional<std::int64_t> number_in(const fs::path& file) {
  std::ifstream stream(file);
  std::int64_t number = 0;
  return stream >> number ? std::optional(number) : std::nullopt;
}

std::optional<std::int64_t> memory_of_kernel() {
  std::ifstream stream("/proc/meminfo");
  std::string word;
  while (stream >> word) {
    std::int64_t kibibytes = 0;
    if (word == "MemAvailable:" && stream >> kibibytes) return kibibytes * 1024;
  }
  return std::nullopt;
}

/// What the kernel keeps of files for a group, which it gives up when memory is asked for.
std::int64_t reclaimable(const fs::path& folder, const std::string& prefix) {
  std::ifstream stream(folder / "memory.stat");
  std::string key;
  std::int64_t bytes = 0;
  std::int64_t sum = 0;
  while (stream >> key >> bytes) {
    if (key == prefix + "inactive_file" || key == prefix + "active_file") sum += bytes;
  }
  return sum;
}

/// Of the two versions of control groups.
struct GroupFiles {
  fs::path root;
  const char* limit;
  const char* used;
  const char* prefix;  ///< in memory.stat
};

std::optional<std::int64_t> left_in_group(const GroupFiles& files, const fs::path& below) {
  const fs::path folder = files.root / below;
  const std::optional<std::int64_t> most = number_in(folder / files.limit);
  const std::optional<std::int64_t> taken = number_in(folder / files.used);
  if (!most || !taken) return std::nullopt;
  const std::int64_t held = std::max<std::int64_t>(0, *taken - reclaimable(folder, files.prefix));
  return std::max<std::int64_t>(0, *most - held);
}

/// The folders of the control group of this process: version 2 has one line, "0::/path".
std::optional<std::int64_t> memory_of_groups() {
  std::optional<std::int64_t> least;
  const auto consider = [&](const std::optional<std::int64_t>& left) {
    if (left && (!least || *left < *least)) least = left;
  };
  std::ifstream stream("/proc/self/cgroup");
  std::string line;
  while (std::getline(stream, line)) {
    const std::size_t last = line.rfind(':');
    if (last == std::string::npos) continue;
    fs::path below = fs::path(line.substr(last + 1)).relative_path();
    const bool is_second = line.starts_with("0::");
    if (!is_second && line.find(":memory:") == std::string::npos) continue;
    const GroupFiles files =
        is_second ? GroupFiles{"/sys/fs/cgroup", "memory.max", "memory.current", ""}
                  : GroupFiles{"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_"};
    for (;; below = below.parent_path()) {
      consider(left_in_group(files, below));
      if (below.empty()) break;
    }
  }
  return least;
}

/// The folder itself, or the nearest one above it that exists, as far as it is named.
fs::path existing(const fs::path& folder) {
  std::error_code error;
  fs::path at = folder.lexically_normal();
  while (!at.empty() && at != at.parent_path() && !fs::exists(at, error)) at = at.parent_path();
  return at.empty() ? "." : at;
}

/// Why outputs cannot be written there; empty: they can.
std::string lack_of_folder(const fs::path& folder) {
  const fs::path at = existing(folder);
  std::error_code error;
  if (!fs::is_directory(at, error)) return fmt::format("{}: is not a folder; outputs need one", at.string());
  if (access(at.c_str(), W_OK) == 0) return "";
  return fmt::format("{}: may not be written into; choose another --out", at.string());
}

/// Why checkpoints cannot be written there; empty: they can. Nothing but a checkpoint is replaced.
std::string lack_of_checkpoint(const Shot& shot, const Surroundings& surroundings) {
  const Processes alone;
  const Processes& processes = surroundings.processes == nullptr ? alone : *surroundings.processes;
  const fs::path file = checkpoint_of(surroundings.folder / shot.checkpoint.file, processes);
  std::error_code error;
  if (fs::exists(file, error) && !is_checkpoint(file)) {
    return fmt::format("{}: is in the way of the checkpoint, and is none; remove it, or name another checkpoint.file",
                       file.string());
  }
  for (const OutputFile& output : output_files(shot, surroundings.folder)) {
    if (output.path.lexically_normal() != file.lexically_normal()) continue;
    return fmt::format("{}: is the checkpoint and an output; name another checkpoint.file", file.string());
  }
  return shot.checkpoint.every > 0 ? lack_of_folder(file.parent_path()) : "";
}

/// Whether what is written into one folder leaves less space in the other.
bool share_a_disk(const fs::path& a, const fs::path& b) {
  struct stat of_a {};
  struct stat of_b {};
  return stat(existing(a).c_str(), &of_a) != 0 || stat(existing(b).c_str(), &of_b) != 0 || of_a.st_dev == of_b.st_dev;
}

/// What a run writes into a folder, and how it could write less.
struct Written {
  fs::path folder;
  std::int64_t bytes = 0;
  std::string_view remedy;
};

/// Empty: there is room.
std::string lack_of_disk(const Shot& shot, const Written& files) {
  const std::optional<Bytes> disk = available_disk(files.folder);
  if (!disk || files.bytes <= disk->value()) return "";
  return fmt::format("{}: its files need {} of disk, and {} has {}; use {}", shot.name, to_text(Bytes(files.bytes)),
                     existing(files.folder).string(), to_text(*disk), files.remedy);
}

/// Of outputs and checkpoints, in one folder or in two.
std::vector<std::string> lacks_of_disk(const Shot& shot, const Needs& needs, const Surroundings& surroundings,
                                       int processes) {
  const bool has_checkpoints = shot.checkpoint.every > 0;
  if (!has_checkpoints && needs.outputs.value() == 0) return {};
  Written outputs{.folder = surroundings.folder / shot.output.folder,
                  .bytes = needs.outputs.value() - surroundings.written,
                  .remedy = "another --out, or fewer snapshots and receivers"};
  // A checkpoint is replaced by the next one only when that is complete.
  Written checkpoints{.folder = (surroundings.folder / shot.checkpoint.file).parent_path(),
                      .bytes = has_checkpoints ? saturating_product(2 * processes, needs.checkpoint.value()) : 0,
                      .remedy = "another checkpoint.file"};
  std::vector<std::string> lacks{lack_of_folder(outputs.folder)};
  if (share_a_disk(outputs.folder, checkpoints.folder)) {
    outputs.bytes = saturating_sum(outputs.bytes, std::exchange(checkpoints.bytes, 0));
  }
  lacks.push_back(lack_of_disk(shot, outputs));
  lacks.push_back(lack_of_disk(shot, checkpoints));
  std::erase(lacks, "");
  return lacks;
}

/// What the processes of a run need, together, to put a snapshot together: its values at the first process, and before that at each one.
std::int64_t snapshot_bytes(const Shot& shot, const Part& part) {
  const bool is_shared = !(part.extent() == shot.grid.extent);
  if (!is_shared || shot.snapshots.empty()) return 0;
  constexpr std::int64_t kCopies = 2;
  return saturating_product(kCopies * static_cast<std::int64_t>(sizeof(double)), cells_of(shot.grid.extent));
}

}  // namespace

std::int64_t points_bytes(const Shot& shot) {
  return saturating_sum(recorder_bytes(shot), injection_bytes(shot, describe_propagator(shot.propagator)));
}

Needs needs_of(const Shot& shot, const Part& part) {
  const Description equation = describe_propagator(shot.propagator);
  const std::int64_t state = state_bytes(equation, shot.grid, part, shot.is_double ? sizeof(double) : sizeof(float));
  std::int64_t outputs = 0;
  for (const OutputFile& file : output_files(shot, {})) outputs = saturating_sum(outputs, file.bytes);
  return {.memory = Bytes(saturating_sum(state + shot.model->bytes(), points_bytes(shot))),
          .outputs = Bytes(outputs),
          .checkpoint = Bytes(checkpoint_bytes(shot, part))};
}

std::optional<Bytes> available_memory() {
  const std::optional<std::int64_t> kernel = memory_of_kernel();
  const std::optional<std::int64_t> groups = memory_of_groups();
  if (!kernel && !groups) return std::nullopt;
  return Bytes(kernel && groups ? std::min(*kernel, *groups) : kernel ? *kernel : *groups);
}

std::optional<Bytes> available_disk(const fs::path& folder) {
  std::error_code error;
  const fs::space_info space = fs::space(existing(folder), error);
  if (error || space.available > static_cast<std::uintmax_t>(INT64_MAX)) return std::nullopt;
  return Bytes(static_cast<std::int64_t>(space.available));
}

std::vector<std::string> lacks_of(const Shot& shot, const Part& part, const Surroundings& surroundings) {
  std::vector<std::string> lacks;
  const int processes = surroundings.processes == nullptr ? 1 : surroundings.processes->on_this_machine();
  const Needs needs = needs_of(shot, part);
  // The model has been read already.
  const std::int64_t of_states = saturating_product(needs.memory.value() - shot.model->bytes(), processes);
  const Bytes wanted(saturating_sum(of_states, snapshot_bytes(shot, part)));
  const std::optional<Bytes> memory = available_memory();
  if (memory && wanted > *memory) {
    lacks.push_back(
        fmt::format("{}: needs {} of memory, and {} are available; use a smaller grid, f32 or fewer receivers",
                    shot.name, to_text(wanted), to_text(*memory)));
  }
  const std::string of_checkpoint = lack_of_checkpoint(shot, surroundings);
  if (!of_checkpoint.empty()) lacks.push_back(of_checkpoint);
  for (std::string& lack : lacks_of_disk(shot, needs, surroundings, processes)) lacks.push_back(std::move(lack));
  return lacks;
}

void check_resources(const Shot& shot, const Part& part, const Surroundings& surroundings) {
  const std::vector<std::string> lacks = lacks_of(shot, part, surroundings);
  if (!lacks.empty()) reject("{}", lacks.front());
}

}  // namespace muster::seismic
