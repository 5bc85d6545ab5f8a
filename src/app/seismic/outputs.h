// The files that a shot writes: their names, their sizes, and what is in them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/seismic/file/gather.h"
#include "app/seismic/processes.h"
#include "app/seismic/shot.h"
#include "app/seismic/wave_fields.h"

namespace muster::seismic {

struct OutputFile {
  std::filesystem::path path;
  std::int64_t bytes = 0;
};

/// Gathers of the shot with this number, in the order of written_traces(). `folder` is that of the run.
std::vector<OutputFile> gather_files(const Shot& shot, const std::filesystem::path& folder, std::int64_t number);

/// Snapshots of the shot with this number after this many steps.
std::vector<OutputFile> snapshot_files(const Shot& shot, const std::filesystem::path& folder, std::int64_t number,
                                       std::int64_t step);

/// Everything that a run writes, checkpoints apart, in the order in which it is written.
std::vector<OutputFile> output_files(const Shot& shot, const std::filesystem::path& folder);

/// In the shot's format and precision.
void write_gather_file(const Shot& shot, const std::filesystem::path& path, const Gather& gather);

/// Writes the snapshots that are due after the steps that the simulation has made. All processes must call it; the first one writes.
template <class Real>
void write_snapshots(const Shot& shot, const std::filesystem::path& folder, std::int64_t number,
                     const WaveFields<Real>& simulation, Processes& processes);

extern template void write_snapshots(const Shot&, const std::filesystem::path&, std::int64_t, const WaveFields<float>&,
                                     Processes&);
extern template void write_snapshots(const Shot&, const std::filesystem::path&, std::int64_t, const WaveFields<double>&,
                                     Processes&);

}  // namespace muster::seismic
