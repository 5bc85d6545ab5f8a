// Every group of a phase has all of its part.
#include "schedule/flat_counts.h"

#include "base/index.h"
#include "base/saturating.h"
#include "schedule/phase.h"

namespace muster {

FlatCounts flat_counts(const Schedule& schedule) {
  FlatCounts all{.streams = static_cast<std::int64_t>(schedule.streams.size()),
                 .steps = static_cast<std::int64_t>(schedule.steps.size())};
  std::vector<FlatCounts> parts;
  for (const Schedule& part : schedule.parts) parts.push_back(flat_counts(part));
  for (const Phase& phase : schedule.phases) {
    if (phase.part < 0 || at(phase.part) >= parts.size()) continue;
    if (phase.groups < 0 || at(phase.groups) >= schedule.group_sets.size()) continue;
    const FlatCounts& part = parts[at(phase.part)];
    const auto groups = static_cast<std::int64_t>(groups_of(schedule, phase).size());
    all.streams = saturating_sum(all.streams, saturating_product(part.streams, groups));
    all.steps = saturating_sum(all.steps, saturating_product(part.steps, groups));
  }
  all.streams = saturating_product(all.streams, schedule.repeat);
  all.steps = saturating_product(all.steps, schedule.repeat);
  return all;
}

}  // namespace muster
