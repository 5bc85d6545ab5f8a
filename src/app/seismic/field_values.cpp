#include "app/seismic/field_values.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>

#include "base/error.h"
#include "base/random.h"

namespace muster::seismic {
namespace {

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

/// A sum of numbers from 0 to 1 that does not depend on their order: of whole parts of 2^-24 and of 2^-48.
class OrderlessSum {
 public:
  void add(double number) {
    const double scaled = number * kParts;
    const double whole = std::floor(scaled);
    sums_[0] += static_cast<std::uint64_t>(whole);
    sums_[1] += static_cast<std::uint64_t>((scaled - whole) * kParts);
  }
  [[nodiscard]] double over(Processes& processes) {
    processes.sum(sums_);
    return (static_cast<double>(sums_[0]) + static_cast<double>(sums_[1]) / kParts) / kParts;
  }

 private:
  static constexpr double kParts = 0x1p24;
  std::array<std::uint64_t, 2> sums_{};
};

/// Of all values over `scale`, over all processes.
template <class Real>
double sum_of_squares(const Volume<Real>& field, double scale, Processes& processes) {
  OrderlessSum squares;
  for_each_value(field, [&](Real value, const Extent&) {
    const double scaled = static_cast<double>(value) / scale;
    squares.add(scaled * scaled);
  });
  return squares.over(processes);
}

}  // namespace

template <class Real>
FieldSummary summary_of(const Volume<Real>& field, Processes& processes) {
  const auto any = static_cast<double>(field.at(0, 0, 0));
  std::array<double, 2> most{any, -any};
  for_each_value(field, [&](Real value, const Extent&) {
    most[0] = std::max(most[0], static_cast<double>(value));
    most[1] = std::max(most[1], -static_cast<double>(value));
  });
  processes.max(most);
  FieldSummary summary{.least = most[1] == 0 ? 0 : -most[1], .most = most[0], .norm = 0};
  const double largest = std::max(most[0], most[1]);
  if (largest == 0 || !std::isfinite(largest)) return summary;
  const double scale = std::exp2(std::ilogb(largest) + 1);
  summary.norm = std::sqrt(sum_of_squares(field, scale, processes)) * scale;
  return summary;
}

template <class Real>
void check_finite(WaveFields<Real>& simulation, Processes& processes) {
  together(processes, [&] {
    const std::optional<NotFinite> found = simulation.engine().first_not_finite();
    if (!found) return;
    const Extent& first = simulation.part().cells.first;
    // The sign of what is not a number says nothing.
    const double value = std::isnan(found->value) ? std::abs(found->value) : found->value;
    answer_no("step {}: {} is {} at cell {},{},{}", simulation.steps(),
              simulation.equation().fields[static_cast<std::size_t>(found->field)].name, value, first.x + found->cell.x,
              first.y + found->cell.y, first.z + found->cell.z);
  });
}

template <class Real>
std::string checksum_of(const WaveFields<Real>& simulation, Processes& processes) {
  using Bits = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;
  const Extent& first = simulation.part().cells.first;
  std::array<std::uint64_t, 1> sum{};
  for (std::size_t f = 0; f < simulation.state().fields.size(); ++f) {
    for_each_value(simulation.state().fields[f], [&](Real value, const Extent& cell) {
      constexpr std::uint64_t kApart = 1U << 21U;  // more cells than an axis can have
      const auto along_x = static_cast<std::uint64_t>(first.x + cell.x);
      const auto along_y = static_cast<std::uint64_t>(first.y + cell.y);
      const auto along_z = static_cast<std::uint64_t>(first.z + cell.z);
      const std::uint64_t where = (along_x * kApart + along_y) * kApart + along_z;
      sum[0] += random_bits(random_bits(f, where), std::bit_cast<Bits>(value));
    });
  }
  processes.sum(sum);
  return fmt::format("{:016x}", sum[0]);
}

template FieldSummary summary_of(const Volume<float>&, Processes&);
template FieldSummary summary_of(const Volume<double>&, Processes&);
template void check_finite(WaveFields<float>&, Processes&);
template void check_finite(WaveFields<double>&, Processes&);
template std::string checksum_of(const WaveFields<float>&, Processes&);
template std::string checksum_of(const WaveFields<double>&, Processes&);

}  // namespace muster::seismic
