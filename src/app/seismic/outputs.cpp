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

/// What a snapshot holds of a row of cells along z of this process.
template <class Real>
void fill_row(std::span<const FieldShare> shares, const State<Real>& state, std::int64_t x, std::int64_t y,
              std::span<double> row) {
  std::ranges::fill(row, 0.0);
  for (const FieldShare& share : shares) {
    const Real* from = state.fields[share.field].data() + state.layout.offset(x, y, 0);
    for (std::size_t z = 0; z < row.size(); ++z) row[z] += share.share * static_cast<double>(from[z]);
  }
}

/// The rows of all processes, as one after another of the whole grid; nothing but at the first process.
template <class Real>
std::vector<double> all_rows(std::span<const FieldShare> shares, const GridOptions& grid, const State<Real>& state,
                             Processes& processes) {
  const Extent& extent = state.layout.extent();
  const auto cells_along_z = static_cast<std::size_t>(extent.z);
  std::vector<double> of_this(static_cast<std::size_t>(cells_of(extent)));
  std::span<double> left = of_this;
  for (std::int64_t x = 0; x < extent.x; ++x) {
    for (std::int64_t y = 0; y < extent.y; ++y, left = left.subspan(cells_along_z)) {
      fill_row(shares, state, x, y, left.first(cells_along_z));
    }
  }
  const std::vector<std::vector<double>> parts = processes.gather(std::move(of_this));
  if (!processes.is_first()) return {};
  std::vector<double> all(static_cast<std::size_t>(cells_of(grid.extent)));
  const Decomposition decomposition(grid, processes.count());
  for (int process = 0; process < processes.count(); ++process) {
    const Box cells = decomposition.part(process).cells;
    const double* from = parts[static_cast<std::size_t>(process)].data();
    for (std::int64_t x = cells.first.x; x < cells.last.x; ++x) {
      for (std::int64_t y = cells.first.y; y < cells.last.y; ++y) {
        const std::int64_t to = (x * grid.extent.y + y) * grid.extent.z + cells.first.z;
        from = std::ranges::copy_n(from, cells.last.z - cells.first.z, all.begin() + to).in;
      }
    }
  }
  return all;
}

template <class Real>
void write_snapshot(const fs::path& path, const Shot& shot, const std::string& field,
                    const WaveFields<Real>& simulation, Processes& processes) {
  const std::vector<FieldShare> shares =
      at_one_location(simulation.equation(), *recorded(simulation.equation(), field));
  std::vector<double> all;
  if (processes.count() > 1) all = all_rows<Real>(shares, shot.grid, simulation.state(), processes);
  const auto fill = [&](std::int64_t x, std::int64_t y, std::span<double> row) {
    if (all.empty()) return fill_row<Real>(shares, simulation.state(), x, y, row);
    const std::int64_t first = (x * shot.grid.extent.y + y) * shot.grid.extent.z;
    std::ranges::copy_n(all.begin() + first, static_cast<std::ptrdiff_t>(row.size()), row.begin());
  };
  together(processes, [&] {
    if (!processes.is_first()) return;
    make_folder_of(path);
    write_cube(cube_of(shot, field), fill, path, options_of(shot, shot.output.snapshots));
  });
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
void write_snapshots(const Shot& shot, const fs::path& folder, std::int64_t number, const WaveFields<Real>& simulation,
                     Processes& processes) {
  for (const std::string& field : fields_due(shot, simulation.steps())) {
    const fs::path path = snapshot_path(shot, folder, number, field, simulation.steps());
    write_snapshot(path, shot, field, simulation, processes);
  }
}

template void write_snapshots(const Shot&, const fs::path&, std::int64_t, const WaveFields<float>&, Processes&);
template void write_snapshots(const Shot&, const fs::path&, std::int64_t, const WaveFields<double>&, Processes&);

}  // namespace muster::seismic
