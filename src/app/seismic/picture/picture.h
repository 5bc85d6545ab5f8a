// Pictures of gathers and cubes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/seismic/file/cube.h"
#include "app/seismic/file/gather.h"
#include "app/seismic/picture/canvas.h"

namespace muster::seismic {

/// A plane of cells across an axis.
struct Slice {
  Axis axis = Axis::z;
  std::int64_t cell = 0;
};

enum class GatherStyle : unsigned char { density, wiggle };

struct PictureOptions {
  ImageFormat format = ImageFormat::png;
  std::string title;
  double clip = 99;           ///< percentile of the values that gets the last colour
  std::vector<Slice> slices;  ///< of cubes, inside them; none: three through the middle
  GatherStyle style = GatherStyle::density;
};

/// Time downwards; across, positions where the receivers are an even line along an axis, and otherwise numbers of traces.
std::string draw(const Gather& gather, const PictureOptions& options);

/// Slices in one scale of lengths. Vertical ones have depth downwards, horizontal ones y upwards.
std::string draw(const Cube& cube, const PictureOptions& options);

}  // namespace muster::seismic
