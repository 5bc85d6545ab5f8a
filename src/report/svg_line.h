// Messages between the processors of a line, as SVG.
#pragma once

#include <string>

#include "result/line_picture.h"

namespace muster {

/// Arcs between processors, colored by channel: those to one processor above the line, multicasts below; an arrow where one
/// ends, and under each processor the cycle in which it was done. Up to 64 processors have names and times; beyond, only
/// every so many a name.
std::string svg_line(const LinePicture& picture, const std::string& maker);

}  // namespace muster
