// A timeline as SVG: one row per track, one box per span, idle time left blank.
#pragma once

#include <string>

#include "result/answer.h"

namespace muster {

/// Of an answer whose simulation wrote a timeline in picoseconds. `settings` is added to the title; `maker` is the command
/// that asked.
std::string svg_timeline(const SimulationAnswer& answer, const std::string& settings, const std::string& maker);

}  // namespace muster
