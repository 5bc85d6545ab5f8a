#include "app/seismic/setup.h"

#include <algorithm>

#include "app/seismic/differences.h"
#include "app/seismic/elliptical.h"

namespace muster::seismic {
namespace {

template <class Real>
AxisView<Real> weights_of(const GridOptions& options, double spacing) {
  AxisView<Real> weights;
  const std::vector<double> staggered = staggered_weights(options.order, options.weights);
  const std::vector<double> central = central_weights(options.order, options.weights);
  double sum = 0;
  for (std::size_t m = 0; m < central.size(); ++m) {
    weights.staggered[m] = static_cast<Real>(staggered[m] / spacing);
    weights.central[m] = static_cast<Real>(central[m] / (spacing * spacing));
    sum += central[m];
  }
  weights.central_middle = static_cast<Real>(-2 * sum / (spacing * spacing));
  return weights;
}

/// The nodes of a column of a part's cells along z, with a halo and the one behind the last. Outside the grid the medium goes on as
/// it is at its side, or as at the other side.
class Column {
 public:
  Column(const Model& model, const GridOptions& options, const Part& part, const Description& equation)
      : model_(model),
        options_(options),
        cells_(part.cells),
        has_stiffness_(equation.is_anisotropic),
        halo_(equation.has_products ? options.order / 2 : 0) {}

  /// Cells around the part of which parameters are read, too.
  [[nodiscard]] std::int64_t halo() const { return halo_; }

  /// x, y: of the part.
  void read(std::int64_t x, std::int64_t y) {
    const std::int64_t count = cells_.last.z - cells_.first.z + 1 + 2 * halo_;
    nodes_.resize(static_cast<std::size_t>(count));
    const Extent at{inside(Axis::x, cells_.first.x + x), inside(Axis::y, cells_.first.y + y), 0};
    for (std::int64_t i = 0; i < count; ++i) {
      const Extent node{at.x, at.y, inside(Axis::z, cells_.first.z + i - halo_)};
      set(static_cast<std::size_t>(i), elliptical_in_layers(model_.at(node), node, options_));
    }
  }

  [[nodiscard]] const Node& operator[](std::int64_t z) const { return nodes_[static_cast<std::size_t>(z + halo_)]; }

 private:
  [[nodiscard]] std::int64_t inside(Axis axis, std::int64_t node) const {
    const std::int64_t extent = options_.extent[axis];
    const bool is_periodic = options_.sides[axis].high == Boundary::periodic;
    return is_periodic ? (node + extent) % extent : std::clamp<std::int64_t>(node, 0, extent - 1);
  }

  /// Most nodes have the medium of the one above: its stiffness is known.
  void set(std::size_t z, const Medium& medium) {
    static_cast<Medium&>(nodes_[z]) = medium;
    if (!has_stiffness_) return;
    nodes_[z].stiffness = z > 0 && nodes_[z - 1] == medium ? nodes_[z - 1].stiffness : stiffness_of(medium);
  }

  const Model& model_;
  const GridOptions& options_;
  Box cells_;
  bool has_stiffness_;
  std::int64_t halo_;
  std::vector<Node> nodes_;
};

/// The columns around the cells of x, y: its own, and the next ones along x, y and both.
struct Columns {
  std::array<Column, 4> columns;

