#include "collective/torus/torus_algorithm.h"

#include <algorithm>
#include <numeric>

#include "base/counted.h"
#include "collective/bounds/bound.h"
#include "collective/torus/step_times.h"
#include "machine/routing.h"
#include "machine/torus.h"

namespace muster {
namespace {

Contract contract_of(const Request& request) {
  std::vector<NodeId> ranks(static_cast<std::size_t>(rank_count(request.machine)));
  std::iota(ranks.begin(), ranks.end(), 0);
  const std::int32_t root = has_root(request.collective) ? request.root : 0;
  return {.collective = request.collective, .ranks = std::move(ranks), .root = root, .count = request.count};
}

}  // namespace

std::optional<std::string> needs_full_grid(const Request& request) {
  const Torus& torus = *as<Torus>(request.machine);
  if (rank_count(torus) == used_columns(torus) * used_rows(torus)) return std::nullopt;
  return fmt::format("needs rows of the same length, got {}", shape_text(request.machine));
}

std::optional<std::string> needs_equal_blocks(const Request& request) {
  const NodeId ranks = rank_count(request.machine);
  if (request.count % ranks == 0) return std::nullopt;
  const UserCount user = request.user_count.value_or(UserCount{.count = request.count});
  return fmt::format("needs a multiple of {} {}, one block per tile", grouped(ranks * user.block_unit), user.unit);
}

Algorithm torus_algorithm(Algorithm named, TorusWrite write, std::function<std::int64_t(const Request&)> scratch) {
  named.family = "torus";
  if (!named.unsupported) {
    named.unsupported = [](const Request&) -> std::optional<std::string> { return std::nullopt; };
  }
  // Routes cross tiles that are no ranks, so all nodes are in the schedule.
  named.make = [write = std::move(write), scratch = std::move(scratch)](const Request& request,
                                                                        const Parameters& parameters) {
    ScheduleBuilder b(
        {.nodes = node_count(request.machine), .count = request.count, .scratch = scratch ? scratch(request) : 0});
    if (rank_count(request.machine) == 1) {
      b.step(0, b.span({0, request.count})).own(Buffer::input).store(Buffer::output);
    } else {
      write(b, request, parameters);
    }
    b.contract(contract_of(request));
    return std::move(b).finish();
  };
  named.cost = [make = named.make](const Request& request, const Parameters& parameters) {
    Ticks time = predicted_by_steps(make(request, parameters), request);
    for (const Bound& bound : lower_bounds(request)) time = std::max(time, bound.cycles);
    return time;
  };
  named.cost_by_steps = true;
  named.knows_machine = true;
  return named;
}

}  // namespace muster
