// Groups of cores, each with steps or rounds of its own.
#include "collective/switches/host_based.h"

#include <algorithm>

#include "collective/switches/groups.h"
#include "machine/hyperx.h"
#include "result/time_base.h"
#include "schedule/arithmetic.h"

namespace muster {
namespace {

constexpr std::int64_t kMostCores = 4096;  ///< of a schedule; costs have no limit

/// The cores of each group.
std::vector<std::vector<NodeId>> cores_by_group(const Request& request) {
  const HyperX& hyperx = *as<HyperX>(request.machine);
  const std::vector<std::vector<std::int32_t>> groups = groups_of(request).value();
  std::vector<std::vector<NodeId>> cores;
  for (const std::vector<std::int32_t>& group : groups) cores.push_back(cores_of(hyperx, group));
  return cores;
}

Ticks cost(const Request& request, const HostRounds& rounds) {
  Ticks longest;
  for (const std::vector<NodeId>& cores : cores_by_group(request)) {
    if (cores.size() == 1) {
      const auto bytes = static_cast<double>(request.count) * sizeof(Word);
      longest = std::max(longest, picoseconds(2 * bytes / as<HyperX>(request.machine)->memory_bandwidth.value()));
      continue;
    }
    const std::vector<HostRound> all = rounds(static_cast<std::int64_t>(cores.size()), request.count);
    longest = std::max(longest, host_time(*as<HyperX>(request.machine), cores, all));
  }
  return longest;
}

std::optional<std::string> unsupported(const Request& request, const HostRounds& rounds) {
  const HyperX& hyperx = *as<HyperX>(request.machine);
  if (!hyperx.host) return "needs a [host] table in the machine file, with the cost of a round";
  if (auto refusal = refuse_vectors_of_nodes(request)) return refusal;
  if (has_failures(hyperx)) return "uses default routes, which may cross failed nodes or links; use in-network";
  const Outcome<std::vector<std::vector<std::int32_t>>> groups = groups_of(request);
  if (!groups) return groups.reason();
  std::int64_t cores = 0;
  for (const auto& group : groups.value()) cores += static_cast<std::int64_t>(group.size()) * switches_per_node(hyperx);
  return too_many_cores(cores, kMostCores, [&] { return cost(request, rounds); });
}

Schedule make(const Request& request, const HostWrite& write) {
  ScheduleBuilder b({.nodes = rank_count(*as<HyperX>(request.machine)), .count = request.count});
  for (std::vector<NodeId>& cores : cores_by_group(request)) {
    if (cores.size() == 1) {
      b.step(cores.front(), b.span({0, request.count})).own(Buffer::input).store(Buffer::output);
    } else {
      write(b, cores, request.count);
    }
    b.contract({.collective = request.collective, .ranks = std::move(cores), .count = request.count});
  }
  return std::move(b).finish();
}

}  // namespace

Algorithm host_based(Algorithm named, HostWrite write, HostRounds rounds) {
  named.family = "hyperx";
  named.unsupported = [rounds](const Request& request) { return unsupported(request, rounds); };
  named.make = [write = std::move(write)](const Request& request, const Parameters&) { return make(request, write); };
  named.cost = [rounds = std::move(rounds)](const Request& request, const Parameters&) {
    return cost(request, rounds);
  };
  return named;
}

}  // namespace muster
