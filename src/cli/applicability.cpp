#include "cli/applicability.h"

#include <algorithm>

#include "base/error.h"
#include "machine/family.h"

namespace muster {

void check_family_flags(const Arguments& arguments, const Machine& machine) {
  const Family* const own = &machine.family();
  for (const auto& [flag, values] : arguments.all()) {
    const std::vector<const Family*> takers = families_with(flag);
    if (takers.empty() || std::find(takers.begin(), takers.end(), own) != takers.end()) continue;
    std::vector<std::string_view> names;
    for (const Family* const family : takers) names.push_back(family->name());
    reject_family(machine, flag, names);
  }
}

void leave_out(const Arguments& arguments, std::initializer_list<std::string_view> flags, std::string_view reason) {
  for (const std::string_view flag : flags) {
    if (arguments.has(flag)) reject("{}: {}; leave it out", flag, reason);
  }
}

void leave_to(const Arguments& arguments, std::string_view source, std::string_view what,
              std::initializer_list<std::string_view> flags) {
  leave_out(arguments, flags, fmt::format("the {} of {} already determines it", what, source));
}

void at_most_one(const Arguments& arguments, std::initializer_list<std::string_view> flags) {
  std::string_view first;
  for (const std::string_view flag : flags) {
    if (!arguments.has(flag)) continue;
    if (!first.empty()) reject("{} and {} mean the same; give one of them", first, flag);
    first = flag;
  }
}

}  // namespace muster
