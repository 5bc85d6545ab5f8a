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

namespace {

/// "a cluster, a hyperx or a mesh"
std::string a_or_b(std::span<const std::string_view> families) {
  std::string text;
  for (std::size_t i = 0; i < families.size(); ++i) {
    if (i > 0) text += i + 1 == families.size() ? " or " : ", ";
    text += fmt::format("a {}", families[i]);
  }
  return text;
}

}  // namespace

void reject_missing(const Machine& machine, std::string_view what, std::span<const std::string_view> has_it) {
  const std::string family = family_name(machine);
  reject("{} is a {}, and there {} for a {} yet; use {}", machine.name, family, what, family, a_or_b(has_it));
}

void reject_family(const Machine& machine, std::string_view what, std::span<const std::string_view> has_it) {
  reject("{}: {} is a {}; {} needs {}", what, machine.name, family_name(machine), what, a_or_b(has_it));
}

}  // namespace muster
