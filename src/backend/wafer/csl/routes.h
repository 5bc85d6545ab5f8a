// The route of one color in one router: as CSL's settings, and in words.
#pragma once

#include <string>

#include "backend/wafer/program.h"

namespace muster::wafer {

/// ".{ .routes = .{ .rx = .{ RAMP }, .tx = .{ WEST } }, .switches = .{ .pos1 = .{ .rx = EAST } } }".
std::string route_value(const ColorRoute& route);

/// "ramp to west, then east to west".
std::string route_words(const ColorRoute& route);

}  // namespace muster::wafer
