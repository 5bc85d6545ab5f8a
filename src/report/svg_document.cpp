// Every shape is one line of the document.
#include "report/svg_document.h"

#include <fmt/format.h>

#include "base/text_table.h"
#include "base/xml_comment.h"

namespace muster {
namespace {

const char* const kFont = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif";

/// Two decimals at most, and none where there is nothing to say.
std::string short_number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string stroke_text(const SvgStroke& stroke) {
  const std::string dashes = stroke.dashes.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", stroke.dashes);
  return fmt::format("stroke=\"{}\" stroke-width=\"{}\"{}", stroke.color, short_number(stroke.width), dashes);
}

std::string points_text(const std::vector<SvgPoint>& points) {
  std::string text;
  for (const SvgPoint& p : points) {
    text += fmt::format("{}{},{}", text.empty() ? "" : " ", short_number(p.x), short_number(p.y));
  }
  return text;
}

const char* anchor_name(SvgText::Anchor anchor) {
  switch (anchor) {
    case SvgText::Anchor::start:
      return "start";
    case SvgText::Anchor::middle:
      return "middle";
    case SvgText::Anchor::end:
      return "end";
  }
  return "start";
}

}  // namespace

std::string xml_escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += static_cast<unsigned char>(c) < ' ' ? '?' : c;
    }
  }
  return escaped;
}

double svg_text_width(std::string_view text, double size) {
  constexpr double kWidthOfACharacter = 0.58;  // of the size: between Helvetica and the wider DejaVu
  return kWidthOfACharacter * size * static_cast<double>(display_width(text));
}

void SvgDocument::rectangle(SvgPoint corner, double width, double height, const std::string& fill) {
  body_ +=
      fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" shape-rendering=\"crispEdges\"/>\n",
                  short_number(corner.x), short_number(corner.y), short_number(width), short_number(height), fill);
}

void SvgDocument::frame(SvgPoint corner, double width, double height, const SvgStroke& stroke) {
  body_ +=
      fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" {}/>\n", short_number(corner.x),
                  short_number(corner.y), short_number(width), short_number(height), stroke_text(stroke));
}

void SvgDocument::line(SvgPoint from, SvgPoint to, const SvgStroke& stroke) {
  body_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" {}/>\n", short_number(from.x),
                       short_number(from.y), short_number(to.x), short_number(to.y), stroke_text(stroke));
}

void SvgDocument::polyline(const std::vector<SvgPoint>& points, const SvgStroke& stroke) {
  body_ += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke-linejoin=\"round\" {}/>\n", points_text(points),
                       stroke_text(stroke));
}

void SvgDocument::polygon(const std::vector<SvgPoint>& points, const std::string& fill) {
  body_ += fmt::format("<polygon points=\"{}\" fill=\"{}\" stroke=\"#ffffff\" stroke-width=\"0.8\"/>\n",
                       points_text(points), fill);
}

void SvgDocument::circle(SvgPoint center, double radius, const std::string& fill) {
  body_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\" stroke=\"#ffffff\" stroke-width=\"0.8\"/>\n",
                       short_number(center.x), short_number(center.y), short_number(radius), fill);
}

void SvgDocument::arc(SvgPoint from, SvgPoint to, double height, const SvgStroke& stroke) {
  const bool right = to.x > from.x, above = height > 0;
  const double radius = (right ? to.x - from.x : from.x - to.x) / 2;
  body_ += fmt::format("<path d=\"M {} {} A {} {} 0 0 {} {} {}\" fill=\"none\" {}/>\n", short_number(from.x),
                       short_number(from.y), short_number(radius), short_number(above ? height : -height),
                       right == above ? 1 : 0, short_number(to.x), short_number(to.y), stroke_text(stroke));
}

void SvgDocument::clip_begin(SvgPoint corner, double width, double height) {
  const int id = ++clips_;
  body_ += fmt::format(
      "<clipPath id=\"clip{}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n<g "
      "clip-path=\"url(#clip{})\">\n",
      id, short_number(corner.x), short_number(corner.y), short_number(width), short_number(height), id);
}

void SvgDocument::text(SvgPoint at, std::string_view words, const SvgText& style) {
  constexpr double kHalfHeight = 0.35;  // of a letter, of the size
  const std::string position =
      style.upright
          ? fmt::format("transform=\"translate({} {}) rotate(-90)\" y=\"{}\"", short_number(at.x), short_number(at.y),
                        short_number(kHalfHeight * style.size))
          : fmt::format("x=\"{}\" y=\"{}\"", short_number(at.x), short_number(at.y + kHalfHeight * style.size));
  const char* const halo =
      style.halo ? " stroke=\"#ffffff\" stroke-width=\"3\" stroke-linejoin=\"round\" paint-order=\"stroke\"" : "";
  body_ += fmt::format("<text {} font-size=\"{}\" text-anchor=\"{}\" fill=\"{}\"{}{}>{}</text>\n", position,
                       short_number(style.size), anchor_name(style.anchor), style.color,
                       style.bold ? " font-weight=\"bold\"" : "", halo, xml_escaped(words));
}

std::string SvgDocument::finish(double width, double height, std::string_view title, std::string_view maker) const {
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<!-- Muster: {} -->\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {} {}\" font-family=\"{}\">\n"
      "<title>{}</title>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{}</svg>\n",
      xml_comment(maker), short_number(width), short_number(height), short_number(width), short_number(height), kFont,
      xml_escaped(title), body_);
}

}  // namespace muster
