#include "app/seismic/outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "app/seismic/file/files.h"
#include "app/seismic/recorded.h"
#include "app/seismic/traces.h"

namespace muster::seismic {
namespace {

namespace fs = std::filesystem;

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
  const std::string_view kind = shot.mode == Mode::adjoint ? "adjoint-" : "";
  return folder / shot.output.folder /
         fmt::format("{}-shot{}-{}{}-step{}.{}", shot.name, number, kind, field, step, shot.output.snapshots);
}

WriteOptions options_of(const Shot& shot, const std::string& format) {
  return {.format = format_named(format, "output"), .precision = shot.is_double ? Precision::f64 : Precision::f32};
}

void make_folder_of(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);  // what is wrong with it, the writer of the file says
}

CubeInfo cube_of(const Shot& shot, const std::string& field) {
  return {.name = field, .extent = shot.grid.extent, .spacing = shot.grid.spacing};
}

template <class Real>
void write_snapshot(const fs::path& path, const Shot& shot, const std::string& field,
                    const WaveFields<Real>& simulation) {
  const State<Real>& state = simulation.state();
  const std::vector<FieldShare> shares =
      at_one_location(simulation.equation(), *recorded(simulation.equation(), field));
  const auto fill = [&](std::int64_t x, std::int64_t y, std::span<double> row) {
    std::ranges::fill(row, 0.0);
    for (const FieldShare& share : shares) {
      const Real* from = state.fields[share.field].data() + state.layout.offset(x, y, 0);
      for (std::size_t z = 0; z < row.size(); ++z) row[z] += share.share * static_cast<double>(from[z]);
    }
  };
  make_folder_of(path);
  write_cube(cube_of(shot, field), fill, path, options_of(shot, shot.output.snapshots));
}

}  // namespace

std::vector<OutputFile> gather_files(const Shot& shot, const fs::path& folder, std::int64_t number) {
  std::vector<OutputFile> files;
  for (const Traces& traces : written_traces(shot, number)) {
    const fs::path path = folder / shot.output.folder /
                          fmt::format("{}-shot{}-{}.{}", shot.name, number, traces.name, shot.output.gathers);
    files.push_back({.path = path, .bytes = file_bytes(traces.gather, path, options_of(shot, shot.output.gathers))});
  }
  return files;
}

std::vector<OutputFile> snapshot_files(const Shot& shot, const fs::path& folder, std::int64_t number,
                                       std::int64_t step) {
  std::vector<OutputFile> files;
  for (const std::string& field : fields_due(shot, step)) {
    const fs::path path = snapshot_path(shot, folder, number, field, step);
    files.push_back(
        {.path = path, .bytes = file_bytes(cube_of(shot, field), path, options_of(shot, shot.output.snapshots))});
  }
  return files;
}

std::vector<OutputFile> output_files(const Shot& shot, const fs::path& folder) {
  std::vector<std::int64_t> steps;
  for (const Snapshots& snapshots : shot.snapshots) {
    steps.insert(steps.end(), snapshots.steps.begin(), snapshots.steps.end());
  }
  std::ranges::sort(steps, {}, [&](std::int64_t step) { return steps_made(shot, step); });
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  std::vector<OutputFile> files;
  for (std::int64_t number = 1; number <= shot.repetition.count; ++number) {
    for (const std::int64_t step : steps) {
      for (OutputFile& file : snapshot_files(shot, folder, number, step)) files.push_back(std::move(file));
    }
    for (OutputFile& file : gather_files(shot, folder, number)) files.push_back(std::move(file));
  }
  return files;
}

void write_gather_file(const Shot& shot, const fs::path& path, const Gather& gather) {
  make_folder_of(path);
  write_gather(gather, path, options_of(shot, shot.output.gathers));
}

template <class Real>
std::vector<OutputFile> write_snapshots(const Shot& shot, const fs::path& folder, std::int64_t number,
                                        const WaveFields<Real>& simulation) {
  for (const std::string& field : fields_due(shot, simulation.steps())) {
    write_snapshot(snapshot_path(shot, folder, number, field, simulation.steps()), shot, field, simulation);
  }
  return snapshot_files(shot, folder, number, simulation.steps());
}

template std::vector<OutputFile> write_snapshots(const Shot&, const fs::path&, std::int64_t, const WaveFields<float>&);
template std::vector<OutputFile> write_snapshots(const Shot&, const fs::path&, std::int64_t, const WaveFields<double>&);

}  // namespace muster::seismic
