// Colours for values. Both scales are straight lines in Oklab (Ottosson, 2020), a space in which equal distances look equal.
#pragma once

namespace muster::seismic {

/// Red, green and blue of sRGB, from 0 to 1.
struct Colour {
  double red = 0;
  double green = 0;
  double blue = 0;
};

enum class ColourScale : unsigned char {
  diverging,   ///< blue, white, red: for values around 0
  sequential,  ///< from dark to light: for values of one sign
};

/// `fraction` from 0 (the least value) to 1.
Colour colour_at(ColourScale scale, double fraction);

/// The lightness of a colour in Oklab, from 0 to 1.
double lightness_of(const Colour& colour);

}  // namespace muster::seismic
