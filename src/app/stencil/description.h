// A stencil as users describe it: a grid of cells, the order of the differences, the medium, and how many time steps. One PE has a
// column of cells along z.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "app/stencil/memory.h"
#include "app/stencil/time_step.h"
#include "base/units.h"
#include "machine/machine.h"

namespace muster::stencil {

inline constexpr int kLeastOrder = 2;
inline constexpr int kMostOrder = 8;
inline constexpr std::int64_t kMostTimeSteps = 1'000'000'000;

/// The second-order wave equation u_tt = v^2 laplace(u) in a medium of one velocity. The defaults are Minimod's.
struct Description {
  NodeId columns = 1;
  NodeId rows = 1;
  std::int64_t cells = 1;  ///< along z; 1: a stencil in two dimensions
  int order = 8;
  std::int64_t steps = 1;
  double velocity = 4500;             ///< in m/s
  double spacing = 20;                ///< in m
  double time_step = 0;               ///< in s
  double cfl = 0.8;                   ///< the time step over the largest stable one
  std::optional<std::int64_t> block;  ///< none: the planner chooses

  [[nodiscard]] int radius() const { return order / 2; }
  [[nodiscard]] bool is_flat() const { return cells == 1; }
  [[nodiscard]] std::int64_t all_cells() const { return std::int64_t{columns} * rows * cells; }
};

/// The largest stable time step, in s, of leapfrog with this order, spacing and velocity.
double largest_time_step(const Description& description);

struct DescriptionTexts {
  std::string grid;                             ///< "755x994x1000"
  std::optional<std::string> order;             ///< "8"
  std::optional<std::string> steps;             ///< "100"
  std::map<std::string, std::string> settings;  ///< velocity, spacing, cfl, time_step, block
};

/// "755x994" and the cells along z of "755x994x1000". Throws InputError for anything else.
struct GridText {
  std::string of_pes;
  std::int64_t columns = 0;
  std::int64_t rows = 0;
  std::int64_t cells = 0;
};
GridText parse_grid(const std::string& text);

/// Throws InputError, with the flag at fault, for what is no number, odd, out of range, or unstable. Whether columns and rows fit the
/// machine, and blocks the memory, is for others to say.
Description describe(const DescriptionTexts& texts);

/// Its memory; throws InputError if no block fits, or the one that is asked for does not.
Column column_of(const Description& description);
void check_memory(const Description& description, Bytes memory);

/// With blocks of so many cells. The coefficients are those of seismic/wafer_arithmetic.h, to the bit.
TimeStep time_step_of(const Description& description, std::int64_t block);

/// "755x994x1000"
std::string grid_text(const Description& description);

}  // namespace muster::stencil
