// Values one behind another, without headers in between: rows of a cube, or traces.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "app/seismic/file/byte_sink.h"
#include "app/seismic/file/byte_source.h"
#include "app/seismic/file/format.h"
#include "app/seismic/file/samples.h"
#include "app/seismic/volume.h"

namespace muster::seismic {

struct Rows {
  std::int64_t length = 0;  ///< values in a row
  std::int64_t count = 0;
  std::int64_t columns = 0;  ///< rows with the same x; 0: the rows are traces

  [[nodiscard]] std::int64_t values() const { return length * count; }
  /// Where a value is, for messages: "cell 3,4,0" or "sample 1 of trace 7".
  [[nodiscard]] std::string place(std::int64_t row, std::int64_t index) const;
};

constexpr Rows rows_of(const Extent& extent) {
  return {.length = extent.z, .count = extent.x * extent.y, .columns = extent.y};
}

/// The product of the sizes if it is at most `most`, otherwise -1. Sizes are at least 1.
std::int64_t bounded_product(std::span<const std::int64_t> sizes, std::int64_t most);

struct Coding {
  SampleFormat format = SampleFormat::f32;
  ByteOrder order = ByteOrder::little;
};

using VisitValues = std::function<void(std::int64_t row, std::span<const double> values)>;

/// Throws InputError about a value that is not finite.
void read_rows(const ByteSource& source, std::int64_t offset, const Rows& rows, Coding coding,
               const VisitValues& visit);
void check_finite(std::span<const double> values, const Rows& rows, std::int64_t row, const std::string& name);

/// Little-endian. Throws InputError about a value that does not fit.
class RowWriter {
 public:
  RowWriter(const Rows& rows, SampleFormat format, ByteSink& sink, const std::string& name)
      : rows_(rows), format_(format), sink_(sink), name_(name) {}

  void write(std::span<const double> values);

 private:
  Rows rows_;
  SampleFormat format_;
  ByteSink& sink_;
  const std::string& name_;
  std::int64_t row_ = 0;
  std::vector<std::byte> bytes_;
};

/// All rows of a cube, in their order.
void write_cube_rows(const Extent& extent, const FillRow& fill, RowWriter& writer);

constexpr SampleFormat sample_format_of(Precision precision) {
  return precision == Precision::f64 ? SampleFormat::f64 : SampleFormat::f32;
}

}  // namespace muster::seismic
