// A page to draw on, which becomes a PNG or an SVG. Only canvas.cpp knows the drawing library, cairo.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "app/seismic/picture/colours.h"

namespace muster::seismic {

enum class ImageFormat : unsigned char { png, svg };

struct Point {
  double x = 0;
  double y = 0;
};

/// In units of the page: x to the right, y down.
struct Frame {
  double left = 0;
  double top = 0;
  double width = 0;
  double height = 0;

  [[nodiscard]] double right() const { return left + width; }
  [[nodiscard]] double bottom() const { return top + height; }
};

inline constexpr Colour kInk{0.1, 0.1, 0.1};

/// To which side of a point its text lies; on the other axis it is centred.
enum class TextSide : unsigned char { below, above, left, right, from };

struct TextStyle {
  double size = 11;
  TextSide side = TextSide::below;
  bool is_bold = false;
  bool is_upright = false;  ///< read from below
};

class Canvas {
 public:
  /// PNGs have kPixels pixels per unit.
  Canvas(ImageFormat format, double width, double height);
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;
  ~Canvas();

  static constexpr int kPixels = 2;

  void line(std::span<const Point> points, double width, const Colour& colour);
  void fill(std::span<const Point> polygon, const Colour& colour);
  void outline(const Frame& frame, double width);
  /// What is drawn inside `draw` ends at the frame.
  void clipped(const Frame& frame, const std::function<void()>& draw);
  void text(const Point& at, const std::string& text, const TextStyle& style);
  [[nodiscard]] double text_width(const std::string& text, const TextStyle& style) const;
  /// Pixel by pixel: `colour` is asked for fractions of the frame from the left and from the top.
  void raster(const Frame& frame, const std::function<Colour(double, double)>& colour);

  /// The file's bytes. Ends the drawing.
  std::string finish();

 private:
  struct Drawing;
  std::unique_ptr<Drawing> drawing_;
};

}  // namespace muster::seismic
