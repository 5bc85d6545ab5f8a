// The state at time zero: fields of zeros, coefficients from the model, layers and their memory.
#pragma once

#include <array>
#include <string_view>

#include "app/seismic/differences.h"
#include "app/seismic/equation/description.h"
#include "app/seismic/layers.h"
#include "app/seismic/model.h"
#include "app/seismic/state.h"

namespace muster::seismic {

/// How updates round: with fused products, in the order of the equation (cell.h); or as the processors of a wafer do it
/// (wafer_arithmetic.h).
enum class Arithmetic : unsigned char { fused, wafer };

/// In the order of Arithmetic.
inline constexpr std::array<std::string_view, 2> kArithmeticNames{"fused", "wafer"};

struct GridOptions {
  Extent extent;
  PerAxis<double> spacing;  ///< in metres
  int order = 8;            ///< of the differences in space
  Weights weights = Weights::taylor;
  Arithmetic arithmetic = Arithmetic::fused;
  double time_step = 0;  ///< in seconds
  PerAxis<Sides> sides;
  LayerOptions layers;  ///< with time_step and reach as make_state() sets them
};

/// The part of the grid that a process computes. Its sides are those of the grid, or `neighbour`.
struct Part {
  Box cells;
  PerAxis<Sides> sides;
  PerAxis<std::vector<std::int64_t>>
      cuts;  ///< first cells of the parts along each axis, but for the first; empty: not cut

  [[nodiscard]] Extent extent() const {
    return {cells.last.x - cells.first.x, cells.last.y - cells.first.y, cells.last.z - cells.first.z};
  }
};

inline std::string_view name_of(Arithmetic arithmetic) {
  return kArithmeticNames[static_cast<std::size_t>(arithmetic)];
}

inline Part whole_of(const GridOptions& options) {
  return {.cells = whole(options.extent), .sides = options.sides, .cuts = {}};
}

template <class Real>
State<Real> make_state(const Description& equation, const GridOptions& options, const Part& part, const Model& model);

/// Of the CPML or multiaxial layers of each axis, as far as their terms act.
PerAxis<Thickness> layer_thickness(const Description& equation, const GridOptions& options);

/// The share of the cells that lie in absorbing layers.
double layer_share(const GridOptions& options);

/// The bytes that make_state() will allocate.
std::int64_t state_bytes(const Description& equation, const GridOptions& options, const Part& part,
                         std::size_t bytes_of_real);

extern template State<float> make_state(const Description&, const GridOptions&, const Part&, const Model&);
extern template State<double> make_state(const Description&, const GridOptions&, const Part&, const Model&);

}  // namespace muster::seismic
