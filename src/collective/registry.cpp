// Every algorithm that Muster knows: one line each.
#include <algorithm>
#include <iterator>

#include "base/error.h"
#include "collective/algorithm.h"
#include "collective/algorithms.h"
#include "collective/grid/beyond_formulas.h"
#include "collective/switches/groups.h"

namespace muster {

namespace {

/// Patterns for rows and columns. Each gives a reduce and an allreduce of a line, and those of a grid.
std::vector<LineReduce> line_reduces() {
  return {
      reduce_star(),       //
      reduce_chain(),      //
      reduce_tree(),       //
      reduce_two_phase(),  //
      reduce_auto_gen(),   //
      reduce_best_tree(),  //
  };
}

/// Every reduce; each gives an allreduce, too.
std::vector<Reduce> reduces() {
  std::vector<Reduce> all;
  for (const LineReduce& pattern : line_reduces()) all.push_back(reduce_on_line(pattern));
  for (const LineReduce& pattern : line_reduces()) all.push_back(reduce_xy(pattern));
  for (const LineReduce& pattern : line_reduces()) all.push_back(reduce_split(pattern));
  all.push_back(reduce_split_trees());
  all.push_back(reduce_snake());
  all.push_back(reduce_deal());
  return all;
}

/// Their schedules grow with the ranks; on more, their costs are put together from those of lines.
constexpr std::int64_t kMostWalked = 1 << 12;

std::vector<Algorithm> all_algorithms() {
  std::vector<Algorithm> all;
  for (const Reduce& reduce : reduces()) all.push_back(reduce_algorithm(reduce));
  all.push_back(reduce_collectives_2d());
  all.push_back(broadcast_flood());
  all.push_back(broadcast_collectives_2d());
  for (const Reduce& reduce : reduces()) all.push_back(allreduce_flood(reduce));
  for (const LineReduce& pattern : line_reduces()) all.push_back(allreduce_x_then_y(pattern));
  for (const Reduce& reduce : {reduce_on_line(reduce_best_tree()), reduce_xy(reduce_best_tree())}) {
    all.push_back(reduce_scatter_flood(reduce));
  }
  for (Algorithm& algorithm : all) algorithm = walked_beyond_formula(std::move(algorithm), kMostWalked);
  for (const auto make :
       {allreduce_ring, allreduce_ring_folded, scatter_flood, scatter_pipeline, gather_direct, allgather_halves,
        allgather_gather_flood, reduce_scatter_pipeline, all_to_all_pipeline, barrier_reduce_flood}) {
    all.push_back(walked_beyond_formula(make()));
  }
  for (const Collective collective :
       {Collective::allreduce, Collective::reduce_scatter, Collective::allgather, Collective::all_to_all}) {
    for (const auto make : {hierarchical, themis, balanced}) all.push_back(make(collective));
  }
  for (const Collective collective :
       {Collective::allreduce, Collective::reduce, Collective::broadcast, Collective::barrier}) {
    all.push_back(in_network(collective));
  }
  all.push_back(allreduce_in_network_trees());
  all.push_back(scan_in_network());
  all.push_back(allreduce_recursive_doubling());
  all.push_back(allreduce_rabenseifner());
  all.push_back(scan_recursive_doubling());
  for (const Algorithm& algorithm : torus_algorithms()) all.push_back(algorithm);
  return all;
}

}  // namespace

const std::vector<Algorithm>& algorithms() {
  static const std::vector<Algorithm> all = all_algorithms();
  return all;
}

std::optional<std::string> unfit_request(const Request& request) { return unfit_groups(request); }

std::vector<Algorithm> algorithms_of(const std::string& family) {
  std::vector<Algorithm> found;
  std::copy_if(algorithms().begin(), algorithms().end(), std::back_inserter(found),
               [&](const Algorithm& algorithm) { return algorithm.family == family; });
  return found;
}

namespace {

std::string joined(const std::vector<std::string>& names) { return fmt::format("{}", fmt::join(names, ", ")); }

std::vector<std::string> parameter_names(const Algorithm& algorithm) {
  std::vector<std::string> names;
  for (const ParameterSpec& spec : algorithm.parameters) names.push_back(spec.name);
  return names;
}

}  // namespace

void reject_parameter(const Algorithm& algorithm, const std::string& name) {
  const std::vector<std::string> known = parameter_names(algorithm);
  if (known.empty()) reject("parameters: {} takes none, got '{}'; leave it out", algorithm.name, name);
  reject("parameters: {} has no parameter '{}'; {}", algorithm.name, name, suggest(name, known));
}

std::vector<std::string> collectives_of(const std::string& family) {
  std::vector<std::string> names;
  for (const Algorithm& algorithm : algorithms()) {
    const std::string name(collective_name(algorithm.collective));
    if (algorithm.family == family && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

const Algorithm& find_algorithm(Collective collective, const std::string& family, const std::string& name) {
  std::vector<std::string> known;
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.collective != collective || algorithm.family != family) continue;
    if (algorithm.name == name) return algorithm;
    known.push_back(algorithm.name);
  }
  const std::string_view wanted = collective_name(collective);
  if (!known.empty())
    reject("algorithm: unknown algorithm '{}' for {} on a {}; {}", name, wanted, family, suggest(name, known));
  const std::vector<std::string> others = collectives_of(family);
  if (others.empty()) reject("no algorithms for a {}", family);
  reject("there is no algorithm for {} on a {} yet; use one of: {}", wanted, family, joined(others));
}

Ticks paper_cycles(const Algorithm& algorithm, const Request& request, const Parameters& parameters) {
  if (algorithm.knows_machine && !algorithm.paper_cost) return algorithm.cost(request, parameters);
  const Request asked = as_in_formulas(request);
  return algorithm.paper_cost ? algorithm.paper_cost(asked, parameters) : algorithm.cost(asked, parameters);
}

std::vector<std::string> value_names(const std::string& parameter) {
  for (const Algorithm& algorithm : algorithms()) {
    for (const ParameterSpec& spec : algorithm.parameters) {
      if (spec.name == parameter && !spec.names.empty()) return spec.names;
    }
  }
  return {};
}

std::optional<std::int64_t> named_value(const std::string& parameter, const std::string& name) {
  const std::vector<std::string> names = value_names(parameter);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return found - names.begin();
}

namespace {

std::optional<std::string> out_of_range(const ParameterSpec& spec, const Request& request, std::int64_t value) {
  const std::int64_t least = spec.least(request);
  const std::int64_t most = spec.most(request);
  if (value >= least && value <= most) return std::nullopt;
  if (!spec.names.empty()) return fmt::format("{} is not a value; use {}", value, joined(spec.names));
  if (least == most) return fmt::format("{} is out of range; only {} is possible here", value, least);
  return fmt::format("{} is out of range; use {} to {}", value, least, most);
}

/// Defaults, with `given` in their place.
Parameters with_defaults(const Algorithm& algorithm, const Request& request, const Parameters& given) {
  Parameters complete;
  for (const ParameterSpec& spec : algorithm.parameters) {
    const auto found = given.find(spec.name);
    complete[spec.name] = found == given.end() ? spec.by_default(request) : found->second;
  }
  return complete;
}

}  // namespace

Parameters complete_parameters(const Algorithm& algorithm, const Request& request, const Parameters& given) {
  const std::vector<std::string> known = parameter_names(algorithm);
  for (const auto& [name, value] : given) {
    if (std::find(known.begin(), known.end(), name) == known.end()) reject_parameter(algorithm, name);
  }
  Parameters complete = with_defaults(algorithm, request, given);
  for (const ParameterSpec& spec : algorithm.parameters) {
    const auto wrong = out_of_range(spec, request, complete.at(spec.name));
    if (wrong) reject("parameters: {} of {}: {}", spec.name, algorithm.name, *wrong);
  }
  return complete;
}

Outcome<Parameters> parameters_it_has(const Algorithm& algorithm, const Request& request, const Parameters& given) {
  Parameters complete = with_defaults(algorithm, request, given);
  for (const ParameterSpec& spec : algorithm.parameters) {
    const auto wrong = out_of_range(spec, request, complete.at(spec.name));
    if (wrong) return Refusal{fmt::format("{}: {}", spec.name, *wrong)};
  }
  return complete;
}

}  // namespace muster
