// A critical path in a few lines for people.
#pragma once

#include <vector>

#include "result/explanation.h"
#include "study/mesh/critical_path.h"

namespace muster {

/// The pieces as lines; pieces that repeat, also in groups, become one line. Of more than `most` lines, those in the
/// middle become one that says how many they are.
std::vector<PathLine> path_lines(const CriticalPath& path, const Machine& machine, std::size_t most = 20);

}  // namespace muster
