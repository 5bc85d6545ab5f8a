// Dependences by going through steps and lanes once; their order by counting what an event still waits for.
#include "plan/step_events.h"

#include "schedule/index.h"

namespace muster {

namespace {

void add_messages(const Schedule& schedule, const ScheduleIndex& index, StepId step, std::vector<Dependence>& all) {
  const Step& s = schedule.steps[at(step)];
  for (const StreamId stream : schedule.operands_of(s)) {
    if (!is_stream(stream)) continue;
    const StepId from = index.producer[at(stream)];
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
  const ScheduleIndex index(schedule);
  const auto steps = static_cast<StepId>(schedule.steps.size());
  for (StepId step = 0; step < steps; ++step) {
    const Step& s = schedule.steps[at(step)];
    all.push_back({begin_of(step), end_of(step), kNoStream, schedule.spans.count(s.elements)});
    for (const StepId earlier : schedule.waits_of(s)) all.push_back({end_of(earlier), begin_of(step), kNoStream, 0});
  }
  for (StepId step = 0; step < steps; ++step) add_messages(schedule, index, step, all);
  for (const Lane& lane : schedule.lanes) {
    for (StepId step = lane.first + 1; step < lane.first + lane.count; ++step) {
      all.push_back({end_of(step - 1), begin_of(step), kNoStream, 0});
    }
  }
  return all;
}

void visit_in_order(std::size_t events, const std::vector<Dependence>& dependences,
                    const std::function<void(const Dependence&)>& visit) {
  const Adjacency leaving = make_adjacency(events, [&](auto add) {
    for (std::size_t i = 0; i < dependences.size(); ++i) add(dependences[i].from, static_cast<std::int32_t>(i));
  });
  std::vector<std::int32_t> missing(events, 0);
  for (const Dependence& dependence : dependences) ++missing[at(dependence.to)];

  std::vector<Event> ready;
  for (std::size_t event = 0; event < events; ++event) {
    if (missing[event] == 0) ready.push_back(static_cast<Event>(event));
  }
  while (!ready.empty()) {
    const Event event = ready.back();
    ready.pop_back();
    for (const std::int32_t i : leaving.of(event)) {
      const Dependence& dependence = dependences[at(i)];
      visit(dependence);
      if (--missing[at(dependence.to)] == 0) ready.push_back(dependence.to);
    }
  }
}

}  // namespace muster
