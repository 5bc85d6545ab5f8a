// Reduce, then what follows.
#include "collective/grid/continued_reduce.h"

#include <algorithm>
#include <utility>

#include "base/saturating.h"
#include "collective/grid/allreduce_root.h"
#include "machine/mesh.h"
#include "machine/routing.h"

namespace muster {

namespace {

/// What the reduce's parameters may be can depend on the root; they were completed before it was known.
Parameters fitted(const Reduce& reduce, const Request& request, Parameters parameters) {
  for (const ParameterSpec& spec : reduce.parameters) {
    std::int64_t& value = parameters.at(spec.name);
    value = std::clamp(value, spec.least(request), spec.most(request));
  }
  return parameters;
}

/// What follows the reduce, as a part of its own.
Schedule next_part(const Continuation& next, const Request& request) {
  const Contract contract{.collective = next.next,
                          .ranks = {},
                          .root = request.root,
                          .count = request.count,
                          .from = Buffer::output,
                          .to = Buffer::output};
  return part_of(rank_count(request.machine), contract,
                 [&](ScheduleBuilder& b, SpanId /*all*/) { next.write(request, b); });
}

Schedule make(const Reduce& reduce, const Continuation& next, const Request& asked, const Parameters& parameters) {
  const Request request = with_root_parameter(asked, parameters);
  Contract contract{
      .collective = next.collective, .ranks = all_ranks(request.machine), .root = 0, .count = request.count};
  if (reduce.write_phases) {
    GridPhases phases(*as<Mesh>(request.machine), request.count);
    reduce.write_phases(request, fitted(reduce, request, parameters), phases);
    phases.on_grid(next_part(next, request));
    return std::move(phases).finish(std::move(contract));
  }
  ScheduleBuilder b({.nodes = rank_count(request.machine), .count = request.count});
  reduce.write(request, fitted(reduce, request, parameters), b);
  next.write(request, b);
  b.contract(std::move(contract));
  return std::move(b).finish();
}

Cycles cost(const Reduce& reduce, const Continuation& next, const Request& asked, const Parameters& parameters) {
  const Request request = with_root_parameter(asked, parameters);
  return Cycles(
      saturating_sum(reduce.cost(request, fitted(reduce, request, parameters)).value(), next.cost(request).value()));
}

/// Of the roots that the planner tries.
std::function<Ticks(const Request&)> least_cost(const Reduce& reduce, const Continuation& next) {
  if (!reduce.least_cost) return {};
  return [reduce, next](const Request& asked) {
    const ParameterSpec root = root_parameter();
    std::vector<std::int64_t> roots = root.worth_trying(asked);
    roots.push_back(root.by_default(asked));
    Cycles least(kMostCounted);
    for (const std::int64_t tried : roots) {
      const Request request = with_root_parameter(asked, {{"root", tried}});
      least = std::min(least, Cycles(saturating_sum(reduce.least_cost(request).value(), next.cost(request).value())));
    }
    return least;
  };
}

}  // namespace

Algorithm continued(const Reduce& reduce, const Continuation& next) {
  std::vector<ParameterSpec> specs = reduce.parameters;
  specs.push_back(root_parameter());
  CostTolerance tolerance = reduce.cost_tolerance;
  tolerance.cycles = tolerance.cycles + next.cost_tolerance;
  return {.collective = next.collective,
          .name = reduce.name + "-flood",
          .family = "mesh",
          .summary = reduce.name + " to one PE, which then " + next.summary,
          .source = next.source,
          .parameters = std::move(specs),
          .unsupported = reduce.unsupported,
          .make = [reduce, next](const Request& request,
                                 const Parameters& parameters) { return make(reduce, next, request, parameters); },
          .cost = [reduce, next](const Request& request,
                                 const Parameters& parameters) { return cost(reduce, next, request, parameters); },
          .cost_tolerance = tolerance,
          .knows_machine = reduce.knows_machine,
          .least_cost = least_cost(reduce, next)};
}

}  // namespace muster
