#include "app/seismic/file/rows.h"

#include <fmt/format.h>

#include "base/error.h"

namespace muster::seismic {

std::string Rows::place(std::int64_t row, std::int64_t index) const {
  if (columns == 0) return fmt::format("sample {} of trace {}", index + 1, row + 1);
  return fmt::format("cell {},{},{}", row / columns, row % columns, index);
}

std::int64_t bounded_product(std::span<const std::int64_t> sizes, std::int64_t most) {
  std::int64_t product = 1;
  for (const std::int64_t size : sizes) {
    if (__builtin_mul_overflow(product, size, &product) || product > most) return -1;
  }
  return product;
}

void check_finite(std::span<const double> values, const Rows& rows, std::int64_t row, const std::string& name) {
  const std::int64_t bad = first_not_finite(values);
  if (bad >= 0) {
    reject("{}: {} is {}; values must be finite", name, rows.place(row, bad), values[static_cast<std::size_t>(bad)]);
  }
}

void read_rows(const ByteSource& source, std::int64_t offset, const Rows& rows, Coding coding,
               const VisitValues& visit) {
  std::vector<double> values(static_cast<std::size_t>(rows.length));
  const Records records{.offset = offset, .bytes = rows.length * bytes_of(coding.format), .count = rows.count};
  for_each_record(source, records, [&](std::int64_t row, std::span<const std::byte> bytes) {
    decode(bytes, coding.format, coding.order, values);
    check_finite(values, rows, row, source.name());
    visit(row, values);
  });
}

void RowWriter::write(std::span<const double> values) {
  bytes_.resize(values.size() * static_cast<std::size_t>(bytes_of(format_)));
  if (const std::int64_t bad = encode(values, format_, ByteOrder::little, bytes_); bad >= 0) {
    reject("{}: {} is {}, which {} does not hold", name_, rows_.place(row_, bad), values[static_cast<std::size_t>(bad)],
           format_ == SampleFormat::f64 ? "f64" : "f32");
  }
  ++row_;
  sink_.write(bytes_);
}

void write_cube_rows(const Extent& extent, const FillRow& fill, RowWriter& writer) {
  std::vector<double> row(static_cast<std::size_t>(extent.z));
  for (std::int64_t x = 0; x < extent.x; ++x) {
    for (std::int64_t y = 0; y < extent.y; ++y) {
      fill(x, y, row);
      writer.write(row);
    }
  }
}

}  // namespace muster::seismic
