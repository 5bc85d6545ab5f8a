// For tests only: jobs on the wafer that ships with Muster.
#pragma once

#include <string>

#include "machine/loader.h"
#include "plan/plan.h"

namespace muster {

inline Machine shipped_machine(const std::string& name) {
  return load_machine(std::string(MUSTER_SOURCE_DIR) + "/machines/" + name + ".toml");
}

inline Job wafer_job(Collective collective, std::int32_t width, std::int32_t height, std::int64_t count,
                     NodeId root = 0) {
  Job job{.machine = with_grid(shipped_machine("wse2"), width, height), .collective = collective, .count = count};
  job.root = root;
  return job;
}

/// The line that a call is rejected with, or "accepted".
template <class Call>
std::string rejection(Call call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace muster
