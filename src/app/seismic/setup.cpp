#include "app/seismic/setup.h"

#include <algorithm>

#include "app/seismic/differences.h"

namespace muster::seismic {
namespace {

template <class Real>
AxisView<Real> weights_of(int order, double spacing) {
  AxisView<Real> weights;
  const std::vector<double> staggered = staggered_weights(order);
  const std::vector<double> central = central_weights(order);
  double sum = 0;
  for (std::size_t m = 0; m < central.size(); ++m) {
    weights.staggered[m] = static_cast<Real>(staggered[m] / spacing);
    weights.central[m] = static_cast<Real>(central[m] / (spacing * spacing));
    sum += central[m];
  }
  weights.central_middle = static_cast<Real>(-2 * sum / (spacing * spacing));
  return weights;
}

/// The nodes around a location of a cell: the cell's own, and the next one along each axis that is half-way. Behind the last node
/// the medium goes on as it is, or as at the other side.
std::vector<Medium> nodes_around(const Model& model, const GridOptions& options, const Extent& cell,
                                 Location location) {
  std::vector<Extent> nodes{cell};
  for (const Axis axis : kAxes) {
    if (!location.is_half(axis)) continue;
    const std::size_t count = nodes.size();
    for (std::size_t i = 0; i < count; ++i) {
      Extent next = nodes[i];
      const bool is_last = ++next[axis] == options.extent[axis];
      if (is_last) next[axis] = options.sides[axis].high == Boundary::periodic ? 0 : options.extent[axis] - 1;
      nodes.push_back(next);
    }
  }
  std::vector<Medium> media;
  for (const Extent& node : nodes) media.push_back(model.at(node));
  return media;
}

template <class Real>
Volume<Real> parameter_volume(const Parameter& parameter, const Layout& layout, const GridOptions& options,
                              const Model& model) {
  Volume<Real> volume(layout);
  const Extent& extent = options.extent;
  for (std::int64_t x = 0; x < extent.x; ++x) {
    for (std::int64_t y = 0; y < extent.y; ++y) {
      for (std::int64_t z = 0; z < extent.z; ++z) {
        const std::vector<Medium> nodes = nodes_around(model, options, {x, y, z}, parameter.location);
        volume.at(x, y, z) = static_cast<Real>(parameter.value(nodes, options.time_step));
      }
    }
  }
  return volume;
}

LayerOptions layer_options(const Description& equation, const GridOptions& options) {
  LayerOptions layers = options.layers;
  layers.time_step = options.time_step;
  layers.reach = equation.has_second() ? options.order / 2 : 0;
  return layers;
}

/// The layout of a derivative's memory, or an empty one: the axis has no CPML.
Layout memory_layout(const GridOptions& options, Axis axis, const Thickness& layer) {
  if (!layer.any()) return {};
  const std::int64_t radius = options.order / 2;
  Extent extent = options.extent;
  extent[axis] = layer.low + 2 * radius + layer.high;
  return {extent, radius};
}

}  // namespace

template <class Real>
State<Real> make_state(const Description& equation, const GridOptions& options, const Model& model) {
  State<Real> state;
  state.radius = options.order / 2;
  state.layout = Layout(options.extent, state.radius);
  for (const Axis axis : kAxes) state.weights[axis] = weights_of<Real>(options.order, options.spacing[axis]);
  state.layers = make_layers<Real>(options.extent, options.spacing, options.sides, layer_options(equation, options));
  for (const Field& field : equation.fields) {
    state.fields.emplace_back(state.layout);
    state.before.push_back(field.time_order == 2 ? Volume<Real>(state.layout) : Volume<Real>());
  }
  for (const Parameter& parameter : equation.parameters) {
    state.parameters.push_back(parameter_volume<Real>(parameter, state.layout, options, model));
  }
  for (const DerivativeDescription& derivative : equation.derivatives) {
    const Layout layout = memory_layout(options, derivative.axis, state.layers.cpml[derivative.axis]);
    Memory<Real> memory{.psi = Volume<Real>(layout), .zeta = {}};
    if (derivative.is_second) memory.zeta = Volume<Real>(layout);
    state.memory.push_back(std::move(memory));
  }
  return state;
}

std::int64_t state_bytes(const Description& equation, const GridOptions& options, std::size_t bytes_of_real) {
  const std::int64_t whole = Layout(options.extent, options.order / 2).size();
  const std::int64_t reached = layer_options(equation, options).reach + options.layers.cells;
  std::int64_t values = whole * static_cast<std::int64_t>(equation.parameters.size());
  for (const Field& field : equation.fields) values += whole * field.time_order;
  for (const DerivativeDescription& derivative : equation.derivatives) {
    const Sides& sides = options.sides[derivative.axis];
    const Thickness layer{.low = sides.low == Boundary::cpml ? reached : 0,
                          .high = sides.high == Boundary::cpml ? reached : 0};
    values += memory_layout(options, derivative.axis, layer).size() * (derivative.is_second ? 2 : 1);
  }
  return values * static_cast<std::int64_t>(bytes_of_real);
}

template State<float> make_state(const Description&, const GridOptions&, const Model&);
template State<double> make_state(const Description&, const GridOptions&, const Model&);

}  // namespace muster::seismic
