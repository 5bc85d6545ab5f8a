// Depth by the longest path through the steps; hops and port loads by counting.
#include "plan/load.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/error.h"
#include "machine/routing.h"

namespace muster {

namespace {

std::int64_t hops_of(const Schedule& schedule, const Machine& machine, const Stream& stream) {
  if (stream.route != kDefaultRoute) {
    return static_cast<std::int64_t>(schedule.routes[static_cast<std::size_t>(stream.route)].size());
  }
  std::int64_t hops = 0;
  for (const NodeId sink : schedule.sinks_of(stream)) hops += default_hops(machine, stream.source, sink);
  return std::min<std::int64_t>(hops, std::max<std::int64_t>(node_count(machine) - 1, 0));
}

std::int64_t busiest_port(const Schedule& schedule) {
  std::vector<std::int64_t> in(static_cast<std::size_t>(schedule.node_count), 0);
  std::vector<std::int64_t> out(static_cast<std::size_t>(schedule.node_count), 0);
  for (const Stream& stream : schedule.streams) {
    const std::int64_t words = schedule.spans.count(stream.elements);
    out[static_cast<std::size_t>(stream.source)] += words;
    for (const NodeId sink : schedule.sinks_of(stream)) in[static_cast<std::size_t>(sink)] += words;
  }
  std::int64_t most = 0;
  for (const std::int64_t words : in) most = std::max(most, words);
  for (const std::int64_t words : out) most = std::max(most, words);
  return most;
}

// Steps as events: "step i begins" is event 2 i, "step i ends" is event 2 i + 1.
using Event = std::int32_t;
Event begin_of(StepId step) { return 2 * step; }
Event end_of(StepId step) { return 2 * step + 1; }

/// `to` comes no earlier than `from`, and one message later if `message`.
struct Dependence {
  Event from = 0;
  Event to = 0;
  bool message = false;
};

/// A message leads from the end of the step that pushes it to the end of the steps that take it; an exchange sends old
/// elements, so its messages leave from its beginning.
std::vector<Dependence> dependences_of(const Schedule& schedule) {
  std::vector<Dependence> all;
  std::vector<Event> sent(schedule.streams.size(), 0);
  const auto steps = static_cast<StepId>(schedule.steps.size());
  for (StepId step = 0; step < steps; ++step) {
    const Step& s = schedule.steps[static_cast<std::size_t>(step)];
    all.push_back({begin_of(step), end_of(step), false});
    for (const StepId earlier : schedule.waits_of(s)) all.push_back({end_of(earlier), begin_of(step), false});
    for (const StreamId stream : schedule.outputs_of(s)) {
      sent[static_cast<std::size_t>(stream)] = s.is_exchange() ? begin_of(step) : end_of(step);
    }
  }
  for (StepId step = 0; step < steps; ++step) {
    for (const StreamId stream : schedule.operands_of(schedule.steps[static_cast<std::size_t>(step)])) {
      if (stream != kOwn) all.push_back({sent[static_cast<std::size_t>(stream)], end_of(step), true});
    }
  }
  for (const Lane& lane : schedule.lanes) {
    for (StepId step = lane.first + 1; step < lane.first + lane.count; ++step) {
      all.push_back({end_of(step - 1), begin_of(step), false});
    }
  }
  return all;
}

/// The most messages on any path. Events are visited when all that they depend on have been.
std::int64_t most_messages(std::size_t events, std::vector<Dependence> dependences) {
  std::sort(dependences.begin(), dependences.end(), [](const auto& a, const auto& b) { return a.from < b.from; });
  std::vector<std::size_t> first(events + 1, 0);
  std::vector<std::int32_t> missing(events, 0);
  for (const Dependence& one : dependences) {
    ++first[static_cast<std::size_t>(one.from) + 1];
    ++missing[static_cast<std::size_t>(one.to)];
  }
  std::partial_sum(first.begin(), first.end(), first.begin());

  std::vector<std::size_t> ready;
  for (std::size_t event = 0; event < events; ++event) {
    if (missing[event] == 0) ready.push_back(event);
  }
  std::vector<std::int64_t> messages(events, 0);
  while (!ready.empty()) {
    const std::size_t event = ready.back();
    ready.pop_back();
    for (std::size_t i = first[event]; i < first[event + 1]; ++i) {
      const auto to = static_cast<std::size_t>(dependences[i].to);
      messages[to] = std::max(messages[to], messages[event] + (dependences[i].message ? 1 : 0));
      if (--missing[to] == 0) ready.push_back(to);
    }
  }
  return events == 0 ? 0 : *std::max_element(messages.begin(), messages.end());
}

}  // namespace

Load load_of(const Schedule& schedule, const Machine& machine) {
  MUSTER_ASSERT(schedule.is_flat(), "the load of a schedule of phases was asked for; expand it first");
  Load load;
  load.depth = most_messages(2 * schedule.steps.size(), dependences_of(schedule));
  load.port = busiest_port(schedule);
  for (const Stream& stream : schedule.streams) {
    load.hops += hops_of(schedule, machine, stream) * schedule.spans.count(stream.elements);
  }
  return load;
}

}  // namespace muster
