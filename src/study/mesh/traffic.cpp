// Every stream's words are added to the ports at its ends and to the links of its route, a multicast once per link.
#include "study/mesh/traffic.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "base/index.h"
#include "base/saturating.h"
#include "machine/routing.h"

namespace muster {

namespace {

/// The links of a stream, each once.
std::vector<Hop> links_of(const Schedule& schedule, const Machine& machine, const Stream& stream) {
  if (stream.route != kDefaultRoute) return schedule.routes[at(stream.route)];
  std::vector<Hop> links;
  const auto sinks = schedule.sinks_of(stream);
  for (const NodeId sink : sinks) {
    const std::vector<NodeId> route = default_route(machine, stream.source, sink);
    for (std::size_t i = 1; i < route.size(); ++i) links.push_back({route[i - 1], route[i]});
  }
  if (sinks.size() > 1) {
    std::sort(links.begin(), links.end());
    links.erase(std::unique(links.begin(), links.end()), links.end());
  }
  return links;
}

PortTraffic busiest_port(const Schedule& schedule) {
  std::vector<std::int64_t> in(at(schedule.node_count), 0), out(at(schedule.node_count), 0);
  for (const Stream& stream : schedule.streams) {
    const std::int64_t words = schedule.spans.count(stream.elements);
    out[at(stream.source)] = saturating_sum(out[at(stream.source)], words);
    for (const NodeId sink : schedule.sinks_of(stream)) in[at(sink)] = saturating_sum(in[at(sink)], words);
  }
  PortTraffic most;
  for (NodeId node = 0; node < schedule.node_count; ++node) {
    if (in[at(node)] > most.words) most = {.node = node, .into = true, .words = in[at(node)]};
    if (out[at(node)] > most.words) most = {.node = node, .into = false, .words = out[at(node)]};
  }
  return most;
}

}  // namespace

Traffic traffic_of(const Schedule& schedule, const Machine& machine) {
  MUSTER_ASSERT(schedule.is_flat(), "the traffic of a schedule of phases was asked for; expand it first");
  std::unordered_map<std::int64_t, std::int64_t> words_on;
  const auto key = [](const Hop& link) { return (static_cast<std::int64_t>(link.from) << 32) + link.to; };
  Traffic traffic{.busiest_port = busiest_port(schedule)};
  for (const Stream& stream : schedule.streams) {
    const std::int64_t words = schedule.spans.count(stream.elements);
    if (words == 0) continue;
    for (const Hop& link : links_of(schedule, machine, stream)) {
      std::int64_t& load = words_on[key(link)];
      load = saturating_sum(load, words);
      LinkTraffic& most = traffic.busiest_link;
      if (load > most.words || (load == most.words && link < most.link)) most = {.link = link, .words = load};
    }
  }
  traffic.links = static_cast<std::int64_t>(words_on.size());
  return traffic;
}

}  // namespace muster
