// The order in which a thread goes through the cells of a box: block after block of rows, which follow each other along y.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "app/seismic/axis.h"
#include "app/seismic/view.h"
#include "app/seismic/volume.h"

namespace muster::seismic {

/// Rows of cells in one plane, or in several planes from x on.
struct RowBlock {
  std::int64_t x = 0;
  std::int64_t first_y = 0;
  std::int64_t last_y = 0;
};

/// Cells of rows, from `first` up to `last`.
struct Segment {
  std::int64_t x = 0;  ///< of the first row
  std::int64_t y = 0;
  std::int64_t first = 0;
  std::int64_t last = 0;
  bool has_layer = false;  ///< some of the cells are in a layer of z
};

/// Rows of y that a thread goes through before the next x: what their stencils read should stay in the cache of a core. In layers of x, second
/// derivatives read their memory as they read the field.
struct BlockRows {
  std::int64_t inside = 0;
  std::int64_t in_layer = 0;

  BlockRows(std::int64_t row_bytes, int radius, std::size_t fields, bool has_second)
      : inside(rows_of(row_bytes, radius, fields)),
        in_layer(has_second ? rows_of(row_bytes, radius, 2 * fields) : inside) {}

 private:
  static std::int64_t rows_of(std::int64_t row_bytes, int radius, std::size_t arrays) {
    constexpr std::int64_t kCache = 768 * 1024;
    const std::int64_t planes = 2 * radius + 2;
    const std::int64_t rows = kCache / (row_bytes * planes * static_cast<std::int64_t>(arrays)) - 2 * radius;
    return std::max<std::int64_t>(rows, 8);
  }
};

/// Calls visit(first, last) for the parts of a range before `low`, from there up to `high`, and behind it.
template <class Visit>
void for_each_part(std::int64_t first, std::int64_t last, std::int64_t low, std::int64_t high, const Visit& visit) {
  low = std::clamp(low, first, last);
  high = std::clamp(high, low, last);
  if (first < low) visit(first, low);
  if (low < high) visit(low, high);
  if (high < last) visit(high, last);
}

/// Calls visit.operator()<planes>(block): `Most` planes of x at once where no layer begins or ends between them, and single ones elsewhere.
template <int Most, class Real, class Visit>
void for_each_block(const View<Real>& view, const Box& box, const BlockRows& rows, const Visit& visit) {
  const std::int64_t low = view.axes.x.layer_low;
  const std::int64_t high = view.axes.x.extent - view.axes.x.layer_high;
  for_each_part(box.first.x, box.last.x, low, high, [&](std::int64_t first, std::int64_t last) {
    const std::int64_t in_block = view.is_in_layer(Axis::x, first) ? rows.in_layer : rows.inside;
    for (std::int64_t y = box.first.y; y < box.last.y; y += in_block) {
      RowBlock block{.x = first, .first_y = y, .last_y = std::min(y + in_block, box.last.y)};
      for (; block.x + Most <= last; block.x += Most) visit.template operator()<Most>(block);
      for (; block.x < last; ++block.x) visit.template operator()<1>(block);
    }
  });
}

}  // namespace muster::seismic
