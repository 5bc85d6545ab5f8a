#include "app/seismic/recorded.h"

#include <algorithm>
#include <array>

namespace muster::seismic {
namespace {

void add(Recorded& recorded, const Description& equation, std::string_view name, double share) {
  const std::vector<int> fields = equation.fields_named(name);
  for (const int field : fields) {
    recorded.shares.push_back(
        {.field = static_cast<std::size_t>(field), .share = share / static_cast<double>(fields.size())});
  }
}

}  // namespace

std::optional<Recorded> recorded(const Description& equation, std::string_view name) {
  Recorded found;
  if (const int field = equation.field(name); field >= 0) {
    add(found, equation, name, 1);
    const bool is_velocity = equation.fields[static_cast<std::size_t>(field)].kind == Kind::velocity;
    found.steps_later = is_velocity ? -0.5 : 0;
    return found;
  }
  if (name != "p") return std::nullopt;
  for (const NamedShare& part : equation.pressure) add(found, equation, part.name, part.share);
  return found;
}

std::vector<FieldShare> at_one_location(const Description& equation, const Recorded& recorded) {
  const Location location = equation.fields[recorded.shares.front().field].location;
  std::vector<FieldShare> shares;
  for (const FieldShare& share : recorded.shares) {
    if (equation.fields[share.field].location == location) shares.push_back(share);
  }
  const double scale = static_cast<double>(recorded.shares.size()) / static_cast<double>(shares.size());
  for (FieldShare& share : shares) share.share *= scale;
  return shares;
}

std::vector<std::string> recordable(const Description& equation) {
  std::vector<std::string> names;
  if (equation.field("p") < 0) names.emplace_back("p");
  for (const Field& field : equation.fields) {
    if (field.time_order > 0 && std::ranges::count(names, field.name) == 0) names.emplace_back(field.name);
  }
  return names;
}

}  // namespace muster::seismic
