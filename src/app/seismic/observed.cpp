#include "app/seismic/observed.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string_view>

#include "app/seismic/file/files.h"
#include "base/error.h"
#include "base/random.h"

namespace muster::seismic {
namespace {

void replace_all(std::string& text, std::string_view placeholder, std::string_view value) {
  for (std::size_t at = text.find(placeholder); at != std::string::npos; at = text.find(placeholder, at)) {
    text.replace(at, placeholder.size(), value);
    at += value.size();
  }
}

std::filesystem::path file_of(const Shot& shot, const Traces& traces, std::int64_t number) {
  std::string path = shot.adjoint.gathers;
  replace_all(path, "{shot}", std::to_string(number));
  replace_all(path, "{receivers}", traces.set);
  replace_all(path, "{field}", traces.gather.field);
  return path;
}

/// SEG-Y files of others round to microseconds, and SU files hold f32.
bool is_same_interval(double a, double b) { return std::abs(a - b) <= 0.5e-6 + 1e-6 * b; }

/// Raw files, and some of others, do not say positions: all are 0.
void check_positions(const std::string& file, const Gather& gather, const Gather& expected,
                     const PerAxis<double>& spacing) {
  const auto is_origin = [](const PerAxis<double>& position) { return position == PerAxis<double>{}; };
  if (std::ranges::all_of(gather.receivers, is_origin)) return;
  for (std::size_t i = 0; i < gather.receivers.size(); ++i) {
    const PerAxis<double>& there = gather.receivers[i];
    const PerAxis<double>& here = expected.receivers[i];
    const auto is_near = [&](Axis axis) { return std::abs(there[axis] - here[axis]) <= 0.1 * spacing[axis]; };
    if (std::ranges::all_of(kAxes, is_near)) continue;
    reject(
        "{}: trace {} is of a receiver at {:g},{:g},{:g} m, but the shot has it at {:g},{:g},{:g} m; use the same "
        "receivers in the same order",
        file, i + 1, there.x, there.y, there.z, here.x, here.y, here.z);
  }
}

void check(const std::string& file, const Gather& gather, const Traces& traces, const PerAxis<double>& spacing) {
  const Gather& expected = traces.gather;
  if (gather.receivers.size() != expected.receivers.size()) {
    reject("{}: has {} traces, but {} has {} receivers; use a gather with a trace for each", file,
           gather.receivers.size(), traces.set, expected.receivers.size());
  }
  if (!is_same_interval(gather.interval, expected.interval)) {
    reject(
        "{}: has a sample every {:.9g} s, but {} has one every {:.9g} s; use the same time step and 'every', or "
        "resample it",
        file, gather.interval, traces.set, expected.interval);
  }
  if (!gather.field.empty() && gather.field != expected.field) {
    reject("{}: is a gather of '{}', but one of '{}' is expected; use the file of that field", file, gather.field,
           expected.field);
  }
  check_positions(file, gather, expected, spacing);
}

}  // namespace

Gather read_observed(const Shot& shot, const Traces& traces, std::int64_t number) {
  const std::filesystem::path file = file_of(shot, traces, number);
  Gather gather = read_gather(file, {.format = {},
                                     .precision = shot.is_double ? Precision::f64 : Precision::f32,
                                     .extent = {},
                                     .samples = traces.gather.samples,
                                     .interval = traces.gather.interval});
  check(file.string(), gather, traces, shot.grid.spacing);
  return gather;
}

std::string observed_fingerprint(const Shot& shot) {
  std::uint64_t hash = 0;
  for (std::int64_t number = 1; number <= shot.repetition.count; ++number) {
    for (const Traces& traces : receiver_traces(shot, number)) {
      const Gather gather = read_observed(shot, traces, number);
      for (const double value : gather.values) hash = random_bits(hash, std::bit_cast<std::uint64_t>(value));
    }
  }
  return fmt::format("mode adjoint of gathers {:016x}\n", hash);
}

}  // namespace muster::seismic
