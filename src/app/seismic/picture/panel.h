// A framed area of a picture with axes, and the colour bar beside it.
#pragma once

#include <string>

#include "app/seismic/picture/canvas.h"
#include "app/seismic/picture/value_range.h"

namespace muster::seismic {

/// From the left or the top on; `last` may be less than `first`.
struct PictureAxis {
  double first = 0;
  double last = 1;
  std::string label;

  /// Whether its numbers differ and can be written: files may say anything.
  [[nodiscard]] bool can_be_drawn() const;
  [[nodiscard]] double length() const { return last > first ? last - first : first - last; }
  [[nodiscard]] double at(double fraction) const { return first + fraction * (last - first); }
  [[nodiscard]] double fraction(double value) const { return (value - first) / (last - first); }
};

struct Panel {
  Frame frame;
  PictureAxis across;
  PictureAxis down;
  std::string title;
};

/// What a panel needs around its frame.
inline constexpr double kSpaceLeft = 62;
inline constexpr double kSpaceBelow = 44;
inline constexpr double kSpaceAbove = 22;
inline constexpr double kBarSpace = 96;  ///< of the colour bar, right of the last panel

/// Frame, ticks, labels and title, over what is drawn inside.
void draw_axes(Canvas& canvas, const Panel& panel);

/// Right of `beside`, in its height, with the quantity's name and unit. Of which, nothing need be known.
void draw_colour_bar(Canvas& canvas, const Frame& beside, const ValueRange& range, const std::string& quantity);

/// At the top of the page.
void draw_title(Canvas& canvas, const std::string& title, const std::string& subtitle);
inline constexpr double kTitleSpace = 50;

}  // namespace muster::seismic
