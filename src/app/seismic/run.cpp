#include "app/seismic/run.h"

#include <bit>
#include <chrono>
#include <cmath>

#include "app/seismic/simulation.h"
#include "base/error.h"
#include "base/random.h"

namespace muster::seismic {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kStepsBetweenChecks = 100;

/// In cells, from node 0.
PerAxis<double> coordinates(const PerAxis<double>& metres, const GridOptions& grid) {
  return {metres.x / grid.spacing.x, metres.y / grid.spacing.y, metres.z / grid.spacing.z};
}

std::vector<NodeWeight> weights_at(const Shot& shot, const PerAxis<double>& metres, const Field& field) {
  PerAxis<bool> is_periodic;
  for (const Axis axis : kAxes) is_periodic[axis] = shot.grid.sides[axis].low == Boundary::periodic;
  return point_weights(coordinates(metres, shot.grid), field.location, shot.grid.extent, is_periodic);
}

/// A source of pressure: in a medium of constant density, p = s(t - r/c) / (4 pi r). A first-order system takes the integral of s, half
/// a step later.
void add_source(const Shot& shot, const Source& source, const Model& model, auto& simulation) {
  const Description& equation = simulation.equation();
  const double step = shot.grid.time_step;
  const PerAxis<double>& h = shot.grid.spacing;
  std::vector<double> samples;
  for (std::int64_t n = 0; n < shot.steps; ++n) {
    const auto at = static_cast<double>(n);
    samples.push_back(equation.has_second() ? source.wavelet.at(at * step)
                                            : source.wavelet.integral((at + 0.5) * step));
  }
  for (const std::string_view name : {"p", "sxx", "syy", "szz"}) {
    const int field = equation.field(name);
    if (field < 0) continue;
    Injection injection{.field = field,
                        .weights = weights_at(shot, source.position, equation.fields[static_cast<std::size_t>(field)]),
                        .samples = samples};
    for (NodeWeight& node : injection.weights) {
      const double velocity = model.at(node.cell).vp;
      node.weight *= velocity * velocity * step * (equation.has_second() ? step : 1) / (h.x * h.y * h.z);
    }
    simulation.add(std::move(injection));
  }
}

/// Over the cells of one field, in their order.
template <class Real, class Visit>
void for_each_value(const Volume<Real>& field, const Visit& visit) {
  const Extent& extent = field.layout().extent();
  for (std::int64_t x = 0; x < extent.x; ++x) {
    for (std::int64_t y = 0; y < extent.y; ++y) {
      for (std::int64_t z = 0; z < extent.z; ++z) visit(field.at(x, y, z), Extent{x, y, z});
    }
  }
}

template <class Real>
void check_finite(const Simulation<Real>& simulation) {
  for (std::size_t f = 0; f < simulation.state().fields.size(); ++f) {
    for_each_value(simulation.state().fields[f], [&](Real value, const Extent& cell) {
      if (std::isfinite(value)) return;
      answer_no("step {}: {} is {} at cell {},{},{}", simulation.steps(), simulation.equation().fields[f].name, value,
                cell.x, cell.y, cell.z);
    });
  }
}

/// A hash of the bits of all fields' cells, in the order x, y, z (fastest), one field after another.
template <class Real>
std::string checksum_of(const Simulation<Real>& simulation) {
  using Bits = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;
  std::uint64_t hash = 0;
  for (const Volume<Real>& field : simulation.state().fields) {
    for_each_value(field, [&](Real value, const Extent&) { hash = random_bits(hash, std::bit_cast<Bits>(value)); });
  }
  return fmt::format("{:016x}", hash);
}

template <class Real>
void describe_field(const Volume<Real>& field, WavefieldAnswer& answer) {
  answer.least = answer.most = static_cast<double>(field.at(0, 0, 0));
  double squares = 0;
  for_each_value(field, [&](Real value, const Extent&) {
    const auto number = static_cast<double>(value);
    answer.least = std::min(answer.least, number);
    answer.most = std::max(answer.most, number);
    squares += number * number;
  });
  answer.norm = std::sqrt(squares);
}

WavefieldAnswer answer_of(const Shot& shot, const Target& target) {
  const Extent& extent = shot.grid.extent;
  WavefieldAnswer answer;
  answer.shot = shot.name;
  answer.propagator = shot.propagator;
  answer.target = target.kind == Target::Kind::reference ? "reference" : "cpu";
  answer.grid = {extent.x, extent.y, extent.z};
  answer.precision = shot.is_double ? "f64" : "f32";
  answer.steps = shot.steps;
  answer.time_step = Seconds(shot.grid.time_step);
  answer.cfl = shot.cfl;
  for (const Source& source : shot.sources) {
    const double points = slowest(shot) / (source.wavelet.frequency * shot.grid.spacing.x);
    const bool is_least = answer.points_per_wavelength == 0 || points < answer.points_per_wavelength;
    if (is_least) answer.points_per_wavelength = points;
  }
  answer.memory = Bytes(state_bytes(describe_propagator(shot.propagator), shot.grid, whole_of(shot.grid),
                                    shot.is_double ? sizeof(double) : sizeof(float)));
  answer.threads = target.threads;
  return answer;
}

template <class Real>
WavefieldAnswer run_with(const Shot& shot, const Target& target, const std::function<void(double)>& progress) {
  const Clock::time_point start = Clock::now();
  const std::unique_ptr<Model> model = make_model(shot);
  Simulation<Real> simulation = make_simulation<Real>(shot.propagator, shot.grid, *model, target);
  for (const Source& source : shot.sources) add_source(shot, source, *model, simulation);
  Clock::duration in_kernels{};
  while (simulation.steps() < shot.steps) {
    const Clock::time_point before = Clock::now();
    simulation.step();
    in_kernels += Clock::now() - before;
    if (simulation.steps() % kStepsBetweenChecks == 0) check_finite(simulation);
    if (progress) progress(static_cast<double>(simulation.steps()) / static_cast<double>(shot.steps));
  }
  check_finite(simulation);
  WavefieldAnswer answer = answer_of(shot, target);
  describe_field(simulation.state().fields.front(), answer);
  answer.checksum = checksum_of(simulation);
  answer.kernels = Seconds(std::chrono::duration<double>(in_kernels).count());
  answer.total = Seconds(std::chrono::duration<double>(Clock::now() - start).count());
  answer.cells_per_second =
      static_cast<double>(cells_of(shot.grid.extent)) * static_cast<double>(shot.steps) / answer.kernels.value();
  return answer;
}

}  // namespace

WavefieldAnswer run(const Shot& shot, const Target& target, const std::function<void(double)>& progress) {
  return shot.is_double ? run_with<double>(shot, target, progress) : run_with<float>(shot, target, progress);
}

}  // namespace muster::seismic
