#include "app/seismic/field_values.h"

#include <algorithm>
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

}  // namespace

template <class Real>
FieldSummary summary_of(const Volume<Real>& field) {
  FieldSummary summary;
  summary.least = summary.most = static_cast<double>(field.at(0, 0, 0));
  double squares = 0;
  for_each_value(field, [&](Real value, const Extent&) {
    const auto number = static_cast<double>(value);
    summary.least = std::min(summary.least, number);
    summary.most = std::max(summary.most, number);
    squares += number * number;
  });
  summary.norm = std::sqrt(squares);
  return summary;
}

template <class Real>
void check_finite(Simulation<Real>& simulation) {
  const std::optional<NotFinite> found = simulation.engine().first_not_finite();
  if (!found) return;
  answer_no("step {}: {} is {} at cell {},{},{}", simulation.steps(),
            simulation.equation().fields[static_cast<std::size_t>(found->field)].name, found->value, found->cell.x,
            found->cell.y, found->cell.z);
}

template <class Real>
std::string checksum_of(const Simulation<Real>& simulation) {
  using Bits = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;
  std::uint64_t hash = 0;
  for (const Volume<Real>& field : simulation.state().fields) {
    for_each_value(field, [&](Real value, const Extent&) { hash = random_bits(hash, std::bit_cast<Bits>(value)); });
  }
  return fmt::format("{:016x}", hash);
}

template FieldSummary summary_of(const Volume<float>&);
template FieldSummary summary_of(const Volume<double>&);
template void check_finite(Simulation<float>&);
template void check_finite(Simulation<double>&);
template std::string checksum_of(const Simulation<float>&);
template std::string checksum_of(const Simulation<double>&);

}  // namespace muster::seismic
