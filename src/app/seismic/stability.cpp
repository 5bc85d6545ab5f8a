#include "app/seismic/stability.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "app/seismic/differences.h"
#include "app/seismic/media.h"

// Leapfrog is stable while time step^2 * |A|^2 <= 4, where A leads from stresses to velocities in units in which both count as energy:
// a_ij = sqrt(B_i) d_ij sqrt(K_j), with the stiffness K at nodes and the buoyancy B between them. |A|^2 is at most the sum of its axes', and by
// Schur's test each of those is at most R C, where for any positive p and q, R is the largest of sum_j |a_ij| q_j / p_i and C that of
// sum_i |a_ij| p_i / q_j. With m for the mean under the weights' absolute values, over what a difference reads:
//
//   p = sqrt(B), q = 1/sqrt(K):      K m(B)
//   p = 1/sqrt(B), q = sqrt(K):      B m(K)
//   p = q = 1:                       sqrt(K) m(sqrt(B)), times sqrt(B) m(sqrt(K))
//
// in units of the limit for velocity 1. All three hold, so the least of them does.

namespace muster::seismic {
namespace {

using Values = std::vector<double>;

/// Where a velocity finds its density.
enum class Buoyancy : unsigned char { between_nodes, of_node_behind, of_node_ahead };

/// On Lebedev's grid all parameters are those of a cell, and stress may lie on either side of velocity.
std::vector<Buoyancy> buoyancies_of(const Description& equation) {
  const bool is_of_cell = std::ranges::any_of(equation.parameters, [](const Parameter& parameter) {
    return parameter.name == "buoyancy" && parameter.location == kNode;
  });
  if (is_of_cell) return {Buoyancy::of_node_behind, Buoyancy::of_node_ahead};
  return {Buoyancy::between_nodes};
}

/// Means of what lies half a spacing away, on both sides alike.
class Means {
 public:
  explicit Means(Values weights) : weights_(std::move(weights)) {
    double sum = 0;
    for (double& weight : weights_) sum += 2 * (weight = std::abs(weight));
    for (double& weight : weights_) weight /= sum;
  }

  [[nodiscard]] std::size_t radius() const { return weights_.size(); }

  /// Over values[before], values[before - 1], ... and values[before + 1], ...
  [[nodiscard]] double around(const Values& values, std::size_t before) const {
    double sum = 0;
    for (std::size_t m = 0; m < weights_.size(); ++m)
      sum += weights_[m] * (values[before - m] + values[before + m + 1]);
    return sum;
  }

 private:
  Values weights_;
};

/// The nodes of a line, and as many before and behind it as a difference reaches.
struct Line {
  Values density;
  Values stiffness;
};

Values roots_of(const Values& values) {
  Values roots(values.size());
  std::ranges::transform(values, roots.begin(), [](double value) { return std::sqrt(value); });
  return roots;
}

Values buoyancy_of(const Line& line, Buoyancy kind) {
  Values values(line.density.size() - 1);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double behind = line.density[i];
    const double ahead = line.density[i + 1];
    values[i] = 1 / (kind == Buoyancy::of_node_behind  ? behind
                     : kind == Buoyancy::of_node_ahead ? ahead
                                                       : (behind + ahead) / 2);
  }
  return values;
}

/// The largest of values_i times the mean of the others around it. Node i lies between buoyancies i - 1 and i.
double largest_at_nodes(const Values& nodes, const Values& between, const Means& means) {
  double largest = 0;
  for (std::size_t i = means.radius(); i + means.radius() < nodes.size(); ++i) {
    largest = std::max(largest, nodes[i] * means.around(between, i - 1));
  }
  return largest;
}
double largest_between(const Values& nodes, const Values& between, const Means& means) {
  double largest = 0;
  for (std::size_t i = means.radius() - 1; i + means.radius() < nodes.size(); ++i) {
    largest = std::max(largest, between[i] * means.around(nodes, i));
  }
  return largest;
}

/// The square of the velocity that counts on a line; `least` if it is not more.
double squared_velocity(const Line& line, Buoyancy kind, const Means& means, double least) {
  const Values buoyancy = buoyancy_of(line, kind);
  const double of_stiffness = largest_at_nodes(line.stiffness, buoyancy, means);
  if (of_stiffness <= least) return least;
  const Values stiffness_roots = roots_of(line.stiffness);
  const Values buoyancy_roots = roots_of(buoyancy);
  const double of_roots = largest_at_nodes(stiffness_roots, buoyancy_roots, means) *
                          largest_between(stiffness_roots, buoyancy_roots, means);
  const double of_buoyancy = largest_between(line.stiffness, buoyancy, means);
  return std::max(least, std::min({of_stiffness, of_roots, of_buoyancy}));
}

class LineReader {
 public:
  LineReader(const Model& model, const GridOptions& grid, std::string_view propagator, std::size_t margin)
      : model_(model), grid_(grid), propagator_(propagator), margin_(static_cast<std::int64_t>(margin)) {}

