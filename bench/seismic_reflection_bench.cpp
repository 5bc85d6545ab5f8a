// What absorbing layers reflect: the difference from a grid so large that nothing comes back in time.
#include <fmt/format.h>

#include "app/seismic/media.h"
#include "app/seismic/reflection_test_support.h"
#include "app/seismic/waves.h"

namespace muster::seismic {
namespace {

double anisotropic_reflection(std::string_view propagator) {
  TestCase test = test_case(propagator, {}, {});
  test.medium = {
      .vp = 3000, .vs = 1700, .rho = 2, .epsilon = 0.2, .delta = 0.1, .gamma = 0.1, .theta = 0.7, .phi = 0.5};
  const bool is_acoustic = becomes_elliptical(propagator);
  const Waves waves = waves_of(is_acoustic ? acoustic_stiffness_of(test.medium) : stiffness_of(test.medium), 2);
  test.grid.layers.velocity = waves.fastest;
  test.grid.layers.ratio = layer_ratio(*constant_model(test.medium), {1, 1, 1}, propagator);
  test.grid.layers.transition = is_acoustic ? kLayer / 2 : 0;
  test.grid.layers.frequency = 12;
  test.cfl = 0.8 * 3000 / waves.fastest;
  return reflection_of(test, 25, 200);
}

/// The goals: CPML below -60 dB, multiaxial layers below -35 dB.
int run() {
  bool is_good = true;
  for (const std::string& name : propagator_names()) {
    const bool is_anisotropic = describe_propagator(name).is_anisotropic;
    const double decibels = is_anisotropic ? anisotropic_reflection(name) : isotropic_reflection(name, 45, 260);
    const double goal = is_anisotropic ? -35 : -60;
    fmt::print("{:20} {:6.1f} dB, goal {} dB{}\n", name, decibels, goal, decibels < goal ? "" : ": missed");
    is_good &= decibels < goal;
  }
  return is_good ? 0 : 1;
}

}  // namespace
}  // namespace muster::seismic

int main() { return muster::seismic::run(); }
