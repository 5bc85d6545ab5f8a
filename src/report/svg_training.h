// Training iterations as stacked bars (Themis, Figure 12).
#pragma once

#include <string>
#include <vector>

#include "result/training.h"

namespace muster {

/// A panel per workload, a group of bars per machine, a bar per scheduler; the baseline is 1 on each machine. `answers` are
/// grouped by workload. `maker` is the command that asked.
std::string svg_training(const std::vector<TrainingAnswer>& answers, const std::string& title,
                         const std::string& maker);

}  // namespace muster
