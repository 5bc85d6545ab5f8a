#include "app/seismic/recorded.h"

#include <array>

namespace muster::seismic {
namespace {

constexpr std::array<std::string_view, 3> kNormalStresses{"sxx", "syy", "szz"};

bool is_velocity(const Field& field) {
  return field.kind == Kind::velocity_x || field.kind == Kind::velocity_y || field.kind == Kind::velocity_z;
}

}  // namespace

std::optional<Recorded> recorded(const Description& equation, std::string_view name) {
  Recorded found;
  if (const int field = equation.field(name); field >= 0) {
    const Field& description = equation.fields[static_cast<std::size_t>(field)];
    found.shares.push_back({.field = static_cast<std::size_t>(field), .share = 1});
    found.location = description.location;
    found.steps_later = is_velocity(description) ? -0.5 : 0;
    return found;
  }
  if (name != "p") return std::nullopt;
  for (const std::string_view stress : kNormalStresses) {
    const int field = equation.field(stress);
    if (field < 0) return std::nullopt;
    found.shares.push_back({.field = static_cast<std::size_t>(field), .share = 1.0 / 3});
    found.location = equation.fields[static_cast<std::size_t>(field)].location;
  }
  return found;
}

std::vector<std::string> recordable(const Description& equation) {
  std::vector<std::string> names;
  if (equation.field("p") < 0 && recorded(equation, "p")) names.emplace_back("p");
  for (const Field& field : equation.fields) names.emplace_back(field.name);
  return names;
}

}  // namespace muster::seismic
