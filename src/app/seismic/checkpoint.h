// Checkpoints: everything that a run needs to go on to the same bits.
//
// A file holds "MUSTERCP" and the version of the format, the fingerprint of the run as text, the number of the shot and of its steps, all
// values of fields, fields before and memory of the layers, all traces, and a hash of everything before it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/seismic/file/byte_sink.h"
#include "app/seismic/file/gather.h"
#include "app/seismic/processes.h"
#include "app/seismic/shot.h"
#include "app/seismic/wave_fields.h"

namespace muster::seismic {

/// Everything that decides what a checkpoint holds, a line each. Neither target nor threads do.
std::string fingerprint(const Shot& shot, const Part& part);

/// Each of several processes has a file of its own, for its part of the grid.
std::filesystem::path checkpoint_of(const std::filesystem::path& file, const Processes& processes);

/// How many processes have left checkpoints of this name; 0: none is found.
int processes_of_checkpoint(const std::filesystem::path& file);

/// Whether a file begins like a checkpoint of any run.
bool is_checkpoint(const std::filesystem::path& file);

/// How far a run has come.
struct Progress {
  std::int64_t shot = 1;  ///< under way, counted from 1
  std::int64_t step = 0;  ///< of the shot: an adjoint run counts down to 0
};

/// The bytes of a checkpoint's file.
std::int64_t checkpoint_bytes(const Shot& shot, const Part& part);

/// A complete file that only has to take its place, with commit(). `gathers` are those that the run writes in the end.
template <class Real>
std::unique_ptr<AtomicFile> write_checkpoint(const std::filesystem::path& path, const Shot& shot, std::int64_t number,
                                             const WaveFields<Real>& simulation, const std::vector<Gather>& gathers);

/// How far the run of a checkpoint had come. Throws InputError if it cannot be read, or is of another run.
Progress read_progress(const std::filesystem::path& file, const Shot& shot, const Part& part);

/// Puts the values of a checkpoint back. Throws InputError if the file is truncated or was altered.
template <class Real>
void read_checkpoint(const std::filesystem::path& file, const Shot& shot, WaveFields<Real>& simulation,
                     std::vector<Gather>& gathers);

extern template std::unique_ptr<AtomicFile> write_checkpoint(const std::filesystem::path&, const Shot&, std::int64_t,
                                                             const WaveFields<float>&, const std::vector<Gather>&);
extern template std::unique_ptr<AtomicFile> write_checkpoint(const std::filesystem::path&, const Shot&, std::int64_t,
                                                             const WaveFields<double>&, const std::vector<Gather>&);
extern template void read_checkpoint(const std::filesystem::path&, const Shot&, WaveFields<float>&,
                                     std::vector<Gather>&);
extern template void read_checkpoint(const std::filesystem::path&, const Shot&, WaveFields<double>&,
                                     std::vector<Gather>&);

}  // namespace muster::seismic
