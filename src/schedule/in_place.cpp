// One buffer instead of two.
#include "schedule/in_place.h"

#include <algorithm>
#include <utility>

#include "schedule/phase.h"

namespace muster {
namespace {

void merge(Buffer& buffer) {
  if (buffer == Buffer::output) buffer = Buffer::input;
}

}  // namespace

Schedule in_place(Schedule schedule) {
  for (Schedule& part : schedule.parts) part = in_place(std::move(part));
  for (Phase& phase : schedule.phases) {
    merge(phase.input);
    merge(phase.output);
  }
  schedule.extent[0] = std::max(schedule.extent[0], schedule.extent[1]);
  schedule.extent[1] = 0;
  for (Contract& contract : schedule.contracts) {
    merge(contract.from);
    merge(contract.to);
    for (StencilTerm& term : contract.terms) merge(term.buffer);
    if (contract.from == contract.to) contract.root_in_place = contract.others_in_place = false;
  }
  for (Step& step : schedule.steps) {
    merge(step.own);
    merge(step.store);
    merge(step.sent);
  }
  for (Term& term : schedule.terms) merge(term.buffer);
  return schedule;
}

}  // namespace muster
