// For tests only: jobs on the wafer that ships with Muster.
#pragma once

#include <string>

#include "base/rejection_test_support.h"
#include "base/source_dir.h"
#include "machine/loader.h"
#include "machine/mesh.h"
#include "machine/routing.h"
#include "plan/plan.h"

namespace muster {

inline Machine shipped_machine(const std::string& name) {
  return load_machine(source_dir() + "/machines/" + name + ".toml");
}

inline Job wafer_job(Collective collective, std::int32_t width, std::int32_t height, std::int64_t count,
                     NodeId root = 0) {
  Job job{.machine = with_grid(shipped_machine("wse2"), width, height), .collective = collective, .count = count};
  job.root = root;
  return job;
}

/// The same job for another collective, with the nearest count that it can have for any type.
inline Job sized_for(Job job, Collective collective) {
  job.collective = collective;
  const std::int64_t pairs = 2 * std::int64_t{rank_count(job.machine)};
  if (collective == Collective::barrier) job.count = 1;
  if (collective == Collective::all_to_all) job.count = (job.count + pairs - 1) / pairs * pairs;
  return job;
}

/// Whether the budgets of a PE are too small for the algorithm here. Only split reduces may ask for so much: a target of
/// theirs serves its row from both sides, its column and the root.
inline bool is_over_budget(const Job& job, const Algorithm& algorithm) {
  if (!algorithm.name.starts_with("split-") && !algorithm.name.starts_with("deal-")) return false;
  try {
    simulate(job, choose_with_defaults(job, algorithm.name, {}));
  } catch (const InputError&) {
    return true;
  }
  return false;
}

}  // namespace muster
