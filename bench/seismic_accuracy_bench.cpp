// How far waves are from the exact ones of a full space after 10 wavelengths, with few cells per wavelength: what order and time step that takes.
#include <algorithm>
#include <cstdio>
#include <thread>

#include "app/seismic/far_field_test_support.h"

namespace muster::seismic {
namespace {

constexpr double kMost = 0.01;  ///< relative L2

bool measure(const FarCase& of) {
  const FarSetup setup = setup_of(of);
  const Shot shot = read_shot(setup.text, "accuracy.toml");
  const int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const double error = far_error(of, shot, setup, threads);
  fmt::print(
      "{}, order {}, {} cells per wavelength at the peak frequency, cfl {}: {:.2f}% after {} wavelengths, {} steps\n",
      of.propagator, of.order, of.cells_per_wavelength, of.cfl, 100 * error, kWavelengths, shot.steps);
  std::fflush(stdout);  // the next one takes a while
  return error < kMost;
}

int run() {
  bool is_good = true;
  for (const FarCase& each : {FarCase{.propagator = "acoustic_iso_cd"}, FarCase{.propagator = "acoustic_iso"},
                              FarCase{.propagator = "elastic_iso"}}) {
    is_good &= measure(each);
  }
  return is_good ? 0 : 1;
}

}  // namespace
}  // namespace muster::seismic

int main() { return muster::seismic::run(); }
