// Messages between the processors of a line, as SVG.
#pragma once

#include <string>

#include "result/line_picture.h"

namespace muster {

/// Arcs between places, colored by channel: those to one place above the line, multicasts below; an arrow where one
/// ends, and under each place the cycle in which it was through. Up to 64 places have names and times; beyond, only
/// every so many a name.
std::string svg_line(const LinePicture& picture, const std::string& maker);

}  // namespace muster