  /// Calls visit(line) for all lines along an axis; for one of those that are equal.
  void for_each(Axis axis, const std::function<void(const Line&)>& visit) const {
    Extent count = grid_.extent;
    for (const Axis other : kAxes) {
      if (other == axis || !model_.density_varies_along(other)) count[other] = 1;
    }
    Line line;
    for (Extent at{0, 0, 0}; at.x < count.x; ++at.x) {
      for (at.y = 0; at.y < count.y; ++at.y) {
        for (at.z = 0; at.z < count.z; ++at.z) {
          read(at, axis, line);
          visit(line);
        }
      }
    }
  }

 private:
  void read(Extent at, Axis axis, Line& line) const {
    const std::int64_t extent = grid_.extent[axis];
    const bool is_periodic = grid_.sides[axis].low == Boundary::periodic;
    const auto size = static_cast<std::size_t>(extent + 2 * margin_);
    line.density.resize(size);
    line.stiffness.resize(size);
    for (std::int64_t i = -margin_; i < extent + margin_; ++i) {
      at[axis] = is_periodic ? ((i % extent) + extent) % extent : std::clamp<std::int64_t>(i, 0, extent - 1);
      const Medium medium = model_.at(at);
      const double velocity = fastest_wave(medium, propagator_);
      const auto index = static_cast<std::size_t>(i + margin_);
      line.density[index] = medium.rho;
      line.stiffness[index] = medium.rho * velocity * velocity;
    }
  }

  const Model& model_;
  const GridOptions& grid_;
  std::string_view propagator_;
  std::int64_t margin_;
};

}  // namespace

double stable_limit(const Description& equation, const GridOptions& grid) {
  return equation.has_second() ? central_limit(central_weights(grid.order, grid.weights), grid.spacing)
                               : staggered_limit(staggered_weights(grid.order, grid.weights), grid.spacing);
}

double contrast_factor(const Model& model, const GridOptions& grid, const Description& equation, double fastest) {
  if (equation.has_second()) return 1;  // knows no density
  const Means means(staggered_weights(grid.order, grid.weights));
  const LineReader lines(model, grid, equation.name, means.radius());
  const double shortest = std::min({grid.spacing.x, grid.spacing.y, grid.spacing.z});
  double sum = 0;
  double weights = 0;
  for (const Axis axis : kAxes) {
    double squared = fastest * fastest;
    if (model.density_varies_along(axis)) {
      lines.for_each(axis, [&](const Line& line) {
        for (const Buoyancy kind : buoyancies_of(equation)) squared = squared_velocity(line, kind, means, squared);
      });
    }
    const double share = shortest / grid.spacing[axis];
    const double weight = share * share;
    sum += weight * squared;
    weights += weight;
  }
  return std::sqrt(sum / weights) / fastest;
}

}  // namespace muster::seismic
