#include "app/seismic/picture/canvas.h"

#include <cairo/cairo-svg.h>
#include <cairo/cairo.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.h"

#if defined(__SANITIZE_ADDRESS__)
// What fontconfig, behind cairo, keeps until the end of the process is no leak of ours. The sanitizer calls these.
extern "C" const char* __lsan_default_suppressions() { return "leak:libfontconfig"; }
extern "C" const char* __lsan_default_options() { return "print_suppressions=0"; }
#endif

namespace muster::seismic {
namespace {

cairo_status_t append(void* text, const unsigned char* bytes, unsigned int count) {
  static_cast<std::string*>(text)->append(reinterpret_cast<const char*>(bytes), count);
  return CAIRO_STATUS_SUCCESS;
}

struct DestroySurface {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
};
using Surface = std::unique_ptr<cairo_surface_t, DestroySurface>;

std::uint32_t pixel_of(const Colour& colour) {
  const auto byte = [](double value) { return static_cast<std::uint32_t>(std::lround(255 * value)); };
  return 0xFF000000U | byte(colour.red) << 16U | byte(colour.green) << 8U | byte(colour.blue);
}

void select(cairo_t* context, const TextStyle& style) {
  cairo_select_font_face(context, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                         style.is_bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(context, style.size);
}

void set(cairo_t* context, const Colour& colour) {
  cairo_set_source_rgb(context, colour.red, colour.green, colour.blue);
}

void trace(cairo_t* context, std::span<const Point> points) {
  cairo_new_path(context);
  for (const Point& point : points) cairo_line_to(context, point.x, point.y);
}

}  // namespace

struct Canvas::Drawing {
  Drawing() = default;
  Drawing(const Drawing&) = delete;
  Drawing& operator=(const Drawing&) = delete;
  ~Drawing() {
    cairo_destroy(context);
    cairo_surface_destroy(surface);
  }

  ImageFormat format = ImageFormat::png;
  std::string bytes;
  cairo_surface_t* surface = nullptr;
  cairo_t* context = nullptr;
};

Canvas::Canvas(ImageFormat format, double width, double height) : drawing_(std::make_unique<Drawing>()) {
  Drawing& drawing = *drawing_;
  drawing.format = format;
  if (format == ImageFormat::png) {
    const auto pixels = [](double units) { return static_cast<int>(std::ceil(units * kPixels)); };
    drawing.surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, pixels(width), pixels(height));
  } else {
    drawing.surface = cairo_svg_surface_create_for_stream(append, &drawing.bytes, width, height);
  }
  drawing.context = cairo_create(drawing.surface);
  if (format == ImageFormat::png) cairo_scale(drawing.context, kPixels, kPixels);
  set(drawing.context, {1, 1, 1});
  cairo_paint(drawing.context);
}

Canvas::~Canvas() = default;

void Canvas::line(std::span<const Point> points, double width, const Colour& colour) {
  cairo_t* context = drawing_->context;
  set(context, colour);
  cairo_set_line_width(context, width);
  cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND);
  trace(context, points);
  cairo_stroke(context);
}

void Canvas::fill(std::span<const Point> polygon, const Colour& colour) {
  cairo_t* context = drawing_->context;
  set(context, colour);
  trace(context, polygon);
  cairo_close_path(context);
  cairo_fill(context);
}

void Canvas::outline(const Frame& frame, double width) {
  cairo_t* context = drawing_->context;
  set(context, kInk);
  cairo_set_line_width(context, width);
  cairo_rectangle(context, frame.left, frame.top, frame.width, frame.height);
  cairo_stroke(context);
}

void Canvas::clipped(const Frame& frame, const std::function<void()>& draw) {
  cairo_t* context = drawing_->context;
  cairo_save(context);
  cairo_rectangle(context, frame.left, frame.top, frame.width, frame.height);
  cairo_clip(context);
  draw();
  cairo_restore(context);
}

void Canvas::text(const Point& at, const std::string& text, const TextStyle& style) {
  cairo_t* context = drawing_->context;
  set(context, kInk);
  select(context, style);
  cairo_text_extents_t extents;
  cairo_text_extents(context, text.c_str(), &extents);
  cairo_font_extents_t font;
  cairo_font_extents(context, &font);
  const double middle = (font.ascent - font.descent) / 2;
  Point offset{-extents.x_advance / 2, middle};
  switch (style.side) {
    case TextSide::below:
      offset.y = font.ascent;
      break;
    case TextSide::above:
      offset.y = -font.descent;
      break;
    case TextSide::left:
      offset.x = -extents.x_advance;
      break;
    case TextSide::right:
      offset.x = 0;
      break;
    case TextSide::from:
      offset = {0, 0};
      break;
  }
  cairo_save(context);
  cairo_translate(context, at.x, at.y);
  if (style.is_upright) cairo_rotate(context, -std::numbers::pi / 2);
  cairo_move_to(context, offset.x, offset.y);
  cairo_show_text(context, text.c_str());
  cairo_restore(context);
}

double Canvas::text_width(const std::string& text, const TextStyle& style) const {
  select(drawing_->context, style);
  cairo_text_extents_t extents;
  cairo_text_extents(drawing_->context, text.c_str(), &extents);
  return extents.x_advance;
}

void Canvas::raster(const Frame& frame, const std::function<Colour(double, double)>& colour) {
  const int width = std::max(1, static_cast<int>(std::lround(frame.width * kPixels)));
  const int height = std::max(1, static_cast<int>(std::lround(frame.height * kPixels)));
  const Surface image(cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height));
  MUSTER_ASSERT(cairo_surface_status(image.get()) == CAIRO_STATUS_SUCCESS, "an image of {} x {} pixels", width, height);
  cairo_surface_flush(image.get());
  unsigned char* data = cairo_image_surface_get_data(image.get());
  const int stride = cairo_image_surface_get_stride(image.get());
  for (int y = 0; y < height; ++y) {
    auto* row = reinterpret_cast<std::uint32_t*>(data + static_cast<std::ptrdiff_t>(y) * stride);
    for (int x = 0; x < width; ++x) row[x] = pixel_of(colour((x + 0.5) / width, (y + 0.5) / height));
  }
  cairo_surface_mark_dirty(image.get());
  cairo_t* context = drawing_->context;
  cairo_save(context);
  cairo_translate(context, frame.left, frame.top);
  cairo_scale(context, frame.width / width, frame.height / height);
  cairo_set_source_surface(context, image.get(), 0, 0);
  cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_NEAREST);
  cairo_rectangle(context, 0, 0, width, height);
  cairo_fill(context);
  cairo_restore(context);
}

std::string Canvas::finish() {
  Drawing& drawing = *drawing_;
  const cairo_status_t drawn = cairo_status(drawing.context);
  MUSTER_ASSERT(drawn == CAIRO_STATUS_SUCCESS, "cairo: {}", cairo_status_to_string(drawn));
  if (drawing.format == ImageFormat::png) {
    const cairo_status_t written = cairo_surface_write_to_png_stream(drawing.surface, append, &drawing.bytes);
    MUSTER_ASSERT(written == CAIRO_STATUS_SUCCESS, "cairo: {}", cairo_status_to_string(written));
  }
  cairo_surface_finish(drawing.surface);
  return std::move(drawing.bytes);
}

}  // namespace muster::seismic
