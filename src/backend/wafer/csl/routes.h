// The route of one color in one router: as CSL's settings, and in words; and all routes of a program, as layout.csl says them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "backend/wafer/csl/program.h"

namespace muster::wafer {

/// Adds the routes of one more class, or says which positions CSL or the machine does not have. `pops`: of each color, whether its control
/// wavelets carry lists of commands, of which every router uses up one; empty: of none.
std::optional<std::string> add_routes(CslProgram& csl, const ProcessorClass& processor, const std::vector<bool>& pops);

/// ".{ .routes = .{ .rx = .{ RAMP }, .tx = .{ WEST } }, .switches = .{ .pos1 = .{ .rx = EAST } } }".
std::string route_value(const ColorRoute& route);

/// Whether the text of a ring has a position with several outputs.
bool names_several_outputs(const ColorRoute& ring);

/// "ramp to west, then east to west".
std::string route_words(const ColorRoute& route);

/// "const route_1 = ...;" for each; nothing for a program of one processor, which sends nothing.
std::string route_values(const CslProgram& csl);

/// A function that sets any route, where that is shorter than to ask for each color; else nothing.
std::string route_function(const CslProgram& csl);

/// The statements that give each color its route at PE `pe`, which lies at x, y.
std::string set_routes(const CslProgram& csl);

}  // namespace muster::wafer
