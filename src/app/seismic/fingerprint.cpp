// What decides the bits of a run.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>

#include "app/seismic/checkpoint.h"
#include "base/random.h"

namespace muster::seismic {
namespace {

std::string text_of(const PerAxis<double>& value) { return fmt::format("{:a} {:a} {:a}", value.x, value.y, value.z); }

std::uint64_t hash_of(const std::vector<double>& values) {
  std::uint64_t hash = values.size();
  for (const double value : values) hash = random_bits(hash, std::bit_cast<std::uint64_t>(value));
  return hash;
}

std::string grid_lines(const Shot& shot) {
  const GridOptions& grid = shot.grid;
  std::string lines = fmt::format("grid {}x{}x{}\nspacing {}\norder {}\nweights {}\ntime_step {:a}\nsteps {}\n",
                                  grid.extent.x, grid.extent.y, grid.extent.z, text_of(grid.spacing), grid.order,
                                  static_cast<int>(grid.weights), grid.time_step, shot.steps);
  for (const Axis axis : kAxes) {
    lines += fmt::format("boundaries {} {} {}\n", "xyz"[index_of(axis)], static_cast<int>(grid.sides[axis].low),
                         static_cast<int>(grid.sides[axis].high));
  }
  return lines;
}

/// They follow from what comes before, but for their thickness and ratio.
std::string layer_line(const LayerOptions& layers) {
  return fmt::format("layers {} {} {:a} {:a} {:a} {:a}\n", layers.cells, layers.transition, layers.ratio,
                     layers.reflection, layers.velocity, layers.frequency);
}

std::string source_line(const Source& source) {
  const Wavelet& wavelet = source.wavelet;
  std::string line = fmt::format("source {} at {} wavelet {:a} {:a} {:a} {:016x} {:a} {:a} strength {:a} {}",
                                 static_cast<int>(source.kind), text_of(source.position), wavelet.ricker.frequency,
                                 wavelet.ricker.delay, wavelet.scale, hash_of(wavelet.samples), wavelet.interval,
                                 wavelet.start, source.pressure, text_of(source.force));
  for (const double component : source.moment) line += fmt::format(" {:a}", component);
  return line + "\n";
}

std::string receiver_line(const ReceiverSet& set) {
  std::vector<double> positions;
  for (const PerAxis<double>& position : set.positions) {
    positions.insert(positions.end(), {position.x, position.y, position.z});
  }
  return fmt::format("receivers {} {} every {} at {:016x}\n", set.name, fmt::join(set.fields, " "), set.every,
                     hash_of(positions));
}

/// Nothing for the whole grid.
std::string part_lines(const Shot& shot, const Part& part) {
  if (part.extent() == shot.grid.extent) return "";
  std::string line = "part";
  for (const Axis axis : kAxes) line += fmt::format(" {} to {}", part.cells.first[axis], part.cells.last[axis] - 1);
  return line + "\n";
}

}  // namespace

std::string fingerprint(const Shot& shot, const Part& part) {
  std::string lines = fmt::format("version {}\npropagator {}\nprecision {}\narithmetic {}\n", MUSTER_VERSION,
                                  shot.propagator, shot.is_double ? "f64" : "f32", name_of(shot.grid.arithmetic));
  lines += grid_lines(shot);
  lines += part_lines(shot, part);
  lines += shot.model_fingerprint;
  lines += shot.adjoint.fingerprint;
  for (const Source& source : shot.sources) lines += source_line(source);
  for (const ReceiverSet& set : shot.receivers) lines += receiver_line(set);
  for (const Snapshots& snapshots : shot.snapshots) {
    lines += fmt::format("snapshot {} after {}\n", fmt::join(snapshots.fields, " "), fmt::join(snapshots.steps, " "));
  }
  lines += layer_line(shot.grid.layers);
  return lines + fmt::format("shots {} {} {}\n", shot.repetition.count, text_of(shot.repetition.source_increment),
                             text_of(shot.repetition.receiver_increment));
}

}  // namespace muster::seismic