  explicit Columns(const Column& empty) : columns{empty, empty, empty, empty} {}

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

/// Which of the columns around a cell the parameters need.
std::array<bool, 4> columns_read(const Description& equation) {
  std::array<bool, 4> is_read{true, false, false, false};
  for (const Parameter& parameter : equation.parameters) {
    is_read[1] |= parameter.location.half_x;
    is_read[2] |= parameter.location.half_y;
    is_read[3] |= parameter.location.half_x && parameter.location.half_y;
  }
  return is_read;
}

template <class Real>
void set_parameters(State<Real>& state, const Description& equation, double time_step, const Column& column) {
  for (std::size_t i = 0; i < equation.parameters.size(); ++i) state.parameters.emplace_back(state.layout);
  Columns around(column);
  const std::array<bool, 4> is_read = columns_read(equation);
  const Extent& extent = state.layout.extent();
  std::array<const Node*, 8> nodes{};
  const std::int64_t halo = column.halo();
  for (std::int64_t x = -halo; x < extent.x + halo; ++x) {
    for (std::int64_t y = -halo; y < extent.y + halo; ++y) {
      for (std::int64_t c = 0; c < 4; ++c) {
        const auto number = static_cast<std::size_t>(c);
        if (is_read[number]) around.columns[number].read(x + c % 2, y + c / 2);
      }
      for (std::size_t i = 0; i < equation.parameters.size(); ++i) {
        const Parameter& parameter = equation.parameters[i];
        Real* row = state.parameters[i].data() + state.layout.offset(x, y, 0);
        for (std::int64_t z = -halo; z < extent.z + halo; ++z) {
          const std::size_t count = around.around(z, parameter.location, nodes);
          row[z] = static_cast<Real>(parameter.value(std::span(nodes).first(count), time_step));
        }
      }
    }
  }
}

LayerOptions layer_options(const Description& equation, const GridOptions& options) {
  LayerOptions layers = options.layers;
  layers.time_step = options.time_step;
  layers.reach = equation.has_second() ? options.order / 2 : 0;
  return layers;
}

MemoryLayout memory_layout(const Description& equation, const GridOptions& options, const Part& part) {
  PerAxis<Thickness> layers = thickness_of(options.sides, layer_options(equation, options));
  for (const Axis axis : kAxes) {
    layers[axis] = cut(layers[axis], options.extent[axis], part.cells.first[axis], part.cells.last[axis]);
  }
  return {part.extent(), layers, options.layers.ratio > 0, equation.has_second() ? options.order / 2 : 0};
}

}  // namespace

template <class Real>
State<Real> make_state(const Description& equation, const GridOptions& options, const Part& part, const Model& model) {
  State<Real> state;
  state.radius = options.order / 2;
  state.layout = Layout(part.extent(), state.radius);
  for (const Axis axis : kAxes) state.weights[axis] = weights_of<Real>(options, options.spacing[axis]);
  state.layers =
      cut(make_layers<Real>(options.extent, options.spacing, options.sides, layer_options(equation, options)),
          options.extent, part.cells);
  for (const Field& field : equation.fields) {
    state.fields.emplace_back(state.layout);
    state.before.push_back(field.time_order == 2 ? Volume<Real>(state.layout) : Volume<Real>());
  }
  set_parameters(state, equation, options.time_step, Column(model, options, part, equation));
  const MemoryLayout memory = memory_layout(equation, options, part);
  state.slabs = memory.slabs;
  for (const ItemDescription& item : equation.items) {
    const bool is_mean = item.difference == Difference::mean;
    const bool is_second = item.difference == Difference::second;
    const std::int64_t size = memory.sizes[item.axis];
    state.memory.push_back({.psi = Array<Real>(is_mean ? 0 : size), .zeta = Array<Real>(is_second ? size : 0)});
  }
  return state;
}

PerAxis<Thickness> layer_thickness(const Description& equation, const GridOptions& options) {
  return thickness_of(options.sides, layer_options(equation, options));
}

double layer_share(const GridOptions& options) {
  double inner = 1;
  for (const Axis axis : kAxes) {
    const std::int64_t layers =
        static_cast<int>(absorbs(options.sides[axis].low)) + static_cast<int>(absorbs(options.sides[axis].high));
    const auto cells = static_cast<double>(options.extent[axis]);
    inner *= (cells - static_cast<double>(layers * options.layers.cells)) / cells;
  }
  return 1 - inner;
}

std::int64_t state_bytes(const Description& equation, const GridOptions& options, const Part& part,
                         std::size_t bytes_of_real) {
  const std::int64_t whole = Layout(part.extent(), options.order / 2).size();
  std::int64_t values = whole * static_cast<std::int64_t>(equation.parameters.size());
  for (const Field& field : equation.fields) values += whole * std::max(field.time_order, 1);
  const MemoryLayout memory = memory_layout(equation, options, part);
  for (const ItemDescription& item : equation.items) {
    if (item.difference == Difference::mean) continue;
    values += memory.sizes[item.axis] * (item.difference == Difference::second ? 2 : 1);
  }
  return values * static_cast<std::int64_t>(bytes_of_real);
}

template State<float> make_state(const Description&, const GridOptions&, const Part&, const Model&);
template State<double> make_state(const Description&, const GridOptions&, const Part&, const Model&);

}  // namespace muster::seismic
