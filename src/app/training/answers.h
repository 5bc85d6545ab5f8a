// What an iteration took, as an answer.
#pragma once

#include <string>

#include "app/training/train.h"
#include "result/training.h"

namespace muster::training {

struct Scheduled {
  std::string scheduler;
  std::string order = {};
  double sent = 0;  ///< bytes, of all communications
  BytesPerSecond bandwidth;
};

/// Without its speed-up.
IterationAnswer iteration_answer(const Scheduled& scheduled, const Breakdown& breakdown);

}  // namespace muster::training
