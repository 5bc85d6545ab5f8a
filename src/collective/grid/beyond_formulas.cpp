// Streams of a single buffer, and which prediction speaks of a machine.
#include "collective/grid/beyond_formulas.h"

#include <algorithm>
#include <variant>

#include "base/saturating.h"
#include "collective/grid/timed_walk.h"
#include "machine/mesh.h"
#include "schedule/joined_lanes.h"

namespace muster {

bool is_beyond_formulas(const Mesh& mesh) {
  return mesh.router_buffer < 2 || mesh.operation_start.value() > 0 || mesh.receive_gap.value() > 0 ||
         mesh.receive_interval.value() > 1 || mesh.local_interval.value() > 1;
}

Request as_in_formulas(Request request) {
  if (Mesh* const mesh = as<Mesh>(request.machine)) {
    mesh->router_buffer = std::max(mesh->router_buffer, 2);
    mesh->operation_start = mesh->receive_gap = Cycles(0);
    mesh->receive_interval = mesh->local_interval = Cycles(1);
  }
  return request;
}

Algorithm walked_beyond_formula(Algorithm algorithm, std::int64_t most_ranks) {
  algorithm.cost = [formula = algorithm.cost, make = algorithm.make, most_ranks](const Request& request,
                                                                                 const Parameters& parameters) {
    const Mesh* const mesh = as<Mesh>(request.machine);
    const bool has_walk = mesh != nullptr && is_beyond_formulas(*mesh) && rank_count(*mesh) <= most_ranks;
    if (!has_walk) return formula(request, parameters);
    const auto walked = walked_cycles(expand_in_lanes(make(request, parameters)), *mesh);
    return walked ? *walked : formula(request, parameters);
  };
  return algorithm;
}

std::int64_t stream_spread(std::int64_t words, const Mesh& mesh) {
  const std::int64_t others = std::max<std::int64_t>(0, words - 1);
  if (mesh.router_buffer > 1) return others;
  const std::int64_t hop = std::max<std::int64_t>(1, mesh.hop_latency.value());
  return saturating_sum(others, (others + hop - 1) / hop);
}

std::int64_t taken_spread(std::int64_t words, const Mesh& mesh) {
  const std::int64_t others = std::max<std::int64_t>(0, words - 1);
  return std::max(stream_spread(words, mesh), saturating_product(others, mesh.receive_interval.value()));
}

std::string remark_on_predictions(const Machine& machine) {
  const Mesh* mesh = as<Mesh>(machine);
  if (mesh == nullptr || !is_beyond_formulas(*mesh)) return "";
  std::vector<std::string> beyond;
  if (mesh->operation_start.value() > 0) beyond.emplace_back("processor.operation_start");
  if (mesh->receive_gap.value() > 0) beyond.emplace_back("processor.receive_gap");
  if (mesh->receive_interval.value() > 1) beyond.emplace_back("processor.receive_interval");
  if (mesh->local_interval.value() > 1) beyond.emplace_back("processor.local_interval");
  if (mesh->router_buffer < 2) beyond.emplace_back("router.buffer = 1");
  return fmt::format("predicted by walking the steps of the schedule, because the formulas do not cover {}",
                     fmt::join(beyond, ", "));
}

}  // namespace muster
