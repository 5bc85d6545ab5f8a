// What most families answer alike.
#include "machine/family.h"

#include <algorithm>

#include "base/error.h"
#include "machine/routing.h"
#include "machine/timing_keys.h"

namespace muster {

std::string Family::rank_text(const Network& /*network*/, NodeId rank) const { return std::to_string(rank); }

NodeId Family::rank_at(const Machine& machine, const std::string& /*text*/, const NumberRule& rule) const {
  reject("{}: {} has no columns and rows; give a rank from 0 to {}", rule.flag, machine.name, rank_count(machine) - 1);
}

std::vector<TimingKey> Family::timing_keys(const Machine& /*machine*/) const { return {}; }

bool Family::takes(std::string_view flag) const {
  const std::span<const std::string_view> own = flags();
  return std::find(own.begin(), own.end(), flag) != own.end();
}

std::string Family::shape_text(const Network& network) const { return shape_flag_text(network); }

std::string Family::shape_flag_text(const Network& network) const {
  return fmt::format("{}", fmt::join(shape(network), "x"));
}

std::vector<const Family*> families_with(std::string_view flag) {
  std::vector<const Family*> found;
  for (const Family* const family : families()) {
    if (family->takes(flag)) found.push_back(family);
  }
  return found;
}

void reject_missing(const Machine& machine, std::string_view what, std::span<const std::string_view> has_it) {
  reject("machine '{}' is a {}, and there is no {} for that family yet; use a machine of: {}", machine.name,
         family_name(machine), what, fmt::join(has_it, ", "));
}

}  // namespace muster
