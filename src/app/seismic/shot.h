// A shot: everything that a run computes, as its file says.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/seismic/model.h"
#include "app/seismic/setup.h"
#include "app/seismic/wavelet.h"

namespace muster::seismic {

/// Forwards, from sources to receivers; or its transpose: backwards in time, from receivers' gathers to sources.
enum class Mode : unsigned char { forward, adjoint };

inline constexpr std::int64_t kMostSteps = 1'000'000'000;

struct Source {
  enum class Kind : unsigned char { pressure, force, moment } kind = Kind::pressure;
  PerAxis<double> position;  ///< in metres
  Wavelet wavelet;           ///< what the rest is multiplied with over time
  double pressure = 0;       ///< times distance, in Pa m
  PerAxis<double> force;     ///< in N
  /// In N m: xx, yy, zz, yz, xz, xy. An explosion has three equal ones and no others.
  std::array<double, 6> moment{};
};

/// Receivers that record the same fields at the same times.
struct ReceiverSet {
  std::string name;
  std::vector<std::string> fields;
  std::vector<PerAxis<double>> positions;  ///< in metres
  std::int64_t every = 1;                  ///< steps between samples
};

/// Whole fields, written while the run goes on.
struct Snapshots {
  std::vector<std::string> fields;
  std::vector<std::int64_t> steps;  ///< after which they are written, ascending
};

/// Shots that differ in their positions only.
struct Repetition {
  std::int64_t count = 1;
  PerAxis<double> source_increment;  ///< in metres, from shot to shot
  PerAxis<double> receiver_increment;
};

struct OutputOptions {
  std::string folder;           ///< below the run's
  std::string gathers = "raw";  ///< formats
  std::string snapshots = "raw";
};

struct CheckpointOptions {
  std::int64_t every = 0;  ///< steps; 0: only when the run is interrupted
  std::string file;        ///< below the run's folder
};

/// What an adjoint run begins with.
struct AdjointOptions {
  std::string gathers;      ///< path of their files, with {shot}, {receivers} and {field} for what differs
  std::string fingerprint;  ///< differs where the gathers do
};

struct Shot {
  std::string name;   ///< of the file, without its folder and ending
  std::string title;  ///< what it is about, in a line; may be empty
  std::string propagator;
  Mode mode = Mode::forward;
  bool is_double = false;
  std::int64_t steps = 0;
  double longest_step = 0;  ///< the largest stable time step, in s
  double cfl = 0;           ///< the time step over that
  GridOptions grid;
  std::shared_ptr<const Model> model;  ///< shared, so that a shot can be copied: it may be large
  VelocityRange velocities;            ///< of the model, for this propagator
  std::string model_fingerprint;       ///< differs where the model does
  std::vector<Source> sources;
  std::vector<ReceiverSet> receivers;
  std::vector<Snapshots> snapshots;
  Repetition repetition;
  OutputOptions output;
  CheckpointOptions checkpoint;
  AdjointOptions adjoint;
};

/// `overrides` replace keys, as in `--set grid=240x240x240`. Throws InputError about the first thing that is wrong: file, line, key, value.
Shot read_shot(std::string_view text, const std::string& file,
               const std::map<std::string, std::string>& overrides = {});

/// The position of a source or a receiver in a shot, counted from 1.
PerAxis<double> moved(const PerAxis<double>& position, const PerAxis<double>& increment, std::int64_t shot);

/// How many steps of a shot a run has made when its fields are those after `step` steps.
std::int64_t steps_made(const Shot& shot, std::int64_t step);

/// Cells per wavelength of the slowest wave at a frequency, along the axis with the largest spacing.
double points_per_wavelength(const Shot& shot, double frequency);

}  // namespace muster::seismic
