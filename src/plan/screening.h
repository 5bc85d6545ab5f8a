// Where a family has an approximate simulator (Simulator::is_approximate()), it is asked before candidates are simulated exactly: which
// values of their parameters are best, and who is worth an exact simulation. Predictions are farther from the truth.
#pragma once

#include "plan/candidates.h"

namespace muster {

/// Times the offered candidates that are predicted to be worth it, gives those near the best their best parameters, and puts the best
/// first. An algorithm may be offered several times then, with parameters that are about as good. Does nothing where the family has no such simulator. `threads`: 0: as many as the machine has.
void screen(const Job& job, Candidates& candidates, unsigned threads = 0);

}  // namespace muster
