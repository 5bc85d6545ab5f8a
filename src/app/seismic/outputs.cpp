#include "app/seismic/outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "app/seismic/recorded.h"
#include "app/seismic/recorder.h"
#include "app/seismic/whole_file.h"

namespace muster::seismic {
namespace {

namespace fs = std::filesystem;

std::int64_t bytes_of_real(const Shot& shot) { return shot.is_double ? 8 : 4; }

/// The fields whose snapshots are due after this many steps: each once, in the order of the file.
std::vector<std::string> fields_due(const Shot& shot, std::int64_t step) {
  std::vector<std::string> fields;
  for (const Snapshots& snapshots : shot.snapshots) {
    if (!std::ranges::binary_search(snapshots.steps, step)) continue;
    for (const std::string& field : snapshots.fields) {
      if (std::ranges::count(fields, field) == 0) fields.push_back(field);
    }
  }
  return fields;
}

fs::path snapshot_path(const Shot& shot, const fs::path& folder, std::int64_t number, const std::string& field,
                       std::int64_t step) {
  return folder / shot.output.folder / fmt::format("{}-shot{}-{}-step{}.raw", shot.name, number, field, step);
}

template <class Real>
void write_snapshot(const fs::path& path, const Recorded& what, const Simulation<Real>& simulation) {
  const Extent& extent = simulation.state().layout.extent();
  WholeFile file(path);
  std::vector<Real> plane(static_cast<std::size_t>(extent.y * extent.z));
  for (std::int64_t x = 0; x < extent.x; ++x) {
    std::size_t at = 0;
    for (std::int64_t y = 0; y < extent.y; ++y) {
      for (std::int64_t z = 0; z < extent.z; ++z) {
        double value = 0;
        for (const FieldShare& share : what.shares) {
          value += share.share * static_cast<double>(simulation.state().fields[share.field].at(x, y, z));
        }
        plane[at++] = static_cast<Real>(value);
      }
    }
    file.write(std::as_bytes(std::span(plane)));
  }
  file.finish();
}

}  // namespace

std::vector<OutputFile> gather_files(const Shot& shot, const fs::path& folder, std::int64_t number) {
  std::vector<OutputFile> files;
  for (const ReceiverSet& set : shot.receivers) {
    const auto receivers = static_cast<std::int64_t>(set.positions.size());
    for (const std::string& field : set.fields) {
      files.push_back(
          {.path = folder / shot.output.folder /
                   fmt::format("{}-shot{}-{}-{}.{}", shot.name, number, set.name, field, shot.output.gathers),
           .bytes = receivers * samples_of(set, shot.steps) * bytes_of_real(shot)});
    }
  }
  return files;
}

std::vector<OutputFile> snapshot_files(const Shot& shot, const fs::path& folder, std::int64_t number,
                                       std::int64_t step) {
  std::vector<OutputFile> files;
  for (const std::string& field : fields_due(shot, step)) {
    files.push_back({.path = snapshot_path(shot, folder, number, field, step),
                     .bytes = cells_of(shot.grid.extent) * bytes_of_real(shot)});
  }
  return files;
}

std::vector<OutputFile> output_files(const Shot& shot, const fs::path& folder) {
  std::set<std::int64_t> steps;
  for (const Snapshots& snapshots : shot.snapshots) steps.insert(snapshots.steps.begin(), snapshots.steps.end());
  std::vector<OutputFile> files;
  for (std::int64_t number = 1; number <= shot.repetition.count; ++number) {
    for (const std::int64_t step : steps) {
      for (OutputFile& file : snapshot_files(shot, folder, number, step)) files.push_back(std::move(file));
    }
    for (OutputFile& file : gather_files(shot, folder, number)) files.push_back(std::move(file));
  }
  return files;
}

void write_gather_file(const fs::path& path, const Gather& gather, bool is_double) {
  WholeFile file(path);
  if (is_double) {
    file.write(std::as_bytes(std::span(gather.values)));
  } else {
    std::vector<float> trace(static_cast<std::size_t>(gather.samples));
    for (std::size_t i = 0; i < gather.receivers.size(); ++i) {
      std::ranges::transform(gather.trace(i), trace.begin(), [](double value) { return static_cast<float>(value); });
      file.write(std::as_bytes(std::span(trace)));
    }
  }
  file.finish();
}

template <class Real>
std::vector<OutputFile> write_snapshots(const Shot& shot, const fs::path& folder, std::int64_t number,
                                        const Simulation<Real>& simulation) {
  for (const std::string& field : fields_due(shot, simulation.steps())) {
    write_snapshot(snapshot_path(shot, folder, number, field, simulation.steps()),
                   *recorded(simulation.equation(), field), simulation);
  }
  return snapshot_files(shot, folder, number, simulation.steps());
}

template std::vector<OutputFile> write_snapshots(const Shot&, const fs::path&, std::int64_t, const Simulation<float>&);
template std::vector<OutputFile> write_snapshots(const Shot&, const fs::path&, std::int64_t, const Simulation<double>&);

}  // namespace muster::seismic
