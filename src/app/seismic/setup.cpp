#include "app/seismic/setup.h"

#include <algorithm>

#include "app/seismic/differences.h"
#include "app/seismic/halos.h"

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

/// The nodes of a column of cells along z, and the one behind the last. Behind the last node of an axis the medium goes on as it
/// is, or as at the other side.
class Column {
 public:
  Column(const Model& model, const GridOptions& options, bool has_stiffness)
      : model_(model), options_(options), has_stiffness_(has_stiffness) {}

  void read(std::int64_t x, std::int64_t y) {
    nodes_.resize(static_cast<std::size_t>(options_.extent.z) + 1);
    const Extent at{inside(Axis::x, x), inside(Axis::y, y), 0};
    for (std::int64_t z = 0; z <= options_.extent.z; ++z) {
      set(static_cast<std::size_t>(z), model_.at({at.x, at.y, inside(Axis::z, z)}));
    }
  }

  [[nodiscard]] const Node& operator[](std::int64_t z) const { return nodes_[static_cast<std::size_t>(z)]; }

 private:
  [[nodiscard]] std::int64_t inside(Axis axis, std::int64_t node) const {
    const std::int64_t extent = options_.extent[axis];
    if (node < extent) return node;
    return options_.sides[axis].high == Boundary::periodic ? 0 : extent - 1;
  }

  /// Most nodes have the medium of the one above: its stiffness is known.
  void set(std::size_t z, const Medium& medium) {
    if (z > 0 && nodes_[z - 1] == medium) {
      nodes_[z] = nodes_[z - 1];
      return;
    }
    static_cast<Medium&>(nodes_[z]) = medium;
    if (has_stiffness_) nodes_[z].stiffness = stiffness_of(medium);
  }

  const Model& model_;
  const GridOptions& options_;
  bool has_stiffness_;
  std::vector<Node> nodes_;
};

/// The columns around the cells of x, y: its own, and the next ones along x, y and both.
struct Columns {
  std::array<Column, 4> columns;

  Columns(const Model& model, const GridOptions& options, bool has_stiffness)
      : columns{Column(model, options, has_stiffness), Column(model, options, has_stiffness),
                Column(model, options, has_stiffness), Column(model, options, has_stiffness)} {}

  /// Writes the nodes around a location of cell z to `nodes`; returns how many.
  std::size_t around(std::int64_t z, Location location, std::array<const Node*, 8>& nodes) const {
    std::size_t count = 0;
    for (std::size_t column = 0; column < 4; ++column) {
      const bool is_next_x = (column & 1U) != 0;
      const bool is_next_y = (column & 2U) != 0;
      if ((is_next_x && !location.half_x) || (is_next_y && !location.half_y)) continue;
      nodes[count++] = &columns[column][z];
      if (location.half_z) nodes[count++] = &columns[column][z + 1];
    }
    return count;
  }
};

template <class Real>
void set_parameters(State<Real>& state, const Description& equation, const GridOptions& options, const Model& model) {
  for (std::size_t i = 0; i < equation.parameters.size(); ++i) state.parameters.emplace_back(state.layout);
  Columns around(model, options, equation.is_anisotropic);
  std::array<const Node*, 8> nodes{};
  for (std::int64_t x = 0; x < options.extent.x; ++x) {
    for (std::int64_t y = 0; y < options.extent.y; ++y) {
      for (std::int64_t c = 0; c < 4; ++c) around.columns[static_cast<std::size_t>(c)].read(x + c % 2, y + c / 2);
      for (std::size_t i = 0; i < equation.parameters.size(); ++i) {
        const Parameter& parameter = equation.parameters[i];
        Real* row = state.parameters[i].data() + state.layout.offset(x, y, 0);
        for (std::int64_t z = 0; z < options.extent.z; ++z) {
          const std::size_t count = around.around(z, parameter.location, nodes);
          row[z] = static_cast<Real>(parameter.value(std::span(nodes).first(count), options.time_step));
        }
      }
    }
  }
}

/// The sides without those that are not periodic.
PerAxis<Sides> periodic_only(const PerAxis<Sides>& sides) {
  constexpr Sides kZero{.low = Boundary::zero, .high = Boundary::zero};
  PerAxis<Sides> periodic;
  for (const Axis axis : kAxes) periodic[axis] = sides[axis].low == Boundary::periodic ? sides[axis] : kZero;
  return periodic;
}

LayerOptions layer_options(const Description& equation, const GridOptions& options) {
  LayerOptions layers = options.layers;
  layers.time_step = options.time_step;
  layers.reach = equation.has_second() ? options.order / 2 : 0;
  return layers;
}

MemoryLayout memory_layout(const Description& equation, const GridOptions& options) {
  return {options.extent, thickness_of(options.sides, layer_options(equation, options)), options.layers.ratio > 0,
          equation.has_second() ? options.order / 2 : 0};
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
  set_parameters(state, equation, options, model);
  // Derivatives of fields times parameters read these outside, too. Behind other sides the fields are 0.
  constexpr Read kAll{.along = {true, true, true}};
  for (std::size_t i = 0; i < equation.parameters.size(); ++i) {
    fill_halo(state.parameters[i], {"", equation.parameters[i].location}, kAll, periodic_only(options.sides));
  }
  const MemoryLayout memory = memory_layout(equation, options);
  state.slabs = memory.slabs;
  for (const ItemDescription& item : equation.items) {
    const bool is_mean = item.difference == Difference::mean;
    const bool is_second = item.difference == Difference::second;
    const std::int64_t size = memory.sizes[item.axis];
    state.memory.push_back({.psi = Array<Real>(is_mean ? 0 : size), .zeta = Array<Real>(is_second ? size : 0)});
  }
  return state;
}

std::int64_t state_bytes(const Description& equation, const GridOptions& options, std::size_t bytes_of_real) {
  const std::int64_t whole = Layout(options.extent, options.order / 2).size();
  std::int64_t values = whole * static_cast<std::int64_t>(equation.parameters.size());
  for (const Field& field : equation.fields) values += whole * std::max(field.time_order, 1);
  const MemoryLayout memory = memory_layout(equation, options);
  for (const ItemDescription& item : equation.items) {
    if (item.difference == Difference::mean) continue;
    values += memory.sizes[item.axis] * (item.difference == Difference::second ? 2 : 1);
  }
  return values * static_cast<std::int64_t>(bytes_of_real);
}

template State<float> make_state(const Description&, const GridOptions&, const Model&);
template State<double> make_state(const Description&, const GridOptions&, const Model&);

}  // namespace muster::seismic
