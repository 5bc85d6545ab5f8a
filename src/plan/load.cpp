// Depth and queue by the longest paths through the steps; hops and port loads by counting.
#include "plan/load.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/error.h"
#include "base/index.h"
#include "base/saturating.h"
#include "machine/routing.h"

namespace muster {

namespace {

std::int64_t hops_of(const Schedule& schedule, const Machine& machine, const Stream& stream) {
  if (stream.route != kDefaultRoute) {
    return static_cast<std::int64_t>(schedule.routes[at(stream.route)].size());
  }
  std::int64_t hops = 0;
  for (const NodeId sink : schedule.sinks_of(stream)) hops += default_hops(machine, stream.source, sink);
  return std::min<std::int64_t>(hops, std::max<std::int64_t>(node_count(machine) - 1, 0));
}

std::int64_t busiest_port(const Schedule& schedule) {
  const auto add = [](std::vector<std::int64_t>& load, NodeId node, std::int64_t words) {
    load[at(node)] = saturating_sum(load[at(node)], words);
  };
  std::vector<std::int64_t> in(at(schedule.node_count), 0);
  std::vector<std::int64_t> out(at(schedule.node_count), 0);
  for (const Stream& stream : schedule.streams) {
    const std::int64_t words = schedule.spans.count(stream.elements);
    add(out, stream.source, words);
    for (const NodeId sink : schedule.sinks_of(stream)) add(in, sink, words);
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

/// `to` comes no earlier than `from`: so many messages and so many words later.
struct Dependence {
  Event from = 0;
  Event to = 0;
  std::int64_t messages = 0;
  std::int64_t words = 0;
};

/// A step lasts as long as its words. A message leads from the beginning and the end of the step that pushes it to those
/// of the steps that take it, word by word. An exchange sends old elements and takes others at the same time, so its
/// messages leave from its beginning, and none holds up the beginning of one.
std::vector<Dependence> dependences_of(const Schedule& schedule) {
  std::vector<Dependence> all;
  std::vector<StepId> sender(schedule.streams.size(), 0);
  const auto steps = static_cast<StepId>(schedule.steps.size());
  for (StepId step = 0; step < steps; ++step) {
    const Step& s = schedule.steps[at(step)];
    all.push_back({begin_of(step), end_of(step), 0, schedule.spans.count(s.elements)});
    for (const StepId earlier : schedule.waits_of(s)) all.push_back({end_of(earlier), begin_of(step), 0, 0});
    for (const StreamId stream : schedule.outputs_of(s)) sender[at(stream)] = step;
  }
  for (StepId step = 0; step < steps; ++step) {
    const Step& s = schedule.steps[at(step)];
    for (const StreamId stream : schedule.operands_of(s)) {
      if (stream == kOwn) continue;
      const StepId from = sender[at(stream)];
      const bool exchanged = schedule.steps[at(from)].is_exchange();
      if (exchanged) {
        all.push_back({begin_of(from), end_of(step), 1, schedule.spans.count(s.elements)});
      } else {
        all.push_back({end_of(from), end_of(step), 1, 0});
        if (!s.is_exchange()) all.push_back({begin_of(from), begin_of(step), 1, 0});
      }
    }
  }
  for (const Lane& lane : schedule.lanes) {
    for (StepId step = lane.first + 1; step < lane.first + lane.count; ++step) {
      all.push_back({end_of(step - 1), begin_of(step), 0, 0});
    }
  }
  return all;
}

struct Longest {
  std::int64_t messages = 0;
  std::int64_t words = 0;
};

/// The most messages and the most words on any path. Events are visited when all that they depend on have been.
Longest longest_paths(std::size_t events, std::vector<Dependence> dependences) {
  std::sort(dependences.begin(), dependences.end(), [](const auto& a, const auto& b) { return a.from < b.from; });
  std::vector<std::size_t> first(events + 1, 0);
  std::vector<std::int32_t> missing(events, 0);
  for (const Dependence& one : dependences) {
    ++first[at(one.from) + 1];
    ++missing[at(one.to)];
  }
  std::partial_sum(first.begin(), first.end(), first.begin());

  std::vector<std::size_t> ready;
  for (std::size_t event = 0; event < events; ++event) {
    if (missing[event] == 0) ready.push_back(event);
  }
  Longest longest;
  std::vector<Longest> reached(events);
  while (!ready.empty()) {
    const std::size_t event = ready.back();
    ready.pop_back();
    const Longest here = reached[event];
    longest = {std::max(longest.messages, here.messages), std::max(longest.words, here.words)};
    for (std::size_t i = first[event]; i < first[event + 1]; ++i) {
      const auto to = at(dependences[i].to);
      Longest& there = reached[to];
      there.messages = std::max(there.messages, here.messages + dependences[i].messages);
      there.words = std::max(there.words, saturating_sum(here.words, dependences[i].words));
      if (--missing[to] == 0) ready.push_back(to);
    }
  }
  return longest;
}

}  // namespace

Load load_of(const Schedule& schedule, const Machine& machine) {
  MUSTER_ASSERT(schedule.is_flat(), "the load of a schedule of phases was asked for; expand it first");
  Load load;
  const Longest longest = longest_paths(2 * schedule.steps.size(), dependences_of(schedule));
  load.depth = longest.messages;
  load.queue = longest.words;
  load.port = busiest_port(schedule);
  for (const Stream& stream : schedule.streams) {
    const std::int64_t words = schedule.spans.count(stream.elements);
    load.hops = saturating_sum(load.hops, saturating_product(hops_of(schedule, machine, stream), words));
  }
  return load;
}

}  // namespace muster
