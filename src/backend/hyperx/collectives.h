// Which steps of a schedule of switches belong to one collective, on which id and channel.
#pragma once

#include <vector>

#include "backend/hyperx/registers.h"

namespace muster::hyperx {

/// The rows that a step of a switch belongs to.
struct StepRow {
  std::int16_t id = 0;
  Channel from = Channel::request;  ///< of what it takes
  Channel to = Channel::request;    ///< of what it sends: another one where the step turns
};

struct Collectives {
  std::vector<StepRow> of_step;   ///< those of ranks have none
  std::vector<Segment> segments;  ///< of each id
};

/// A refusal says which node does something that registers cannot express: switches store nothing, and cores only
/// read and write vectors.
Outcome<Collectives> find_collectives(const Schedule& schedule, const Machine& machine);

}  // namespace muster::hyperx
