// All arrays of a state that change with time.
#pragma once

#include "app/seismic/state.h"

namespace muster::seismic {

/// In a fixed order: fields, fields before, memory of the layers. `State` may be const.
template <class State, class Visit>
void for_each_volume(State& state, const Visit& visit) {
  for (auto& field : state.fields) visit(field);
  for (auto& field : state.before) visit(field);
  for (auto& memory : state.memory) {
    visit(memory.psi);
    visit(memory.zeta);
  }
}

}  // namespace muster::seismic
