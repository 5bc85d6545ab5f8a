#include "app/seismic/injections.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace muster::seismic {
namespace {

struct Injector {
  const Source& source;
  const Shot& shot;
  const Description& equation;
  PerAxis<double> position;

  [[nodiscard]] double wavelet(std::int64_t step) const {
    return source.wavelet.at(static_cast<double>(step) * shot.grid.time_step);
  }
  [[nodiscard]] double cell_volume() const {
    const PerAxis<double>& h = shot.grid.spacing;
    return h.x * h.y * h.z;
  }

  /// Into a field, `strength` times the samples, spread over the nodes around the position.
  [[nodiscard]] Injection into(int field, double strength, std::vector<double> samples) const {
    const Location location = equation.fields[static_cast<std::size_t>(field)].location;
    Injection injection{
        .field = field, .weights = weights_at(shot.grid, position, location), .samples = std::move(samples)};
    for (NodeWeight& node : injection.weights) node.weight *= strength / cell_volume();
    return injection;
  }

  /// The wavelet, or its sum over time where the equations are of first order: eliminating the velocities gives the wavelet back.
  [[nodiscard]] std::vector<double> pressure_samples() const {
    const double step = shot.grid.time_step;
    std::vector<double> samples;
    double sum = 0;
    for (std::int64_t n = 0; n < shot.steps; ++n) {
      sum += wavelet(n) * step;
      samples.push_back(equation.has_second() ? wavelet(n) * step : sum);
    }
    return samples;
  }

  [[nodiscard]] std::vector<Injection> pressure() const {
    std::vector<Injection> injections;
    for (const NamedShare& part : equation.pressure_source) {
      for (const int field : equation.fields_named(part.name)) {
        Injection injection = into(field, source.pressure * shot.grid.time_step, pressure_samples());
        for (NodeWeight& node : injection.weights) {
          const double velocity = shot.model->at(node.cell).vp;
          node.weight *= velocity * velocity;
        }
        injections.push_back(std::move(injection));
      }
    }
    return injections;
  }

  /// The density where a velocity lives: the mean of both nodes. On Lebedev's grid a cell has one for all its locations.
  [[nodiscard]] double density(const Extent& cell, Axis axis, bool is_yee) const {
    if (!is_yee) return shot.model->at(cell).rho;
    Extent next = cell;
    next[axis] = std::min(cell[axis] + 1, shot.grid.extent[axis] - 1);
    return (shot.model->at(cell).rho + shot.model->at(next).rho) / 2;
  }

  [[nodiscard]] std::vector<Injection> force() const {
    constexpr std::array<std::string_view, 3> kNames{"vx", "vy", "vz"};
    std::vector<double> samples;
    for (std::int64_t n = 0; n < shot.steps; ++n) samples.push_back(wavelet(n));
    std::vector<Injection> injections;
    for (const Axis axis : kAxes) {
      if (source.force[axis] == 0) continue;
      const std::vector<int> fields = equation.fields_named(kNames[index_of(axis)]);
      for (const int field : fields) {
        Injection injection = into(field, source.force[axis] * shot.grid.time_step, samples);
        for (NodeWeight& node : injection.weights) node.weight /= density(node.cell, axis, fields.size() == 1);
        injections.push_back(std::move(injection));
      }
    }
    return injections;
  }

  /// By how much the moment changes in a step; where the equation is of second order, by how much that changes.
  [[nodiscard]] std::vector<double> moment_samples() const {
    std::vector<double> samples;
    for (std::int64_t n = 0; n < shot.steps; ++n) {
      const double change = wavelet(n + 1) - wavelet(n);
      samples.push_back(equation.has_second() ? change - (wavelet(n) - wavelet(n - 1)) : change);
    }
    return samples;
  }

  [[nodiscard]] std::vector<Injection> moment() const {
    std::vector<Injection> injections;
    if (equation.field("sxx") < 0) {  // a fluid takes explosions only
      for (const int field : equation.fields_named(equation.pressure_source.front().name)) {
        injections.push_back(into(field, -source.moment.front(), moment_samples()));
      }
      return injections;
    }
    constexpr std::array<std::string_view, 6> kNames{"sxx", "syy", "szz", "syz", "sxz", "sxy"};
    for (std::size_t i = 0; i < kNames.size(); ++i) {
      if (source.moment[i] == 0) continue;
      for (const int field : equation.fields_named(kNames[i])) {
        injections.push_back(into(field, -source.moment[i], moment_samples()));
      }
    }
    return injections;
  }
};

}  // namespace

PerAxis<double> coordinates(const PerAxis<double>& metres, const GridOptions& grid) {
  return {metres.x / grid.spacing.x, metres.y / grid.spacing.y, metres.z / grid.spacing.z};
}

std::vector<NodeWeight> weights_at(const GridOptions& grid, const PerAxis<double>& metres, Location location) {
  PerAxis<bool> is_periodic;
  for (const Axis axis : kAxes) is_periodic[axis] = grid.sides[axis].low == Boundary::periodic;
  return point_weights(coordinates(metres, grid), location, grid.extent, is_periodic);
}

std::vector<Injection> injections_of(const Source& source, const Shot& shot, const Description& equation,
                                     std::int64_t number) {
  const Injector injector{.source = source,
                          .shot = shot,
                          .equation = equation,
                          .position = moved(source.position, shot.repetition.source_increment, number)};
  switch (source.kind) {
    case Source::Kind::pressure:
      return injector.pressure();
    case Source::Kind::force:
      return injector.force();
    case Source::Kind::moment:
      break;
  }
  return injector.moment();
}

std::int64_t injection_bytes(const Shot& shot, const Description& equation) {
  std::int64_t fields = 0;
  for (const Source& source : shot.sources) {
    const bool is_scalar = equation.field("sxx") < 0 && source.kind != Source::Kind::force;
    const auto copies = static_cast<std::int64_t>(equation.fields_named(equation.fields.front().name).size());
    fields += copies * (is_scalar ? 1 : source.kind == Source::Kind::moment ? 6 : 3);
  }
  return fields * shot.steps * static_cast<std::int64_t>(sizeof(double));
}

}  // namespace muster::seismic
