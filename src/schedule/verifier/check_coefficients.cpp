// The table of coefficients: proofs know them by name, so a name stands for one of them, and a value is a number.
#include <algorithm>
#include <cmath>
#include <set>

#include "schedule/verifier/verify_stages.h"

namespace muster::verifier {

Finding check_coefficients(const Subject& subject) {
  const Schedule& schedule = subject.schedule;
  if (!schedule.factors.empty() && schedule.factors.size() != schedule.operands.size()) {
    return found(Kind::malformed, {}, "{} factors for {} operands; list one for each, or none", schedule.factors.size(),
                 schedule.operands.size());
  }
  std::set<std::string> names;
  for (std::size_t i = 0; i < schedule.coefficients.size(); ++i) {
    const Coefficient& coefficient = schedule.coefficients[i];
    if (!is_coefficient_name(coefficient.name)) {
      return found(Kind::malformed, {},
                   "coefficient {} has no proper name; use up to {} letters, digits and _, a letter first", i,
                   kLongestCoefficientName);
    }
    if (!names.insert(coefficient.name).second) {
      return found(Kind::malformed, {}, "two coefficients are named '{}'", coefficient.name);
    }
    if (coefficient.is_array() && coefficient.array != Buffer::model) {
      return found(Kind::malformed, {}, "coefficient '{}' is an array in {}; arrays are in model", coefficient.name,
                   coefficient.array > Buffer::model ? "an unknown buffer" : buffer_name(coefficient.array));
    }
    if (coefficient.first < -kMostElements / 4 || coefficient.first > kMostElements / 4) {
      return found(Kind::malformed, {}, "coefficient '{}' begins at element {} of {}", coefficient.name,
                   coefficient.first, buffer_name(coefficient.array));
    }
    if (!std::isfinite(coefficient.value)) {
      return found(Kind::malformed, {}, "coefficient '{}' is {}; use a finite value", coefficient.name,
                   coefficient.value);
    }
  }
  return std::nullopt;
}

}  // namespace muster::verifier
