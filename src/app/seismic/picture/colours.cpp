#include "app/seismic/picture/colours.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace muster::seismic {
namespace {

/// Oklab in polar coordinates.
struct Perceived {
  double lightness = 0;
  double chroma = 0;
  double hue = 0;  ///< in degrees
};

double encoded(double linear) {
  const double value = std::clamp(linear, 0.0, 1.0);
  return value <= 0.0031308 ? 12.92 * value : 1.055 * std::pow(value, 1 / 2.4) - 0.055;
}

double decoded(double value) { return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4); }

double cubed(double value) { return value * value * value; }

/// The matrices are those of Oklab's definition.
Colour to_srgb(const Perceived& colour) {
  const double angle = colour.hue * std::numbers::pi / 180;
  const double a = colour.chroma * std::cos(angle);
  const double b = colour.chroma * std::sin(angle);
  const double l = cubed(colour.lightness + 0.3963377774 * a + 0.2158037573 * b);
  const double m = cubed(colour.lightness - 0.1055613458 * a - 0.0638541728 * b);
  const double s = cubed(colour.lightness - 0.0894841775 * a - 1.2914855480 * b);
  return {encoded(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
          encoded(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
          encoded(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

constexpr Perceived kBlue{.lightness = 0.42, .chroma = 0.19, .hue = 262};
constexpr Perceived kRed{.lightness = 0.42, .chroma = 0.17, .hue = 27};

// From violet over teal to yellow, at a chroma that sRGB has for all of them.
constexpr Perceived kDark{.lightness = 0.28, .chroma = 0.095, .hue = 300};
constexpr Perceived kLight{.lightness = 0.93, .chroma = 0.095, .hue = 100};

}  // namespace

Colour colour_at(ColourScale scale, double fraction) {
  const double at = fraction >= 0 ? std::min(fraction, 1.0) : 0;
  if (scale == ColourScale::sequential) {
    const auto between = [at](double from, double to) { return from + at * (to - from); };
    return to_srgb({between(kDark.lightness, kLight.lightness), between(kDark.chroma, kLight.chroma),
                    between(kDark.hue, kLight.hue)});
  }
  const Perceived& end = at < 0.5 ? kBlue : kRed;
  const double away = std::abs(2 * at - 1);
  return to_srgb({1 - away * (1 - end.lightness), away * end.chroma, end.hue});
}

double lightness_of(const Colour& colour) {
  const double red = decoded(colour.red);
  const double green = decoded(colour.green);
  const double blue = decoded(colour.blue);
  return 0.2104542553 * std::cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) +
         0.7936177850 * std::cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) -
         0.0040720468 * std::cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
}

}  // namespace muster::seismic
