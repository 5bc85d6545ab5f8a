// How a flat schedule looks to a network that delivers whole messages: messages that do not depend on each other are one round.
#pragma once

#include "machine/message_rounds.h"
#include "schedule/schedule.h"

namespace muster {

/// A message is in the round after the latest of those that its sender took before, by the same step (unless that is an
/// exchange) or by earlier ones that it is ordered after. A message to several sinks counts once per sink. Messages without
/// words do not count. A node that is in no contract is a switch, with a link of its own to each of its sinks.
Rounds rounds_of(const Schedule& flat);

}  // namespace muster
