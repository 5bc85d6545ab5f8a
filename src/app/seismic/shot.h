// A shot: everything that a run computes, as its file says.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/seismic/medium.h"
#include "app/seismic/setup.h"
#include "app/seismic/wavelet.h"

namespace muster::seismic {

inline constexpr std::int64_t kMostSteps = 1'000'000'000;

/// A layer of the model, from a depth (z) on down to the next one.
struct ModelLayer {
  double top = 0;  ///< in metres
  Medium medium;
};

struct Source {
  PerAxis<double> position;  ///< in metres
  Ricker wavelet;
};

struct Shot {
  std::string name;  ///< of the file, without its folder and ending
  std::string propagator;
  bool is_double = false;
  std::int64_t steps = 0;
  double cfl = 0;  ///< the time step over the largest stable one
  GridOptions grid;
  std::vector<ModelLayer> layers;  ///< by depth; the first begins at the top
  std::vector<Source> sources;
};

/// `overrides` replace keys, as in `--set grid=240x240x240`. Throws InputError about the first thing that is wrong: file, line, key, value.
Shot read_shot(std::string_view text, const std::string& file,
               const std::map<std::string, std::string>& overrides = {});

/// The model of the shot's layers.
std::unique_ptr<Model> make_model(const Shot& shot);

/// The fastest and the slowest wave of the model, in m/s: shear waves count where the propagator has them.
double fastest(const Shot& shot);
double slowest(const Shot& shot);

}  // namespace muster::seismic
