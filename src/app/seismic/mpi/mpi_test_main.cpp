// Runs under mpiexec: the parts of a grid have the bits of the whole. Every process computes both, and compares its part.
#include <algorithm>
#include <bit>
#include <cstdio>

#include "app/seismic/mpi/mpi_processes.h"
#include "app/seismic/propagators.h"
#include "app/seismic/seismic_test_support.h"

namespace muster::seismic {
namespace {

Boundary any_boundary(Random& random, const Description& equation) {
  constexpr std::array kAll{Boundary::cpml, Boundary::damping, Boundary::zero, Boundary::rigid, Boundary::free_surface};
  const std::size_t count = kAll.size() - (equation.has_products ? 2U : equation.is_anisotropic ? 1U : 0U);
  return kAll[random.below(count)];
}

/// A grid of odd sizes that all processes can share.
TestCase any_case(const std::string& name, Random& random, int processes) {
  const int order = 2 * static_cast<int>(1 + random.below(4));
  const int along = std::min(processes, 3);  // six are three by two
  Extent extent;
  for (const Axis axis : kAxes) {
    extent[axis] = static_cast<std::int64_t>(along * (order / 2 + 1) + 12 + random.below(9));
  }
  TestCase test = test_case(name, extent, {}, order);
  test.cfl = 0.4;
  test.grid.layers.cells = static_cast<std::int64_t>(1 + random.below(4));
  const Description equation = describe_propagator(name);
  if (equation.is_anisotropic && random.below(2) == 0) test.grid.layers.ratio = 0.3;
  for (const Axis axis : kAxes) {
    const bool is_periodic = random.below(3) == 0;
    test.grid.sides[axis] =
        is_periodic ? kPeriodic : Sides{.low = any_boundary(random, equation), .high = any_boundary(random, equation)};
  }
  return test;
}

/// An explosion off the grid, near the middle, where parts meet.
template <class Real>
void add_source(Simulation<Real>& simulation, const GridOptions& grid) {
  const PerAxis<double> middle{static_cast<double>(grid.extent.x) / 2 + 0.3,
                               static_cast<double>(grid.extent.y) / 2 - 0.2,
                               static_cast<double>(grid.extent.z) / 2 + 0.4};
  Injection source{.field = 0,
                   .weights = point_weights(middle, simulation.equation().fields[0].location, grid.extent, {}),
                   .samples = {0.5, -1, 2, 1}};
  simulation.add(source);
}

template <class Real>
double receive(Simulation<Real>& simulation, std::size_t points) {
  double value = 0;
  simulation.engine().gather(points, std::span(&value, 1));
  return value;
}

template <class Real>
bool is_equal(const Simulation<Real>& whole, const Simulation<Real>& parts, const TestCase& test) {
  const Part& part = parts.part();
  using Bits = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;
  const Extent extent = part.extent();
  const Extent& from = part.cells.first;
  for (std::size_t f = 0; f < whole.state().fields.size(); ++f) {
    for (std::int64_t x = 0; x < extent.x; ++x) {
      for (std::int64_t y = 0; y < extent.y; ++y) {
        for (std::int64_t z = 0; z < extent.z; ++z) {
          const Real expected = whole.state().fields[f].at(from.x + x, from.y + y, from.z + z);
          const Real found = parts.state().fields[f].at(x, y, z);
          if (std::bit_cast<Bits>(expected) == std::bit_cast<Bits>(found)) continue;
          const std::string_view name = whole.equation().fields[f].name;
          std::printf("%s: %.*s differs at cell %lld,%lld,%lld\n", std::string(test.propagator).c_str(),
                      static_cast<int>(name.size()), name.data(), static_cast<long long>(from.x + x),
                      static_cast<long long>(from.y + y), static_cast<long long>(from.z + z));
          return false;
        }
      }
    }
  }
  return true;
}

constexpr int kSteps = 12;

/// Whether the messages of a run are those that exchanges_of() counts.
template <class Real>
bool has_sent_as_counted(Processes& processes, const Traffic& before, const TestCase& test) {
  const Part part = part_of(test.grid, {.kind = Target::Kind::mpi, .threads = 1, .processes = &processes});
  const Traffic step = sum_of(exchanges_of(describe_propagator(test.propagator), test.grid, part, sizeof(Real)));
  const Traffic found = processes.sent();
  const bool is_good =
      found.bytes - before.bytes == kSteps * step.bytes && found.messages - before.messages == kSteps * step.messages;
  if (!is_good) std::printf("%s: sent other than what was counted\n", std::string(test.propagator).c_str());
  return is_good;
}

template <class Real>
bool compare(Processes& processes, const std::string& propagator, std::uint64_t seed) {
  Random random(seed);
  TestCase test = any_case(propagator, random, processes.count());
  const Description equation = describe_propagator(test.propagator);
  test.grid.time_step = test.cfl * stable_limit(equation, test.grid) / test.medium.vp;
  const RandomModel model(seed);
  const Target target = cpu(1);
  Simulation<Real> whole = make_simulation<Real>(test.propagator, test.grid, model, target);
  const Target shared{.kind = Target::Kind::mpi, .threads = 1, .processes = &processes};
  Simulation<Real> parts = make_simulation<Real>(test.propagator, test.grid, model, shared);
  const Traffic sent_before = processes.sent();
  const Points receiver{.field = 0,
                        .points = {point_weights({9.3, 8.6, 10.1}, equation.fields[0].location, test.grid.extent, {})}};
  const std::size_t of_whole = whole.engine().add(receiver);
  const std::size_t of_parts = parts.engine().add(receiver);
  add_source(whole, test.grid);
  add_source(parts, test.grid);
  bool is_good = true;
  for (int step = 0; step < kSteps; ++step) {
    whole.step();
    parts.step();
    const double expected = receive(whole, of_whole);
    const double found = receive(parts, of_parts);
    if (expected != found) std::printf("seed %llu: a trace differs\n", static_cast<unsigned long long>(seed));
    is_good &= expected == found;
  }
  return is_good && has_sent_as_counted<Real>(processes, sent_before, test) && is_equal(whole, parts, test);
}

int run() {
  const std::unique_ptr<Processes> mpi = mpi_processes();
  Processes& processes = *mpi;
  std::uint64_t failures = 0;
  std::uint64_t seed = 0;
  for (const std::string& propagator : propagator_names()) {
    if (!compare<float>(processes, propagator, ++seed)) ++failures;
    if (!kIsSanitized && !compare<double>(processes, propagator, 100 + seed)) ++failures;
  }
  processes.sum(std::span(&failures, 1));
  if (processes.is_first()) {
    std::printf("%d processes: %llu cases fail\n", processes.count(), static_cast<unsigned long long>(failures));
  }
  return failures == 0 ? 0 : 1;
}

}  // namespace
}  // namespace muster::seismic

int main() { return muster::seismic::run(); }
