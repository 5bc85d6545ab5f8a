// The one way to show a measured or predicted time to people: three decimals, in the unit that fits. (to_text() of units.h is
// for the values of machine files: "700 ns".)
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/units.h"

namespace muster {

/// ns, us, ms or s. Times from 0.1 us up to 10 ms are shown in us.
class TimeUnit {
 public:
  /// The unit of a single time; of nothing, and of no time at all, it is us.
  static TimeUnit fitting(const std::optional<Seconds>& time);
  /// One unit for a column or a list: that of its largest time, or a smaller one, down to us, in which the smallest has three
  /// digits. Zeros and missing times do not count.
  static TimeUnit of_column(const std::vector<std::optional<Seconds>>& times);

  [[nodiscard]] const std::string& name() const { return name_; }
  /// Without the unit: "1.433"; "-" for nothing.
  [[nodiscard]] std::string text(const std::optional<Seconds>& time) const;
  /// For sentences beside a table in this unit: "0.087 us"; a time that would have fewer than two digits is in its own unit.
  [[nodiscard]] std::string sentence_text(Seconds time) const;

 private:
  TimeUnit(std::string name, double per_second) : name_(std::move(name)), per_second_(per_second) {}

  std::string name_;
  double per_second_;
};

/// For sentences: "1.433 us", "31.250 ms".
std::string time_text(Seconds time);

}  // namespace muster
