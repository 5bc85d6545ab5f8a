#include "app/seismic/injections.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "app/seismic/mirrors.h"

namespace muster::seismic {
namespace {

/// The sign of a field's image behind a mirror across an axis, also where no stencil reads it there: velocities of a fluid along the mirror
/// come from the pressure, and have its sign; stresses along it go on as they are.
int image_sign(const Description& equation, int field, Axis axis, Boundary side) {
  const Kind kind = equation.fields[static_cast<std::size_t>(field)].kind;
  if (equation.is_read_along(field, axis)) return mirror_sign(kind, side);
  return kind == Kind::velocity ? mirror_sign(Kind::stress, side) : 1;
}

/// Works out what a source at a position adds to.
struct Spreader {
  const Source& source;
  const Shot& shot;
  const Description& equation;
  PerAxis<double> position;

  [[nodiscard]] double cell_volume() const {
    const PerAxis<double>& h = shot.grid.spacing;
    return h.x * h.y * h.z;
  }

  /// A source next to a mirror is there with its image. In the mirror's plane they meet.
  [[nodiscard]] int with_image(int field, Axis axis, std::int64_t cell) const {
    if (equation.fields[static_cast<std::size_t>(field)].location.is_half(axis)) return 1;
    const Sides& sides = shot.grid.sides[axis];
    int factor = 1;
    if (mirrors(sides.low) && cell == 0) factor += image_sign(equation, field, axis, sides.low);
    if (mirrors(sides.high) && cell == shot.grid.extent[axis] - 1)
      factor += image_sign(equation, field, axis, sides.high);
    return factor;
  }

  /// Into a field, `strength` times what the time function says, spread over the nodes around the position.
  [[nodiscard]] Spread into(int field, double strength) const {
    Spread spread{.field = field, .weights = weights_at(shot.grid, position, equation, field)};
    for (NodeWeight& node : spread.weights) {
      node.weight *= strength / cell_volume();
      for (const Axis axis : kAxes) node.weight *= with_image(field, axis, node.cell[axis]);
    }
    return spread;
  }

  /// Where the equations are of first order, the wavelet's sum over time: eliminating the velocities gives the wavelet back.
  [[nodiscard]] SpreadSource pressure() const {
    SpreadSource spread{.spreads = {},
                        .time_function = equation.has_second() ? TimeFunction::product : TimeFunction::sum};
    for (const NamedShare& part : equation.pressure_source) {
      for (const int field : equation.fields_named(part.name)) {
        spread.spreads.push_back(into(field, source.pressure * shot.grid.time_step));
        for (NodeWeight& node : spread.spreads.back().weights) {
          const double velocity = shot.model->at(node.cell).vp;
          node.weight *= velocity * velocity;
        }
      }
    }
    return spread;
  }

  /// The density where a velocity lives: the mean of both nodes. On Lebedev's grid a cell has one for all its locations.
  [[nodiscard]] double density(const Extent& cell, Axis axis, bool is_yee) const {
    if (!is_yee) return shot.model->at(cell).rho;
    Extent next = cell;
    const std::int64_t last = shot.grid.extent[axis] - 1;
    const bool is_periodic = shot.grid.sides[axis].high == Boundary::periodic;
    next[axis] = cell[axis] < last ? cell[axis] + 1 : is_periodic ? 0 : last;
    return (shot.model->at(cell).rho + shot.model->at(next).rho) / 2;
  }

  [[nodiscard]] SpreadSource force() const {
    constexpr std::array<std::string_view, 3> kNames{"vx", "vy", "vz"};
    SpreadSource spread{.spreads = {}, .time_function = TimeFunction::value};
    for (const Axis axis : kAxes) {
      if (source.force[axis] == 0) continue;
      const std::vector<int> fields = equation.fields_named(kNames[index_of(axis)]);
      for (const int field : fields) {
        spread.spreads.push_back(into(field, source.force[axis] * shot.grid.time_step));
        for (NodeWeight& node : spread.spreads.back().weights) {
          node.weight /= density(node.cell, axis, fields.size() == 1);
        }
      }
    }
    return spread;
  }

  /// By how much the moment changes in a step; where the equation is of second order, by how much that changes.
  [[nodiscard]] SpreadSource moment() const {
    SpreadSource spread{.spreads = {},
                        .time_function = equation.has_second() ? TimeFunction::second_change : TimeFunction::change};
    if (equation.field("sxx") < 0) {  // a fluid takes explosions only
      for (const int field : equation.fields_named(equation.pressure_source.front().name)) {
        spread.spreads.push_back(into(field, -source.moment.front()));
      }
      return spread;
    }
    constexpr std::array<std::string_view, 6> kNames{"sxx", "syy", "szz", "syz", "sxz", "sxy"};
    for (std::size_t i = 0; i < kNames.size(); ++i) {
      if (source.moment[i] == 0) continue;
      for (const int field : equation.fields_named(kNames[i])) spread.spreads.push_back(into(field, -source.moment[i]));
    }
    return spread;
  }
};

}  // namespace

PerAxis<double> coordinates(const PerAxis<double>& metres, const GridOptions& grid) {
  return {metres.x / grid.spacing.x, metres.y / grid.spacing.y, metres.z / grid.spacing.z};
}

std::vector<NodeWeight> weights_at(const GridOptions& grid, const PerAxis<double>& metres, const Description& equation,
                                   int field) {
  const Field& of = equation.fields[static_cast<std::size_t>(field)];
  PerAxis<Continuation> behind;
  for (const Axis axis : kAxes) {
    const auto sign = [&](Boundary side) { return mirrors(side) ? image_sign(equation, field, axis, side) : 0; };
    const Sides& sides = grid.sides[axis];
    behind[axis] = {.is_periodic = sides.low == Boundary::periodic, .low = sign(sides.low), .high = sign(sides.high)};
  }
  return point_weights(coordinates(metres, grid), of.location, grid.extent, behind);
}

SpreadSource spread(const Source& source, const Shot& shot, const Description& equation, std::int64_t number) {
  const Spreader spreader{.source = source,
                          .shot = shot,
                          .equation = equation,
                          .position = moved(source.position, shot.repetition.source_increment, number)};
  switch (source.kind) {
    case Source::Kind::pressure:
      return spreader.pressure();
    case Source::Kind::force:
      return spreader.force();
    case Source::Kind::moment:
      break;
  }
  return spreader.moment();
}

std::vector<Injection> injections_of(const Source& source, const Shot& shot, const Description& equation,
                                     std::int64_t number) {
  SpreadSource of_source = spread(source, shot, equation, number);
  const double step = shot.grid.time_step;
  const auto wavelet = [&](std::int64_t n) { return source.wavelet.at(static_cast<double>(n) * step); };
  const std::vector<double> samples = samples_of(of_source.time_function, wavelet, shot.steps, step);
  std::vector<Injection> injections;
  for (Spread& into : of_source.spreads) {
    injections.push_back({.field = into.field, .weights = std::move(into.weights), .samples = samples});
  }
  return injections;
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
