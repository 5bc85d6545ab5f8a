// For tests: the pixels of a PNG.
#pragma once

#include <cairo/cairo.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>

#include "app/seismic/picture/colours.h"

namespace muster::seismic {

class Pixels {
 public:
  explicit Pixels(const std::string& png) : left_(png) {
    surface_ = cairo_image_surface_create_from_png_stream(
        [](void* self, unsigned char* into, unsigned int count) {
          auto& left = static_cast<Pixels*>(self)->left_;
          if (left.size() < count) return CAIRO_STATUS_READ_ERROR;
          std::memcpy(into, left.data(), count);
          left = left.substr(count);
          return CAIRO_STATUS_SUCCESS;
        },
        this);
  }
  Pixels(const Pixels&) = delete;
  Pixels& operator=(const Pixels&) = delete;
  ~Pixels() { cairo_surface_destroy(surface_); }

  [[nodiscard]] int width() const { return cairo_image_surface_get_width(surface_); }
  [[nodiscard]] int height() const { return cairo_image_surface_get_height(surface_); }

  /// How many pixels have about this colour, and where on average.
  struct Found {
    std::int64_t count = 0;
    double x = 0;
    double y = 0;
  };
  [[nodiscard]] Found find(const Colour& colour) const {
    Found found;
    const unsigned char* data = cairo_image_surface_get_data(surface_);
    const int stride = cairo_image_surface_get_stride(surface_);
    for (int y = 0; y < height(); ++y) {
      for (int x = 0; x < width(); ++x) {
        std::uint32_t pixel = 0;
        std::memcpy(&pixel, data + static_cast<std::ptrdiff_t>(y) * stride + 4 * static_cast<std::ptrdiff_t>(x), 4);
        if (!is_near(pixel >> 16U, colour.red) || !is_near(pixel >> 8U, colour.green) || !is_near(pixel, colour.blue)) {
          continue;
        }
        ++found.count;
        found.x += x;
        found.y += y;
      }
    }
    if (found.count > 0) {
      found.x /= static_cast<double>(found.count);
      found.y /= static_cast<double>(found.count);
    }
    return found;
  }

 private:
  static bool is_near(std::uint32_t bits, double value) {
    return std::abs(static_cast<double>(bits & 0xFFU) - 255 * value) <= 1;
  }

  std::string_view left_;
  cairo_surface_t* surface_ = nullptr;
};

}  // namespace muster::seismic
