// Gathers and cubes in files: SEG-Y, SU, RSF or raw. The layout of each is in docs/seismic.md.
//
// Readers trust nothing: sizes are checked before memory is taken, and values must be finite. Writers put a file in its place when it
// is complete. Every refusal is an InputError that begins with the file.
#pragma once

#include <filesystem>

#include "app/seismic/file/cube.h"
#include "app/seismic/file/format.h"
#include "app/seismic/file/gather.h"

namespace muster::seismic {

/// Whether the file holds a cube, not a gather; a raw one does if an extent is given.
bool holds_cube(const std::filesystem::path& path, const ReadOptions& options = {});

/// SU and raw files do not say the field; raw ones do not say positions, times and the shot, either: their receivers are all at 0.
Gather read_gather(const std::filesystem::path& path, const ReadOptions& options = {});
Cube read_cube(const std::filesystem::path& path, const ReadOptions& options = {});
/// Hands on row by row instead of keeping them, in the file's precision.
void read_cube(const std::filesystem::path& path, const ReadOptions& options, const BeginCube& begin);

void write_gather(const Gather& gather, const std::filesystem::path& path, const WriteOptions& options = {});
void write_cube(const Cube& cube, const std::filesystem::path& path, const WriteOptions& options = {});
/// Asks for row by row, so that a field needs no copy.
void write_cube(const CubeInfo& info, const FillRow& fill, const std::filesystem::path& path,
                const WriteOptions& options = {});

/// The size that a file will have. Throws InputError if the format cannot hold the gather or cube: to be known before the work begins.
/// `gather` needs no values.
std::int64_t file_bytes(const Gather& gather, const std::filesystem::path& path, const WriteOptions& options = {});
std::int64_t file_bytes(const CubeInfo& info, const std::filesystem::path& path, const WriteOptions& options = {});

}  // namespace muster::seismic
