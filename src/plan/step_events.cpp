// Dependences by going through steps and lanes once; their order by counting what an event still waits for.
#include "plan/step_events.h"

#include <algorithm>
#include <numeric>

#include "base/index.h"

namespace muster {

namespace {

void add_messages(const Schedule& schedule, StepId step, const std::vector<StepId>& sender,
                  std::vector<Dependence>& all) {
  const Step& s = schedule.steps[at(step)];
  for (const StreamId stream : schedule.operands_of(s)) {
    if (stream == kOwn) continue;
    const StepId from = sender[at(stream)];
    if (schedule.steps[at(from)].is_exchange()) {
      all.push_back({begin_of(from), end_of(step), stream, schedule.spans.count(s.elements)});
    } else {
      all.push_back({end_of(from), end_of(step), stream, 0});
      if (!s.is_exchange()) all.push_back({begin_of(from), begin_of(step), stream, 0});
    }
  }
}

}  // namespace

std::vector<Dependence> dependences_of(const Schedule& schedule) {
  std::vector<Dependence> all;
  std::vector<StepId> sender(schedule.streams.size(), 0);
  const auto steps = static_cast<StepId>(schedule.steps.size());
  for (StepId step = 0; step < steps; ++step) {
    const Step& s = schedule.steps[at(step)];
    all.push_back({begin_of(step), end_of(step), kNoStream, schedule.spans.count(s.elements)});
    for (const StepId earlier : schedule.waits_of(s)) all.push_back({end_of(earlier), begin_of(step), kNoStream, 0});
    for (const StreamId stream : schedule.outputs_of(s)) sender[at(stream)] = step;
  }
  for (StepId step = 0; step < steps; ++step) add_messages(schedule, step, sender, all);
  for (const Lane& lane : schedule.lanes) {
    for (StepId step = lane.first + 1; step < lane.first + lane.count; ++step) {
      all.push_back({end_of(step - 1), begin_of(step), kNoStream, 0});
    }
  }
  return all;
}

void visit_in_order(std::size_t events, std::vector<Dependence> dependences,
                    const std::function<void(const Dependence&)>& visit) {
  const auto by_source = [](const Dependence& a, const Dependence& b) { return a.from < b.from; };
  std::stable_sort(dependences.begin(), dependences.end(), by_source);
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
  while (!ready.empty()) {
    const std::size_t event = ready.back();
    ready.pop_back();
    for (std::size_t i = first[event]; i < first[event + 1]; ++i) {
      visit(dependences[i]);
      const std::size_t to = at(dependences[i].to);
      if (--missing[to] == 0) ready.push_back(to);
    }
  }
}

}  // namespace muster
