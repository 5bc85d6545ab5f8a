// Depth, energy and contention are the schedule's load; the distance is the machine's, as in the paper.
#include "study/mesh/model_terms.h"

#include "machine/mesh.h"
#include "plan/load.h"
#include "study/mesh/traffic.h"

namespace muster {

namespace {

/// Hops of the data that travels farthest: the rank that is farthest from the root, or from any other.
std::int64_t distance_of(const Job& job) {
  const Mesh& mesh = *as<Mesh>(job.machine);
  return has_root(job.collective) ? farthest_hops(mesh, job.root) : mesh.width - 1 + mesh.height - 1;
}

}  // namespace

ModelTerms model_terms(const Job& job, const Schedule& flat) {
  const Load load = load_of(flat, job.machine);
  return {.depth = load.depth,
          .distance = distance_of(job),
          .energy = load.hops,
          .contention = load.port,
          .links = traffic_of(flat, job.machine).links};
}

Ticks model_of_mesh(const Job& job, const Schedule& flat) {
  return model_cycles(model_terms(job, flat), *as<Mesh>(job.machine));
}

Ticks depth_of_mesh(const Machine& machine) { return depth_cycles(*as<Mesh>(machine)); }

double port_rate_of_mesh(const Machine& machine) {
  return 1 / static_cast<double>(as<Mesh>(machine)->receive_interval.value());
}

}  // namespace muster
