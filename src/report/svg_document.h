// Shapes and text as SVG: light background, one font, numbers short. The document begins with a comment that names its
// maker, so that a later run may replace it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace muster {

struct SvgPoint {
  double x = 0;
  double y = 0;
};

struct SvgText {
  enum class Anchor { start, middle, end };
  double size = 12;
  Anchor anchor = Anchor::middle;
  std::string color = "#222222";
  bool bold = false;
  bool halo = false;     ///< a light edge, for text over a picture
  bool upright = false;  ///< turned by 90 degrees, to be read from the right
};

struct SvgStroke {
  std::string color = "#222222";
  double width = 1;
  std::string dashes;  ///< "6 4"; empty: solid
};

class SvgDocument {
 public:
  void rectangle(SvgPoint corner, double width, double height, const std::string& fill);
  void frame(SvgPoint corner, double width, double height, const SvgStroke& stroke);
  void line(SvgPoint from, SvgPoint to, const SvgStroke& stroke);
  void polyline(const std::vector<SvgPoint>& points, const SvgStroke& stroke);
  /// A closed shape of one color with a light edge.
  void polygon(const std::vector<SvgPoint>& points, const std::string& fill);
  void circle(SvgPoint center, double radius, const std::string& fill);
  /// Half an ellipse from one point to another at the same height: above it by `height`, below it if that is negative.
  void arc(SvgPoint from, SvgPoint to, double height, const SvgStroke& stroke);
  /// What is drawn until clip_end() shows only within the rectangle.
  void clip_begin(SvgPoint corner, double width, double height);
  void clip_end() { body_ += "</g>\n"; }
  /// `at` is the middle of the text's height.
  void text(SvgPoint at, std::string_view words, const SvgText& style);

  /// The whole document. `maker` is in its first comment.
  [[nodiscard]] std::string finish(double width, double height, std::string_view title, std::string_view maker) const;

 private:
  std::string body_;
  int clips_ = 0;
};

/// How wide a text is drawn, about: layout must not depend on a font that may not be there.
double svg_text_width(std::string_view text, double size);

/// `text` with &, <, > and quotes written as XML wants them; control characters become '?'.
std::string xml_escaped(std::string_view text);

}  // namespace muster
